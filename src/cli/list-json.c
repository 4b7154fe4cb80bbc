// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * list --json: cold, so that a tree of objects may be built.
 */
#include <json-c/json.h>

#include "cli/escape.h"
#include "cli/list.h"

#define LIST_SCHEMA "mbmcat.list/1"

static json_object *text_or_null(const char *text)
{
	struct buf utf8 = { 0 };
	json_object *string = NULL;

	if (!text)
		return NULL;
	escape_utf8(&utf8, text);
	if (!utf8.failed)
		string = json_object_new_string_len(utf8.len ? utf8.data : "", (int)utf8.len);
	buf_free(&utf8);
	return string;
}

static void add(json_object *object, const char *key, json_object *value)
{
	json_object_object_add(object, key, value);
}

static json_object *json_groups(const struct listing *l)
{
	json_object *array = json_object_new_array();

	for (size_t i = 0; i < mbmcat_snapshot_groups(l->snapshot); i++) {
		const struct mbmcat_group *g = mbmcat_snapshot_group(l->snapshot, i);
		json_object *row = json_object_new_object();
		uint64_t tasks;

		add(row, "ctrl_group", text_or_null(g->ctrl_group));
		add(row, "mon_group", text_or_null(g->mon_group));
		add(row, "mode", *g->mode ? text_or_null(g->mode) : NULL);
		add(row, "monitored", json_object_new_boolean(!g->pseudo_locked));
		add(row, "tasks",
		    mbmcat_group_tasks(l->source->ctx, g, &tasks) == 0 ?
			    json_object_new_uint64(tasks) :
			    NULL);
		json_object_array_add(array, row);
	}
	return array;
}

static json_object *json_domains(const struct listing *l)
{
	json_object *array = json_object_new_array();

	for (size_t i = 0; i < mbmcat_snapshot_domains(l->snapshot); i++) {
		const struct mbmcat_domain *d = mbmcat_snapshot_domain(l->snapshot, i);
		const struct topology *topology = l->source->topology;
		const struct place *place = l->place[i];
		cleanup(cleanup_free) char *cpus = place ? place_cpu_list(place) : NULL;
		cleanup(cleanup_free) char *nodes =
			place ? place_node_list(topology, place) : NULL;
		int package = place ? place_package(topology, place) : -1;
		json_object *row = json_object_new_object();

		add(row, "resource", text_or_null(d->resource));
		add(row, "domain", json_object_new_uint64(d->id));
		if (d->sub_id != MBMCAT_NO_SUB)
			add(row, "sub_domain", json_object_new_int64(d->sub_id));
		add(row, "sum", json_object_new_boolean(d->is_sum));
		add(row, "cpus", text_or_null(cpus));
		add(row, "package", package >= 0 ? json_object_new_int(package) : NULL);
		add(row, "nodes", text_or_null(nodes));
		add(row, "may_run", json_object_new_boolean(l->bind[i] == 0));
		add(row, "may_run_why", text_or_null(list_may_run(l, i)));
		json_object_array_add(array, row);
	}
	return array;
}

static json_object *json_events(const struct listing *l)
{
	json_object *array = json_object_new_array();

	for (size_t i = 0; i < mbmcat_snapshot_events(l->snapshot); i++) {
		const struct mbmcat_event *e = mbmcat_snapshot_event(l->snapshot, i);
		json_object *row = json_object_new_object();

		add(row, "event", text_or_null(e->name));
		add(row, "resource", text_or_null(e->resource));
		add(row, "counter", json_object_new_boolean(e->is_counter));
		add(row, "files", json_object_new_boolean(e->in_files));
		add(row, "mon_features", json_object_new_boolean(e->in_features));
		json_object_array_add(array, row);
	}
	return array;
}

static json_object *json_limit(uint64_t value)
{
	return value == SIZE_MAX ? NULL : json_object_new_uint64(value);
}

static json_object *json_limits(const struct listing *l)
{
	json_object *limits = json_object_new_object();
	uint64_t rmids;

	add(limits, "num_rmids",
	    mbmcat_info_number(l->source->ctx, "L3", "num_rmids", &rmids) == 0 ?
		    json_object_new_uint64(rmids) :
		    NULL);
	add(limits, "groups", json_object_new_uint64(mbmcat_snapshot_groups(l->snapshot)));
	add(limits, "counters", json_object_new_uint64(l->counters));
	add(limits, "open_files_soft", json_limit(l->fds.soft));
	add(limits, "open_files_hard", json_limit(l->fds.hard));
	return limits;
}

void list_json(const struct listing *l, struct buf *out)
{
	json_object *doc = json_object_new_object();
	const char *text;

	add(doc, "schema", text_or_null(LIST_SCHEMA));
	add(doc, "host", text_or_null(l->source->host));
	add(doc, "mount_point", text_or_null(l->source->dir));
	add(doc, "groups", json_groups(l));
	add(doc, "domains", json_domains(l));
	add(doc, "events", json_events(l));
	add(doc, "limits", json_limits(l));
	text = json_object_to_json_string_ext(doc, JSON_C_TO_STRING_PRETTY |
							   JSON_C_TO_STRING_NOSLASHESCAPE);
	if (text)
		buf_printf(out, "%s\n", text);
	else
		out->failed = true;
	json_object_put(doc);
}

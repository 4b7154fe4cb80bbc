// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * list: what is there, before anything is read.
 */
#include <errno.h>
#include <json-c/json.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/diag.h"
#include "cli/escape.h"
#include "cli/grid.h"
#include "cli/sink.h"
#include "cli/source.h"
#include "host/crew.h"
#include "host/limits.h"

#define LIST_SCHEMA "mbmcat.list/1"

struct listing {
	struct source *source;
	const struct mbmcat_snapshot *snapshot;
	struct place **place; /* per domain; NULL: CPUs unknown */
	int *bind;	      /* per domain: 0 or why this process may not run there */
	size_t counters;      /* with the default selection */
	struct fd_limits fds;
};

static void try_domain(void *arg, size_t i)
{
	struct listing *l = arg;

	l->bind[i] = -ENODEV;
	if (l->place[i])
		l->bind[i] = place_bind(l->source->topology, l->place[i], CPU_AUTO);
}

static void no_work(void *arg, size_t i)
{
	(void)arg;
	(void)i;
}

/* In threads of their own: this one stays where it is. */
static int try_domains(struct listing *l, size_t n)
{
	struct crew_task task = { .start = try_domain, .work = no_work, .arg = l };
	struct crew *crew;
	int ret;

	ret = crew_new(&crew, n, &task);
	if (ret == 0)
		crew_free(crew);
	return ret;
}

static int look(struct listing *l, const struct options *o)
{
	size_t n = mbmcat_snapshot_domains(l->snapshot);
	struct mbmcat_subset *subset;
	int ret;

	l->place = calloc(n, sizeof(struct place *));
	l->bind = calloc(n, sizeof(*l->bind));
	if (!l->place || !l->bind)
		return -ENOMEM;
	for (size_t i = 0; i < n && l->source->topology; i++) {
		const struct mbmcat_domain *d = mbmcat_snapshot_domain(l->snapshot, i);

		l->place[i] = place_find(l->source->topology, d->resource, d->id, d->sub_id);
	}
	ret = try_domains(l, n);
	if (ret < 0)
		return ret;
	limits_fds(&l->fds);
	ret = mbmcat_select(l->snapshot, o->wish, &subset, NULL);
	if (ret == 0)
		l->counters = mbmcat_subset_counters(subset);
	if (ret == 0)
		mbmcat_subset_free(subset);
	return ret == -ENODATA ? 0 : ret;
}

static void free_listing(struct listing *l)
{
	for (size_t i = 0; l->place && i < mbmcat_snapshot_domains(l->snapshot); i++)
		place_free(l->place[i]);
	free(l->place);
	free(l->bind);
}

static const char *may_run(const struct listing *l, size_t i)
{
	switch (l->bind[i]) {
	case 0:
		return "yes";
	case -EXDEV:
		return "not this machine";
	case -ENODEV:
		return "CPUs unknown";
	case -EINVAL:
		return "no: not in the cpuset";
	default:
		return "no";
	}
}

static const char *or_dash(const char *text)
{
	return text && *text ? text : "-";
}

static void title(struct buf *out, const char *text)
{
	if (out->len)
		buf_char(out, '\n');
	buf_printf(out, "%s\n", text);
}

static void header(struct grid *grid, const char *const *names, size_t n)
{
	grid_init(grid, n);
	for (size_t i = 0; i < n; i++)
		grid_cell(grid, names[i]);
}

static void print_groups(const struct listing *l, struct buf *out)
{
	static const char *const names[] = { "CTRL_GROUP", "MON_GROUP", "MODE", "TASKS" };
	struct grid grid;

	header(&grid, names, ARRAY_SIZE(names));
	for (size_t i = 0; i < mbmcat_snapshot_groups(l->snapshot); i++) {
		const struct mbmcat_group *g = mbmcat_snapshot_group(l->snapshot, i);
		uint64_t tasks;

		grid_cell(&grid, *g->ctrl_group ? g->ctrl_group : "(default)");
		grid_cell(&grid, or_dash(g->mon_group));
		grid_cell(&grid, or_dash(g->mode));
		if (mbmcat_group_tasks(l->source->ctx, g, &tasks) == 0)
			grid_number(&grid, tasks);
		else
			grid_cell(&grid, "-");
	}
	title(out, "Groups");
	grid_print(&grid, out);
	grid_free(&grid);
}

static void domain_cell(struct grid *grid, const struct mbmcat_domain *d)
{
	char text[96];

	if (d->sub_id == MBMCAT_NO_SUB)
		snprintf(text, sizeof(text), "%.40s:%llu%s", d->resource,
			 (unsigned long long)d->id, d->is_sum ? " (sum)" : "");
	else
		snprintf(text, sizeof(text), "%.40s:%llu/%lld", d->resource,
			 (unsigned long long)d->id, (long long)d->sub_id);
	grid_cell(grid, text);
}

static void print_domains(const struct listing *l, struct buf *out)
{
	static const char *const names[] = { "DOMAIN", "CPUS", "PACKAGE", "NODE", "MAY RUN THERE" };
	struct grid grid;

	header(&grid, names, ARRAY_SIZE(names));
	for (size_t i = 0; i < mbmcat_snapshot_domains(l->snapshot); i++) {
		const struct place *place = l->place[i];
		const struct topology *topology = l->source->topology;
		cleanup(cleanup_free) char *cpus = place ? place_cpu_list(place) : NULL;
		cleanup(cleanup_free) char *nodes =
			place ? place_node_list(topology, place) : NULL;
		int package = place ? place_package(topology, place) : -1;

		domain_cell(&grid, mbmcat_snapshot_domain(l->snapshot, i));
		grid_cell(&grid, or_dash(cpus));
		if (package >= 0)
			grid_number(&grid, (uint64_t)package);
		else
			grid_cell(&grid, "-");
		grid_cell(&grid, or_dash(nodes));
		grid_cell(&grid, may_run(l, i));
	}
	title(out, "Domains");
	grid_print(&grid, out);
	grid_free(&grid);
}

/* Where an event is known from. */
static const char *event_source(const struct mbmcat_event *e)
{
	if (e->in_files && e->in_features)
		return "files and mon_features";
	return e->in_files ? "files only" : "mon_features only";
}

static void print_events(const struct listing *l, struct buf *out)
{
	static const char *const names[] = { "EVENT", "RESOURCE", "KIND", "FROM" };
	struct grid grid;

	header(&grid, names, ARRAY_SIZE(names));
	for (size_t i = 0; i < mbmcat_snapshot_events(l->snapshot); i++) {
		const struct mbmcat_event *e = mbmcat_snapshot_event(l->snapshot, i);

		grid_cell(&grid, e->name);
		grid_cell(&grid, e->resource);
		grid_cell(&grid, e->is_counter ? "counter" : "gauge");
		grid_cell(&grid, event_source(e));
	}
	title(out, "Events");
	grid_print(&grid, out);
	grid_free(&grid);
}

static void print_limit(struct grid *grid, const char *name, uint64_t value, bool known)
{
	grid_cell(grid, name);
	if (known)
		grid_number(grid, value);
	else
		grid_cell(grid, "-");
}

static void print_limits(const struct listing *l, struct buf *out)
{
	static const char *const names[] = { "LIMIT", "VALUE" };
	uint64_t rmids = 0;
	bool known = mbmcat_info_number(l->source->ctx, "L3", "num_rmids", &rmids) == 0;
	struct grid grid;

	header(&grid, names, ARRAY_SIZE(names));
	print_limit(&grid, "RMIDs (num_rmids)", rmids, known);
	print_limit(&grid, "groups", mbmcat_snapshot_groups(l->snapshot), true);
	print_limit(&grid, "counters, files to hold open", l->counters, true);
	print_limit(&grid, "open files allowed now", l->fds.soft, l->fds.soft != SIZE_MAX);
	print_limit(&grid, "open files allowed at most", l->fds.hard, l->fds.hard != SIZE_MAX);
	title(out, "Limits");
	grid_print(&grid, out);
	grid_free(&grid);
}

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
		add(row, "may_run_why", text_or_null(may_run(l, i)));
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

static void print_json(const struct listing *l, struct buf *out)
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

static int print(const struct listing *l, const struct options *o)
{
	struct buf out = { 0 };
	struct sink *sink;
	int ret;

	if (o->json) {
		print_json(l, &out);
	} else {
		print_groups(l, &out);
		print_domains(l, &out);
		print_events(l, &out);
		print_limits(l, &out);
	}
	ret = out.failed ? -ENOMEM : sink_open(&sink, NULL, SINK_APPEND);
	if (ret == 0) {
		int closed;

		ret = sink_write(sink, out.data, out.len);
		closed = sink_close(sink, true);
		if (ret == 0)
			ret = closed;
	}
	buf_free(&out);
	return ret;
}

int cmd_list(struct options *options)
{
	struct mbmcat_snapshot *snapshot = NULL;
	struct source source;
	struct listing l = { .source = &source };
	int code, ret;

	signal(SIGPIPE, SIG_IGN);
	code = source_open(&source, options);
	if (code == 0)
		code = source_scan(&source, &snapshot);
	if (code == 0) {
		l.snapshot = snapshot;
		ret = look(&l, options);
		if (ret == 0)
			ret = print(&l, options);
		if (ret < 0 && ret != -EPIPE) {
			diag_error("can't list: %s", strerror(-ret));
			code = EXIT_NOTHING;
		}
		free_listing(&l);
	}
	mbmcat_snapshot_free(snapshot);
	source_close(&source);
	return code;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The document mbmcat.bench/1.
 */
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#include "cli/bench.h"
#include "cli/escape.h"

static json_object *text(const char *string)
{
	struct buf utf8 = { 0 };
	json_object *object = NULL;

	if (!string)
		return NULL;
	escape_utf8(&utf8, string);
	if (!utf8.failed)
		object = json_object_new_string_len(utf8.len ? utf8.data : "", (int)utf8.len);
	buf_free(&utf8);
	return object;
}

static json_object *number(uint64_t value)
{
	return json_object_new_uint64(value);
}

static void add(json_object *object, const char *key, json_object *value)
{
	json_object_object_add(object, key, value);
}

/* The same text for the same boot, and no way back to it but by trying. FNV-1a. */
static json_object *hashed(const char *string)
{
	uint64_t hash = 14695981039346656037u;
	char hex[32];

	if (!string)
		return NULL;
	for (; *string; string++)
		hash = (hash ^ (unsigned char)*string) * 1099511628211u;
	snprintf(hex, sizeof(hex), "anonymous-%016llx", (unsigned long long)hash);
	return text(hex);
}

static json_object *loads(const double load[3], bool known)
{
	json_object *array;

	if (!known)
		return NULL;
	array = json_object_new_array();
	for (size_t i = 0; i < 3; i++) {
		char digits[32];
		uint64_t hundredths = (uint64_t)(load[i] * 100 + 0.5);

		/* Two decimals, whatever the locale. */
		snprintf(digits, sizeof(digits), "%llu.%02llu",
			 (unsigned long long)(hundredths / 100),
			 (unsigned long long)(hundredths % 100));
		json_object_array_add(array, json_object_new_double_s(load[i], digits));
	}
	return array;
}

static json_object *paranoid(const char *level)
{
	char *end;
	long value;

	if (!level)
		return NULL;
	value = strtol(level, &end, 10);
	return *end ? NULL : json_object_new_int64(value);
}

static json_object *machine(const struct bench_result *r)
{
	const bool anonymous = r->options->bench.anonymize;
	const struct machine *m = &r->machine;
	json_object *object = json_object_new_object();
	json_object *mitigations = m->n_mitigations ? json_object_new_object() : NULL;

	for (size_t i = 0; i < m->n_mitigations; i++)
		add(mitigations, m->mitigations[i].name, text(m->mitigations[i].text));
	add(object, "host", anonymous ? NULL : text(r->host));
	add(object, "kernel_release", text(m->kernel_release));
	add(object, "kernel_version", text(m->kernel_version));
	add(object, "boot_id", anonymous ? hashed(m->boot_id) : text(m->boot_id));
	add(object, "cmdline", anonymous ? NULL : text(m->cmdline));
	add(object, "nohz_full", text(m->nohz_full));
	add(object, "isolated", text(m->isolated));
	add(object, "mitigations", mitigations);
	add(object, "cpu_model", text(m->cpu_model));
	add(object, "microcode", text(m->microcode));
	add(object, "governor", text(m->governor));
	add(object, "boost", text(m->boost));
	add(object, "smt", text(m->smt));
	add(object, "hypervisor", text(m->hypervisor));
	add(object, "mount_options", text(m->mount_options));
	add(object, "num_rmids", r->has_rmids ? number(r->num_rmids) : NULL);
	add(object, "perf_event_paranoid", paranoid(m->perf_event_paranoid));
	add(object, "load_before", loads(r->load_before, r->has_load_before));
	add(object, "load_after", loads(r->load_after, r->has_load_after));
	return object;
}

static json_object *place(const struct bench_domain *d)
{
	json_object *object = json_object_new_object();

	add(object, "resource", text(d->resource));
	add(object, "domain", number(d->id));
	if (d->sub_id != MBMCAT_NO_SUB)
		add(object, "sub_domain", json_object_new_int64(d->sub_id));
	return object;
}

static json_object *method(const struct bench_result *r)
{
	static const char *const contentions[] = {
		[CONTENTION_NONE] = "none", [CONTENTION_L2] = "l2", [CONTENTION_L3] = "l3"
	};
	const struct bench_options *o = &r->options->bench;
	json_object *object = json_object_new_object();
	json_object *events = json_object_new_array(), *domains = json_object_new_array();

	for (size_t i = 0; i < r->n_events; i++)
		json_object_array_add(events, text(r->events[i]));
	for (size_t i = 0; i < r->n_domains; i++) {
		const struct bench_domain *d = &r->domains[i];
		json_object *domain = place(d);

		add(domain, "cpus", text(d->cpus));
		add(domain, "package", d->package < 0 ? NULL : json_object_new_int(d->package));
		json_object_array_add(domains, domain);
	}
	add(object, "rounds", number(o->rounds));
	add(object, "warmup", number(o->warmup));
	add(object, "pace_ns", number(o->pace_ns));
	add(object, "cpu", text(r->options->cpu == CPU_ANY ? "any" : "first"));
	add(object, "pinned", json_object_new_boolean(r->pinned));
	add(object, "contention", text(contentions[o->contention]));
	add(object, "groups", number(r->groups));
	add(object, "events", events);
	add(object, "domains", domains);
	return object;
}

static json_object *sources(const struct bench_result *r)
{
	json_object *object = json_object_new_object();

	for (size_t i = 0; i < FIGURES; i++) {
		json_object *source = json_object_new_object();

		add(source, "source", text(r->sources[i].source));
		add(source, "reason", r->sources[i].source ? NULL : text(r->sources[i].reason));
		add(object, figure_name((enum figure)i), source);
	}
	return object;
}

static json_object *figure(const struct bench_iteration *it, enum figure which)
{
	return iteration_has(it, which) ? json_object_new_int64(it->value[which]) : NULL;
}

static json_object *iterations(const struct bench_iteration *list, size_t n, bool wall_only)
{
	json_object *array = json_object_new_array();

	for (size_t i = 0; i < n; i++) {
		const struct bench_iteration *it = &list[i];
		json_object *object = json_object_new_object();

		add(object, "round", number(it->round));
		add(object, "warmup", json_object_new_boolean(it->warmup));
		if (wall_only)
			add(object, figure_name(FIGURE_WALL), figure(it, FIGURE_WALL));
		for (size_t f = 0; f < FIGURES && !wall_only; f++)
			add(object, figure_name((enum figure)f), figure(it, (enum figure)f));
		if (!wall_only) {
			add(object, "multiplexed", json_object_new_boolean(it->multiplexed));
			add(object, "time_enabled_ns", number(it->enabled_ns));
			add(object, "time_running_ns", number(it->running_ns));
		}
		json_object_array_add(array, object);
	}
	return array;
}

static json_object *cell(const struct bench_result *r, const struct bench_cell *c)
{
	json_object *object = json_object_new_object(), *reader = place(&r->domains[c->reader]);

	add(reader, "cpu", c->cpu < 0 ? NULL : json_object_new_int(c->cpu));
	add(object, "kind", text(cell_kind_name(c->kind)));
	add(object, "reader", reader);
	add(object, "target", c->target == BENCH_NO_TARGET ? NULL : place(&r->domains[c->target]));
	add(object, "toggle", text(cell_toggle_name(c->toggle)));
	add(object, "path", text(record_path_text(c->path)));
	add(object, "reads", number(c->reads));
	return object;
}

static json_object *cells(const struct bench_result *r)
{
	json_object *array = json_object_new_array();

	for (size_t i = 0; i < r->n_cells; i++) {
		const struct bench_cell *c = &r->cells[i];
		json_object *object = cell(r, c);

		add(object, "iterations", iterations(c->iterations, c->n, false));
		json_object_array_add(array, object);
	}
	return array;
}

static json_object *sweep(const struct bench_result *r)
{
	json_object *array;

	if (!r->sweep)
		return NULL;
	array = json_object_new_array();
	for (size_t i = 0; i < r->n_sweep; i++) {
		json_object *object = json_object_new_object();

		add(object, "parallel", number(r->sweep[i].parallel));
		add(object, "iterations", iterations(r->sweep[i].iterations, r->sweep[i].n, true));
		json_object_array_add(array, object);
	}
	return array;
}

static json_object *victim_side(const struct victim_side *s)
{
	json_object *object = json_object_new_object();

	add(object, "wall_ns", number(s->wall_ns));
	add(object, "dumps", number(s->dumps));
	add(object, "gaps", number(s->gaps));
	add(object, "lost_ns", number(s->lost_ns));
	add(object, "p99_ns", number(s->p99_ns));
	add(object, "longest_ns", number(s->longest_ns));
	return object;
}

static json_object *victim(const struct bench_result *r)
{
	json_object *object, *rows;

	if (!r->has_victims)
		return NULL;
	object = json_object_new_object();
	rows = json_object_new_array();
	for (size_t i = 0; i < r->n_victims; i++) {
		const struct victim_row *v = &r->victims[i];
		json_object *row = cell(r, &r->cells[v->cell]);

		add(row, "cpu", v->cpu < 0 ? NULL : json_object_new_int(v->cpu));
		add(row, "off", victim_side(&v->off));
		add(row, "on", victim_side(&v->on));
		json_object_array_add(rows, row);
	}
	add(object, "threshold_ns", number(r->victim_threshold_ns));
	add(object, "block_ns", number(r->victim_block_ns));
	add(object, "cells", rows);
	return object;
}

static json_object *arguments(const struct options *o)
{
	json_object *array = json_object_new_array();

	/* They may hold names of groups, files and hosts. */
	for (int i = 0; i < o->argc && !o->bench.anonymize; i++)
		json_object_array_add(array, text(o->argv[i]));
	return array;
}

static json_object *time_text(uint64_t time_ns)
{
	char stamp[RECORD_TIME_SIZE];

	record_time(time_ns, stamp);
	return json_object_new_string_len(stamp, RECORD_TIME_SIZE);
}

void bench_json(const struct bench_result *r, struct buf *out)
{
	json_object *doc = json_object_new_object();
	const char *bytes;

	add(doc, "schema", text(BENCH_SCHEMA));
	add(doc, "schema_minor", json_object_new_int(BENCH_SCHEMA_MINOR));
	add(doc, "tool", text(r->tool));
	add(doc, "argv", arguments(r->options));
	add(doc, "seed", number(r->seed));
	add(doc, "time", time_text(r->time_ns));
	add(doc, "machine", machine(r));
	add(doc, "method", method(r));
	add(doc, "sources", sources(r));
	add(doc, "cells", cells(r));
	add(doc, "sweep", sweep(r));
	add(doc, "victim", victim(r));
	add(doc, "interrupted", json_object_new_boolean(r->interrupted));
	bytes = json_object_to_json_string_ext(doc, JSON_C_TO_STRING_PLAIN |
							    JSON_C_TO_STRING_NOSLASHESCAPE);
	if (bytes) {
		buf_str(out, bytes);
		buf_char(out, '\n');
	} else {
		out->failed = true;
	}
	json_object_put(doc);
}

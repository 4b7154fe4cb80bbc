// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * list: what is there, before anything is read.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/diag.h"
#include "cli/grid.h"
#include "cli/list.h"
#include "cli/sink.h"
#include "host/crew.h"

static void try_domains(void *arg, size_t i)
{
	struct listing *l = arg;

	(void)i;
	for (size_t d = 0; d < mbmcat_snapshot_domains(l->snapshot); d++) {
		l->bind[d] = -ENODEV;
		if (l->place[d])
			l->bind[d] = place_bind(l->source->topology, l->place[d], CPU_AUTO);
	}
}

static void no_work(void *arg, size_t i)
{
	(void)arg;
	(void)i;
}

/* In a thread of its own: this one stays where it is. */
static int try_in_thread(struct listing *l)
{
	struct crew_task task = { .start = try_domains, .work = no_work, .arg = l };
	struct crew *crew;
	int ret;

	ret = crew_new(&crew, 1, &task);
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
	ret = try_in_thread(l);
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

const char *list_may_run(const struct listing *l, size_t i)
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
		grid_cell(&grid, list_may_run(l, i));
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

static int print(const struct listing *l, const struct options *o)
{
	struct buf out = { 0 };
	struct sink *sink;
	int ret;

	if (o->json) {
		list_json(l, &out);
	} else {
		print_groups(l, &out);
		print_domains(l, &out);
		print_events(l, &out);
		print_limits(l, &out);
	}
	ret = out.failed ? -ENOMEM : sink_open(&sink, NULL, SINK_APPEND, true);
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
		code = source_scan(&source, false, &snapshot);
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

// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/bench.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const char *const figure_names[FIGURES] = {
	[FIGURE_CYCLES] = "cycles",
	[FIGURE_INSTRUCTIONS] = "instructions",
	[FIGURE_TASK_CLOCK] = "task_clock_ns",
	[FIGURE_TSC] = "tsc",
	[FIGURE_WALL] = "wall_ns",
	[FIGURE_SWITCHES] = "switches",
	[FIGURE_MIGRATIONS] = "migrations",
	[FIGURE_CONTEXT_SWITCHES] = "context_switches",
	[FIGURE_THREAD_CPU] = "thread_cpu_ns",
	[FIGURE_SYSTEM_CYCLES] = "system_cycles",
};

static const char *const kind_names[] = {
	[CELL_LOCAL] = "local",
	[CELL_REMOTE_SAME] = "remote-same-package",
	[CELL_REMOTE_OTHER] = "remote-other-package",
	[CELL_DRY] = "dry",
};

static const char *const toggle_names[] = {
	[TOGGLE_NONE] = NULL,
	[TOGGLE_OFF] = "off",
	[TOGGLE_ON] = "on",
};

const char *figure_name(enum figure figure)
{
	return figure_names[figure];
}

const char *cell_kind_name(enum cell_kind kind)
{
	return kind_names[kind];
}

const char *cell_toggle_name(enum cell_toggle toggle)
{
	return toggle_names[toggle];
}

static size_t count_groups(const struct mbmcat_plan *plan)
{
	size_t n = mbmcat_snapshot_groups(mbmcat_plan_snapshot(plan)), count = 0;
	bool *seen = calloc(n + 1, sizeof(*seen));

	if (!seen)
		return 0;
	for (size_t i = 0; i < mbmcat_plan_domains(plan); i++) {
		const struct mbmcat_plan_domain *d = mbmcat_plan_domain(plan, i);

		for (size_t g = 0; g < d->n_groups; g++) {
			count += !seen[d->groups[g]];
			seen[d->groups[g]] = true;
		}
	}
	free(seen);
	return count;
}

static int add_domains(struct bench_result *r, const struct session *s)
{
	const struct topology *topology = s->source->topology;
	const size_t n = mbmcat_plan_domains(s->plan);

	r->domains = calloc(n + 1, sizeof(*r->domains));
	if (!r->domains)
		return -ENOMEM;
	for (; r->n_domains < n; r->n_domains++) {
		const struct mbmcat_domain *d = mbmcat_plan_domain(s->plan, r->n_domains)->domain;
		struct bench_domain *domain = &r->domains[r->n_domains];
		struct place *place = NULL;

		domain->id = d->id;
		domain->sub_id = d->sub_id;
		domain->package = -1;
		domain->resource = strdup(d->resource);
		if (!domain->resource)
			return -ENOMEM;
		if (topology)
			place = place_find(topology, d->resource, d->id, d->sub_id);
		if (place) {
			domain->cpus = place_cpu_list(place);
			domain->package = place_package(topology, place);
		}
		place_free(place);
	}
	return 0;
}

static int add_events(struct bench_result *r, const struct mbmcat_plan *plan)
{
	const size_t n = mbmcat_plan_columns(plan);

	r->events = calloc(n + 1, sizeof(char *));
	if (!r->events)
		return -ENOMEM;
	for (; r->n_events < n; r->n_events++) {
		r->events[r->n_events] = strdup(mbmcat_plan_column(plan, r->n_events)->name);
		if (!r->events[r->n_events])
			return -ENOMEM;
	}
	return 0;
}

int bench_result_init(struct bench_result *r, const struct options *o, const struct session *s)
{
	struct timespec now;
	int ret;

	*r = (struct bench_result){ .options = o, .seed = o->bench.seed };
	snprintf(r->tool, sizeof(r->tool), "%s", mbmcat_version());
	snprintf(r->host, sizeof(r->host), "%s", s->source->host);
	clock_gettime(CLOCK_REALTIME, &now);
	r->time_ns = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
	r->has_rmids = mbmcat_info_number(s->source->ctx, "L3", "num_rmids", &r->num_rmids) == 0;
	r->has_load_before = machine_load(o->sysroot, r->load_before) == 0;
	r->groups = count_groups(s->plan);
	ret = machine_open(&r->machine, o->sysroot);
	if (ret == 0)
		ret = add_domains(r, s);
	if (ret == 0)
		ret = add_events(r, s->plan);
	return ret;
}

void bench_result_free(struct bench_result *r)
{
	machine_free(&r->machine);
	for (size_t i = 0; i < r->n_domains; i++) {
		free(r->domains[i].resource);
		free(r->domains[i].cpus);
	}
	free(r->domains);
	for (size_t i = 0; i < r->n_events; i++)
		free(r->events[i]);
	free(r->events);
	for (size_t i = 0; i < r->n_cells; i++)
		free(r->cells[i].iterations);
	free(r->cells);
	for (size_t i = 0; i < r->n_sweep; i++)
		free(r->sweep[i].iterations);
	free(r->sweep);
	free(r->victims);
	*r = (struct bench_result){ 0 };
}

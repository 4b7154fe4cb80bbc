// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A subset -> slots, domain by domain in the order in which they are read, so that
 * neighbours in the loop are neighbours in the arrays.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/dir.h"
#include "lib/internal.h"

static bool is_used(const struct mbmcat_subset *subset, const struct mbmcat_event *event)
{
	for (size_t d = 0; d < subset->snapshot->n_domains; d++) {
		if (subset->domain[d] &&
		    !strcmp(subset->snapshot->domains[d].pub.resource, event->resource))
			return true;
	}
	return false;
}

static size_t find_column(const struct mbmcat_plan *plan, const char *name)
{
	size_t c = 0;

	while (c < plan->n_columns && strcmp(plan->columns[c]->name, name))
		c++;
	return c;
}

static int compare_columns(const void *a, const void *b)
{
	const struct mbmcat_event *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

/* One per event name, whatever the number of resources that have it. */
static int list_columns(struct mbmcat_plan *plan, const struct mbmcat_subset *subset)
{
	const struct mbmcat_snapshot *snap = subset->snapshot;

	plan->columns = calloc(snap->n_events + 1, sizeof(*plan->columns));
	if (!plan->columns)
		return -ENOMEM;
	for (size_t e = 0; e < snap->n_events; e++) {
		const struct mbmcat_event *event = &snap->events[e];

		if (subset->event[e] && is_used(subset, event) &&
		    find_column(plan, event->name) == plan->n_columns)
			plan->columns[plan->n_columns++] = event;
	}
	if (plan->n_columns)
		qsort(plan->columns, plan->n_columns, sizeof(*plan->columns), compare_columns);
	return 0;
}

static int list_events(const struct mbmcat_plan *plan, const struct mbmcat_subset *subset,
		       struct plan_domain *pd)
{
	const struct mbmcat_snapshot *snap = subset->snapshot;
	uint32_t *events = calloc(snap->n_events + 1, sizeof(*events));

	if (!events)
		return -ENOMEM;
	pd->pub.events = events;
	for (size_t e = 0; e < snap->n_events; e++) {
		if (subset->event[e] && !strcmp(snap->events[e].resource, pd->snap->pub.resource))
			events[pd->pub.n_events++] = (uint32_t)find_column(plan, snap->events[e].name);
	}
	return 0;
}

/* Room for all groups: most domains are in all of them. */
static int make_group_lists(struct mbmcat_plan *plan)
{
	for (size_t i = 0; i < plan->n_domains; i++) {
		plan->domains[i].pub.groups =
			calloc(plan->snapshot->n_groups, sizeof(*plan->domains[i].pub.groups));
		if (!plan->domains[i].pub.groups)
			return -ENOMEM;
	}
	return 0;
}

/* Each group knows its domains, in the same order as the plan has them. */
static void fill_group_lists(struct mbmcat_plan *plan, const struct mbmcat_subset *subset)
{
	const struct mbmcat_snapshot *snap = plan->snapshot;

	for (size_t g = 0; g < snap->n_groups; g++) {
		const struct snap_group *group = &snap->groups[g];
		struct plan_domain *pd = plan->domains, *end = pd + plan->n_domains;

		for (size_t i = 0; i < group->n_domains && subset->group[g]; i++) {
			const struct snap_domain *domain = &snap->domains[group->domains[i]];

			while (pd < end && pd->snap < domain)
				pd++;
			if (pd < end && pd->snap == domain)
				((uint32_t *)pd->pub.groups)[pd->pub.n_groups++] = (uint32_t)g;
		}
	}
}

static int make_slots(struct mbmcat_plan *plan, struct plan_domain *pd)
{
	size_t slots = pd->pub.n_events * pd->pub.n_groups;

	pd->fd = aligned_alloc(CACHE_LINE, (slots * sizeof(int) / CACHE_LINE + 1) * CACHE_LINE);
	if (!pd->fd)
		return -ENOMEM;
	pd->n_slots = slots;
	plan->counters += slots;
	for (size_t i = 0; i < slots; i++)
		pd->fd[i] = FD_REOPEN;
	return 0;
}

static void free_domain(struct plan_domain *pd)
{
	if (pd->fd)
		dir_close_many(pd->fd, pd->n_slots);
	free(pd->fd);
	free(pd->status);
	free((uint32_t *)pd->pub.groups);
	free((uint32_t *)pd->pub.events);
}

/* Domains with none of the events, or in none of the groups, have nothing to read. */
static void drop_empty_domains(struct mbmcat_plan *plan)
{
	size_t kept = 0;

	for (size_t i = 0; i < plan->n_domains; i++) {
		if (plan->domains[i].pub.n_groups && plan->domains[i].pub.n_events)
			plan->domains[kept++] = plan->domains[i];
		else
			free_domain(&plan->domains[i]);
	}
	plan->n_domains = kept;
}

static int lay_out(struct mbmcat_plan *plan, const struct mbmcat_subset *subset)
{
	const struct mbmcat_snapshot *snap = subset->snapshot;

	plan->domains = calloc(snap->n_domains, sizeof(*plan->domains));
	if (!plan->domains || list_columns(plan, subset) < 0)
		return -ENOMEM;
	for (size_t d = 0; d < snap->n_domains; d++) {
		struct plan_domain *pd = &plan->domains[plan->n_domains];

		if (!subset->domain[d])
			continue;
		plan->n_domains++;
		pd->snap = &snap->domains[d];
		pd->pub.domain = &pd->snap->pub;
		if (list_events(plan, subset, pd) < 0)
			return -ENOMEM;
	}
	if (make_group_lists(plan) < 0)
		return -ENOMEM;
	fill_group_lists(plan, subset);
	drop_empty_domains(plan);
	for (size_t i = 0; i < plan->n_domains; i++) {
		if (make_slots(plan, &plan->domains[i]) < 0)
			return -ENOMEM;
	}
	return 0;
}

static void count_reopened(struct mbmcat_plan *plan)
{
	for (size_t d = 0; d < plan->n_domains; d++) {
		for (size_t i = 0; i < plan->domains[d].n_slots; i++)
			plan->reopened += plan->domains[d].fd[i] == FD_REOPEN;
	}
}

static int build(struct mbmcat_ctx *ctx, const struct mbmcat_subset *subset, size_t fds,
		 struct mbmcat_plan *old, const struct mbmcat_sample *last,
		 struct mbmcat_plan **plan)
{
	struct mbmcat_plan *p = calloc(1, sizeof(*p));
	size_t taken = 0;
	int ret;

	if (!p)
		return -ENOMEM;
	p->ctx = ctx;
	p->snapshot = subset->snapshot;
	ret = lay_out(p, subset);
	if (ret == 0 && old)
		ret = carry_files(old, last, p, &taken);
	if (ret == 0)
		ret = plan_open_files(p, fds > taken ? fds - taken : 0);
	if (ret < 0) {
		mbmcat_plan_close(p);
		return ret;
	}
	count_reopened(p);
	*plan = p;
	return 0;
}

int mbmcat_plan_open(struct mbmcat_ctx *ctx, const struct mbmcat_subset *subset, size_t fds,
		     struct mbmcat_plan **plan)
{
	return build(ctx, subset, fds, NULL, NULL, plan);
}

int mbmcat_plan_renew(struct mbmcat_ctx *ctx, const struct mbmcat_subset *subset, size_t fds,
		      struct mbmcat_plan *old, const struct mbmcat_sample *last,
		      struct mbmcat_plan **plan)
{
	return build(ctx, subset, fds, old, last, plan);
}

void mbmcat_plan_close(struct mbmcat_plan *plan)
{
	if (!plan)
		return;
	for (size_t d = 0; d < plan->n_domains; d++)
		free_domain(&plan->domains[d]);
	free(plan->domains);
	free(plan->columns);
	free(plan);
}

size_t mbmcat_plan_domains(const struct mbmcat_plan *plan)
{
	return plan->n_domains;
}

const struct mbmcat_plan_domain *mbmcat_plan_domain(const struct mbmcat_plan *plan, size_t i)
{
	return &plan->domains[i].pub;
}

size_t mbmcat_plan_columns(const struct mbmcat_plan *plan)
{
	return plan->n_columns;
}

const struct mbmcat_event *mbmcat_plan_column(const struct mbmcat_plan *plan, size_t i)
{
	return plan->columns[i];
}

const struct mbmcat_snapshot *mbmcat_plan_snapshot(const struct mbmcat_plan *plan)
{
	return plan->snapshot;
}

size_t mbmcat_plan_counters(const struct mbmcat_plan *plan)
{
	return plan->counters;
}

size_t mbmcat_plan_reopened(const struct mbmcat_plan *plan)
{
	return plan->reopened;
}

size_t mbmcat_plan_held(const struct mbmcat_plan *plan)
{
	size_t held = 0;

	for (size_t d = 0; d < plan->n_domains; d++) {
		for (size_t i = 0; i < plan->domains[d].n_slots; i++)
			held += plan->domains[d].fd[i] >= 0;
	}
	return held;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A subset -> open files, domain by domain in the order in which they are read, so
 * that neighbours in the loop are neighbours in the arrays, in the process's fd
 * table and, mostly, in the kernel's memory.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/dir.h"
#include "lib/internal.h"

bool plan_dir_path(const struct snap_group *group, const struct snap_domain *domain,
		   char path[PATH_SIZE])
{
	return (size_t)snprintf(path, PATH_SIZE, "%s/mon_data/%s", group->path, domain->path) <
	       PATH_SIZE;
}

static const struct snap_group *slot_group(const struct mbmcat_plan *plan,
					   const struct plan_domain *domain, size_t slot)
{
	return &plan->snapshot->groups[domain->pub.groups[slot / domain->pub.n_events]];
}

static const char *slot_event(const struct mbmcat_plan *plan, const struct plan_domain *domain,
			      size_t slot)
{
	return plan->columns[domain->pub.events[slot % domain->pub.n_events]]->name;
}

bool plan_slot_path(const struct mbmcat_plan *plan, const struct plan_domain *domain, size_t slot,
		    char path[PATH_SIZE])
{
	size_t len, room;

	if (!plan_dir_path(slot_group(plan, domain, slot), domain->snap, path))
		return false;
	len = strlen(path);
	room = PATH_SIZE - len;
	return (size_t)snprintf(path + len, room, "/%s", slot_event(plan, domain, slot)) < room;
}

enum mbmcat_status plan_errno_status(const struct mbmcat_plan *plan,
				     const struct plan_domain *domain, size_t slot, int error)
{
	char path[PATH_SIZE];

	switch (error) {
	case ENODEV:
		return MBMCAT_GONE;
	case ENOENT:
		/* The file alone, or all that it was in? */
		if (plan_dir_path(slot_group(plan, domain, slot), domain->snap, path) &&
		    dir_exists(plan->ctx->root_fd, path))
			return MBMCAT_MISSING;
		return MBMCAT_GONE;
	case EACCES:
	case EPERM:
		return MBMCAT_DENIED;
	default:
		return MBMCAT_FAILED;
	}
}

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

static bool group_has(const struct snap_group *group, size_t domain)
{
	for (size_t i = 0; i < group->n_domains; i++) {
		if (group->domains[i] == domain)
			return true;
	}
	return false;
}

static int list_groups(const struct mbmcat_subset *subset, size_t domain, struct plan_domain *pd)
{
	const struct mbmcat_snapshot *snap = subset->snapshot;
	uint32_t *groups = calloc(snap->n_groups + 1, sizeof(*groups));

	if (!groups)
		return -ENOMEM;
	pd->pub.groups = groups;
	for (size_t g = 0; g < snap->n_groups; g++) {
		if (subset->group[g] && group_has(&snap->groups[g], domain))
			groups[pd->pub.n_groups++] = (uint32_t)g;
	}
	return 0;
}

static int lay_out_domain(struct mbmcat_plan *plan, const struct mbmcat_subset *subset, size_t d)
{
	struct plan_domain *pd = &plan->domains[plan->n_domains++];

	pd->snap = &subset->snapshot->domains[d];
	pd->pub.domain = &pd->snap->pub;
	if (list_events(plan, subset, pd) < 0 || list_groups(subset, d, pd) < 0)
		return -ENOMEM;
	pd->n_slots = pd->pub.n_events * pd->pub.n_groups;
	plan->counters += pd->n_slots;
	pd->fd = aligned_alloc(CACHE_LINE,
			       (pd->n_slots * sizeof(int) / CACHE_LINE + 1) * CACHE_LINE);
	if (!pd->fd) {
		pd->n_slots = 0;
		return -ENOMEM;
	}
	for (size_t i = 0; i < pd->n_slots; i++)
		pd->fd[i] = FD_REOPEN;
	return 0;
}

static void free_domain(struct plan_domain *pd)
{
	for (size_t i = 0; i < pd->n_slots; i++) {
		if (pd->fd[i] >= 0)
			close(pd->fd[i]);
	}
	free(pd->fd);
	free(pd->status);
	free((uint32_t *)pd->pub.groups);
	free((uint32_t *)pd->pub.events);
}

static int lay_out(struct mbmcat_plan *plan, const struct mbmcat_subset *subset)
{
	const struct mbmcat_snapshot *snap = subset->snapshot;

	plan->domains = calloc(snap->n_domains, sizeof(*plan->domains));
	if (!plan->domains || list_columns(plan, subset) < 0)
		return -ENOMEM;
	for (size_t d = 0; d < snap->n_domains; d++) {
		if (!subset->domain[d])
			continue;
		if (lay_out_domain(plan, subset, d) < 0)
			return -ENOMEM;
		/* None of its events, or in none of the groups. */
		if (!plan->domains[plan->n_domains - 1].n_slots) {
			free_domain(&plan->domains[--plan->n_domains]);
			plan->domains[plan->n_domains] = (struct plan_domain){ 0 };
		}
	}
	return 0;
}

struct opener {
	struct mbmcat_plan *plan;
	size_t fds;	/* how many more may be opened */
	int *data_fd;	/* mon_data per snapshot group: a short path to its files; or NULL */
};

static int open_slot(const struct opener *opener, const struct plan_domain *pd, size_t slot)
{
	const struct mbmcat_plan *plan = opener->plan;
	uint32_t group = pd->pub.groups[slot / pd->pub.n_events];
	char path[PATH_SIZE];

	if (opener->data_fd && opener->data_fd[group] >= 0) {
		if ((size_t)snprintf(path, sizeof(path), "%s/%s", pd->snap->path,
				     slot_event(plan, pd, slot)) >= sizeof(path))
			return -ENAMETOOLONG;
		return dir_open_file(opener->data_fd[group], path);
	}
	if (!plan_slot_path(plan, pd, slot, path))
		return -ENAMETOOLONG;
	return dir_open_file(plan->ctx->root_fd, path);
}

static int mark_dead(const struct opener *opener, struct plan_domain *pd, size_t slot, int error)
{
	if (!pd->status)
		pd->status = calloc(pd->n_slots, sizeof(*pd->status));
	if (!pd->status)
		return -ENOMEM;
	pd->fd[slot] = FD_DEAD;
	pd->status[slot] = (uint8_t)plan_errno_status(opener->plan, pd, slot, error);
	return 0;
}

static int open_domain(struct opener *opener, struct plan_domain *pd)
{
	for (size_t slot = 0; slot < pd->n_slots && opener->fds; slot++) {
		int fd = open_slot(opener, pd, slot);

		if (fd >= 0) {
			pd->fd[slot] = fd;
			opener->fds--;
		} else if (fd == -EMFILE || fd == -ENFILE) {
			opener->fds = 0;
		} else if (mark_dead(opener, pd, slot, -fd) < 0) {
			return -ENOMEM;
		}
	}
	return 0;
}

/* Only where they take no fd away from a counter. */
static void open_shortcuts(struct opener *opener)
{
	const struct mbmcat_plan *plan = opener->plan;
	const struct mbmcat_snapshot *snap = plan->snapshot;

	if (opener->fds < plan->counters + snap->n_groups)
		return;
	opener->data_fd = calloc(snap->n_groups, sizeof(int));
	for (size_t g = 0; g < snap->n_groups && opener->data_fd; g++) {
		char path[PATH_SIZE];

		opener->data_fd[g] = -1;
		if ((size_t)snprintf(path, sizeof(path), "%s/mon_data", snap->groups[g].path) <
		    sizeof(path))
			opener->data_fd[g] = dir_open(plan->ctx->root_fd, path);
	}
}

static void close_shortcuts(struct opener *opener)
{
	for (size_t g = 0; g < opener->plan->snapshot->n_groups && opener->data_fd; g++) {
		if (opener->data_fd[g] >= 0)
			close(opener->data_fd[g]);
	}
	free(opener->data_fd);
}

static void count_reopened(struct mbmcat_plan *plan)
{
	for (size_t d = 0; d < plan->n_domains; d++) {
		for (size_t i = 0; i < plan->domains[d].n_slots; i++)
			plan->reopened += plan->domains[d].fd[i] == FD_REOPEN;
	}
}

int mbmcat_plan_open(struct mbmcat_ctx *ctx, const struct mbmcat_subset *subset, size_t fds,
		     struct mbmcat_plan **plan)
{
	struct mbmcat_plan *p = calloc(1, sizeof(*p));
	struct opener opener = { .plan = p, .fds = fds };
	int ret;

	if (!p)
		return -ENOMEM;
	p->ctx = ctx;
	p->snapshot = subset->snapshot;
	ret = lay_out(p, subset);
	if (ret == 0)
		open_shortcuts(&opener);
	for (size_t d = 0; d < p->n_domains && ret == 0; d++)
		ret = open_domain(&opener, &p->domains[d]);
	close_shortcuts(&opener);
	if (ret < 0) {
		mbmcat_plan_close(p);
		return ret;
	}
	count_reopened(p);
	*plan = p;
	return 0;
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

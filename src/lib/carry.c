// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * From one plan to the next: which slot is the same counter. A group is the same when
 * its directory has the same inode, whatever its name; a domain and an event when they
 * have the same name.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/internal.h"

#define NOWHERE UINT32_MAX

struct known {
	uint64_t inode;
	uint32_t group;
};

static int compare_known(const void *a, const void *b)
{
	const struct known *x = a, *y = b;

	return (x->inode > y->inode) - (x->inode < y->inode);
}

/* For each group of the new snapshot its index in the old one, or NOWHERE. */
static uint32_t *match_groups(const struct mbmcat_snapshot *old, const struct mbmcat_snapshot *new)
{
	uint32_t *match = calloc(new->n_groups + 1, sizeof(*match));
	cleanup(cleanup_free) struct known *known = calloc(old->n_groups + 1, sizeof(*known));

	if (!match || !known) {
		free(match);
		return NULL;
	}
	for (size_t g = 0; g < old->n_groups; g++)
		known[g] = (struct known){ old->groups[g].pub.inode, (uint32_t)g };
	qsort(known, old->n_groups, sizeof(*known), compare_known);
	for (size_t g = 0; g < new->n_groups; g++) {
		const struct known key = { .inode = new->groups[g].pub.inode };
		const struct known *found =
			bsearch(&key, known, old->n_groups, sizeof(*known), compare_known);

		match[g] = found ? found->group : NOWHERE;
	}
	return match;
}

static bool same_domain(const struct plan_domain *a, const struct plan_domain *b)
{
	return !strcmp(a->snap->pub.resource, b->snap->pub.resource) &&
	       !strcmp(a->snap->path, b->snap->path);
}

static size_t match_domain(const struct mbmcat_plan *old, const struct plan_domain *pd)
{
	size_t d = 0;

	while (d < old->n_domains && !same_domain(&old->domains[d], pd))
		d++;
	return d;
}

/* The index of the same event in a domain of the old plan, or NOWHERE. */
static uint32_t match_event(const struct mbmcat_plan *old, const struct plan_domain *old_pd,
			    const char *name)
{
	for (uint32_t e = 0; e < old_pd->pub.n_events; e++) {
		if (!strcmp(old->columns[old_pd->pub.events[e]]->name, name))
			return e;
	}
	return NOWHERE;
}

/* Where each group of the old snapshot stands in a domain of the old plan. */
static void find_positions(const struct plan_domain *old_pd, size_t n_groups, uint32_t *position)
{
	for (size_t g = 0; g < n_groups; g++)
		position[g] = NOWHERE;
	for (uint32_t i = 0; i < old_pd->pub.n_groups; i++)
		position[old_pd->pub.groups[i]] = i;
}

static void match_slots(struct mbmcat_plan *old, size_t old_d, struct mbmcat_plan *new, size_t d,
			const uint32_t *match, const uint32_t *position, carry_fn same, void *arg)
{
	const struct plan_domain *old_pd = &old->domains[old_d], *pd = &new->domains[d];

	for (size_t e = 0; e < pd->pub.n_events; e++) {
		uint32_t old_e = match_event(old, old_pd, new->columns[pd->pub.events[e]]->name);

		for (size_t i = 0; i < pd->pub.n_groups && old_e != NOWHERE; i++) {
			uint32_t old_g = match[pd->pub.groups[i]];

			if (old_g != NOWHERE && position[old_g] != NOWHERE)
				same(arg, old_d, position[old_g] * old_pd->pub.n_events + old_e, d,
				     i * pd->pub.n_events + e);
		}
	}
}

int carry_each(struct mbmcat_plan *old, struct mbmcat_plan *new, carry_fn same, void *arg)
{
	cleanup(cleanup_free) uint32_t *match = match_groups(old->snapshot, new->snapshot);
	cleanup(cleanup_free) uint32_t *position =
		calloc(old->snapshot->n_groups + 1, sizeof(*position));

	if (!match || !position)
		return -ENOMEM;
	for (size_t d = 0; d < new->n_domains; d++) {
		size_t old_d = match_domain(old, &new->domains[d]);

		if (old_d == old->n_domains)
			continue;
		find_positions(&old->domains[old_d], old->snapshot->n_groups, position);
		match_slots(old, old_d, new, d, match, position, same, arg);
	}
	return 0;
}

struct takeover {
	struct mbmcat_plan *old, *new;
	const struct mbmcat_sample *last;
	size_t taken;
};

static void take_fd(void *arg, size_t old_d, size_t old_slot, size_t d, size_t slot)
{
	struct takeover *t = arg;
	int *fd = &t->old->domains[old_d].fd[old_slot];

	/* What is gone stays gone for this file, even if its name is back. */
	if (*fd < 0 || t->last->passes[old_d]->status[old_slot] == MBMCAT_GONE)
		return;
	t->new->domains[d].fd[slot] = *fd;
	*fd = FD_DEAD;
	t->taken++;
}

int carry_files(struct mbmcat_plan *old, const struct mbmcat_sample *last, struct mbmcat_plan *new,
		size_t *taken)
{
	struct takeover t = { .old = old, .new = new, .last = last };
	int ret = carry_each(old, new, take_fd, &t);

	for (size_t d = 0; d < old->n_domains; d++) {
		struct plan_domain *pd = &old->domains[d];

		for (size_t i = 0; i < pd->n_slots; i++) {
			if (pd->fd[i] >= 0)
				close(pd->fd[i]);
			pd->fd[i] = FD_DEAD;
		}
	}
	*taken = t.taken;
	return ret;
}

struct values {
	const struct mbmcat_sample *from;
	struct mbmcat_sample *to;
};

static void take_value(void *arg, size_t old_d, size_t old_slot, size_t d, size_t slot)
{
	const struct values *v = arg;
	const struct sample_pass *from = v->from->passes[old_d];
	struct sample_pass *to = v->to->passes[d];

	/* Words are of the pass they were read in. */
	if (from->status[old_slot] == MBMCAT_OK) {
		to->value[slot] = from->value[old_slot];
		to->status[slot] = MBMCAT_OK;
	}
	to->pub.start_ns = from->pub.start_ns;
	to->pub.end_ns = from->pub.end_ns;
	to->pub.time_ns = from->pub.time_ns;
}

int mbmcat_sample_carry(struct mbmcat_plan *old, const struct mbmcat_sample *from,
			struct mbmcat_plan *plan, struct mbmcat_sample *to)
{
	struct values values = { .from = from, .to = to };

	return carry_each(old, plan, take_value, &values);
}

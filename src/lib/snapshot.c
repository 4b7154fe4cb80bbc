// SPDX-License-Identifier: LGPL-2.1-or-later
#include "lib/snapshot.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for one more: arrays grow by doubling, at powers of two. */
static int grow(void *array, size_t count, size_t size)
{
	void **p = array;
	void *bigger;

	if (count & (count - 1))
		return 0;
	bigger = reallocarray(*p, count ? count * 2 : 1, size);
	if (!bigger)
		return -ENOMEM;
	*p = bigger;
	return 0;
}

static void free_group(struct snap_group *group)
{
	free((char *)group->pub.ctrl_group);
	free((char *)group->pub.mon_group);
	free((char *)group->pub.mode);
	free(group->path);
	free(group->domains);
}

static char *group_path(const char *ctrl_group, const char *mon_group)
{
	char *path;
	int len;

	if (*mon_group)
		len = asprintf(&path, "%s%smon_groups/%s", ctrl_group, *ctrl_group ? "/" : "",
			       mon_group);
	else
		len = asprintf(&path, "%s", *ctrl_group ? ctrl_group : ".");
	return len < 0 ? NULL : path;
}

int snapshot_add_group(struct mbmcat_snapshot *snap, const char *ctrl_group, const char *mon_group,
		       const char *mode, uint64_t inode, size_t *i)
{
	struct snap_group *group;

	if (grow(&snap->groups, snap->n_groups, sizeof(*snap->groups)) < 0)
		return -ENOMEM;
	group = &snap->groups[snap->n_groups];
	*group = (struct snap_group){
		.pub.ctrl_group = strdup(ctrl_group),
		.pub.mon_group = strdup(mon_group),
		.pub.mode = strdup(mode),
		.pub.pseudo_locked = !strncmp(mode, "pseudo-lock", 11),
		.pub.inode = inode,
		.path = group_path(ctrl_group, mon_group),
	};
	if (!group->pub.ctrl_group || !group->pub.mon_group || !group->pub.mode || !group->path) {
		free_group(group);
		return -ENOMEM;
	}
	*i = snap->n_groups++;
	return 0;
}

void snapshot_drop_last_group(struct mbmcat_snapshot *snap)
{
	free_group(&snap->groups[--snap->n_groups]);
}

static int add_domain(struct mbmcat_snapshot *snap, char *resource, char *path,
		      struct snap_domain domain, size_t *i)
{
	if (!resource || !path || grow(&snap->domains, snap->n_domains, sizeof(domain)) < 0) {
		free(resource);
		free(path);
		return -ENOMEM;
	}
	domain.pub.resource = resource;
	domain.path = path;
	*i = snap->n_domains;
	snap->domains[snap->n_domains++] = domain;
	return 0;
}

int snapshot_add_domain(struct mbmcat_snapshot *snap, const char *resource, size_t resource_len,
			uint64_t id, const char *name, size_t *i)
{
	return add_domain(snap, strndup(resource, resource_len), strdup(name),
			  (struct snap_domain){ .pub.id = id,
						.pub.sub_id = MBMCAT_NO_SUB,
						.parent = SIZE_MAX },
			  i);
}

int snapshot_add_cluster(struct mbmcat_snapshot *snap, size_t parent, int64_t id, const char *name)
{
	const struct snap_domain *whole = &snap->domains[parent];
	char *path;
	size_t i;

	if (asprintf(&path, "%s/%s", whole->path, name) < 0)
		return -ENOMEM;
	snap->domains[parent].pub.is_sum = true;
	return add_domain(
		snap, strdup(whole->pub.resource), path,
		(struct snap_domain){ .pub.id = whole->pub.id, .pub.sub_id = id, .parent = parent },
		&i);
}

/* Of the events that are known, the one that is no counter. */
static bool is_counter(const char *name)
{
	return strcmp(name, "llc_occupancy") != 0;
}

int snapshot_add_event(struct mbmcat_snapshot *snap, const char *resource, const char *name,
		       size_t name_len, bool in_files, bool in_features)
{
	struct mbmcat_event *event;

	for (size_t i = 0; i < snap->n_events; i++) {
		event = &snap->events[i];
		if (!strcmp(event->resource, resource) && strlen(event->name) == name_len &&
		    !memcmp(event->name, name, name_len)) {
			event->in_files |= in_files;
			event->in_features |= in_features;
			return 0;
		}
	}
	if (grow(&snap->events, snap->n_events, sizeof(*event)) < 0)
		return -ENOMEM;
	event = &snap->events[snap->n_events];
	*event = (struct mbmcat_event){
		.resource = strdup(resource),
		.name = strndup(name, name_len),
		.in_files = in_files,
		.in_features = in_features,
	};
	if (!event->resource || !event->name) {
		free((char *)event->resource);
		free((char *)event->name);
		return -ENOMEM;
	}
	event->is_counter = is_counter(event->name);
	snap->n_events++;
	return 0;
}

int snapshot_add_presence(struct mbmcat_snapshot *snap, size_t group, size_t domain)
{
	struct snap_group *g = &snap->groups[group];

	if (grow(&g->domains, g->n_domains, sizeof(*g->domains)) < 0)
		return -ENOMEM;
	g->domains[g->n_domains++] = (uint32_t)domain;
	return 0;
}

size_t snapshot_find_domain(const struct mbmcat_snapshot *snap, const char *name, size_t hint)
{
	for (size_t n = 0; n < snap->n_domains; n++) {
		size_t i = (hint + n) % snap->n_domains;

		if (snap->domains[i].parent == SIZE_MAX && !strcmp(snap->domains[i].path, name))
			return i;
	}
	return SIZE_MAX;
}

static int compare_groups(const void *a, const void *b)
{
	const struct snap_group *x = a, *y = b;
	int ctrl = strcmp(x->pub.ctrl_group, y->pub.ctrl_group);

	return ctrl ? ctrl : strcmp(x->pub.mon_group, y->pub.mon_group);
}

static int compare_events(const void *a, const void *b)
{
	const struct mbmcat_event *x = a, *y = b;
	int resource = strcmp(x->resource, y->resource);

	return resource ? resource : strcmp(x->name, y->name);
}

static int compare_domains(const void *a, const void *b, void *arg)
{
	const struct snap_domain *domains = arg;
	const struct snap_domain *x = &domains[*(const uint32_t *)a];
	const struct snap_domain *y = &domains[*(const uint32_t *)b];
	int resource = strcmp(x->pub.resource, y->pub.resource);

	if (resource)
		return resource;
	if (x->pub.id != y->pub.id)
		return x->pub.id < y->pub.id ? -1 : 1;
	if (x->pub.sub_id != y->pub.sub_id)
		return x->pub.sub_id < y->pub.sub_id ? -1 : 1;
	/* mon_L3_1 beside mon_L3_01: not the kernel's doing, but some order. */
	return strcmp(x->path, y->path);
}

/* Renumber and sort the domains of a group; @here has room for all, and is all false. */
static void sort_presence(struct snap_group *group, const uint32_t *place, bool *here, size_t n)
{
	size_t left = 0;

	for (size_t i = 0; i < group->n_domains; i++)
		here[place[group->domains[i]]] = true;
	for (size_t d = 0; d < n && left < group->n_domains; d++) {
		if (here[d])
			group->domains[left++] = (uint32_t)d;
		here[d] = false;
	}
	/* A directory that was listed while it changed may name one twice. */
	group->n_domains = left;
}

/* Clusters are where their sum is. */
static int spread_presence(struct mbmcat_snapshot *snap)
{
	for (size_t g = 0; g < snap->n_groups; g++) {
		size_t own = snap->groups[g].n_domains;

		for (size_t d = 0; d < snap->n_domains; d++) {
			if (snap->domains[d].parent == SIZE_MAX)
				continue;
			for (size_t i = 0; i < own; i++) {
				if (snap->groups[g].domains[i] == snap->domains[d].parent &&
				    snapshot_add_presence(snap, g, d) < 0)
					return -ENOMEM;
			}
		}
	}
	return 0;
}

static int sort_domains(struct mbmcat_snapshot *snap)
{
	size_t n = snap->n_domains;
	cleanup(cleanup_free) uint32_t *order = calloc(n + 1, sizeof(*order));
	cleanup(cleanup_free) uint32_t *place = calloc(n + 1, sizeof(*place));
	cleanup(cleanup_free) bool *here = calloc(n + 1, sizeof(*here));
	struct snap_domain *sorted = calloc(n + 1, sizeof(*sorted));

	if (!order || !place || !here || !sorted) {
		free(sorted);
		return -ENOMEM;
	}
	for (size_t i = 0; i < n; i++)
		order[i] = (uint32_t)i;
	qsort_r(order, n, sizeof(*order), compare_domains, snap->domains);
	for (size_t i = 0; i < n; i++)
		place[order[i]] = (uint32_t)i;
	for (size_t i = 0; i < n; i++) {
		sorted[i] = snap->domains[order[i]];
		if (sorted[i].parent != SIZE_MAX)
			sorted[i].parent = place[sorted[i].parent];
	}
	free(snap->domains);
	snap->domains = sorted;
	for (size_t g = 0; g < snap->n_groups; g++)
		sort_presence(&snap->groups[g], place, here, n);
	return 0;
}

int snapshot_finish(struct mbmcat_snapshot *snap)
{
	if (spread_presence(snap) < 0 || sort_domains(snap) < 0)
		return -ENOMEM;
	if (snap->n_groups)
		qsort(snap->groups, snap->n_groups, sizeof(*snap->groups), compare_groups);
	return 0;
}

void snapshot_sort_events(struct mbmcat_snapshot *snap)
{
	if (snap->n_events)
		qsort(snap->events, snap->n_events, sizeof(*snap->events), compare_events);
}

void mbmcat_snapshot_free(struct mbmcat_snapshot *snap)
{
	if (!snap)
		return;
	for (size_t i = 0; i < snap->n_groups; i++)
		free_group(&snap->groups[i]);
	for (size_t i = 0; i < snap->n_domains; i++) {
		free((char *)snap->domains[i].pub.resource);
		free(snap->domains[i].path);
	}
	for (size_t i = 0; i < snap->n_events; i++) {
		free((char *)snap->events[i].resource);
		free((char *)snap->events[i].name);
	}
	free(snap->groups);
	free(snap->domains);
	free(snap->events);
	free(snap);
}

size_t mbmcat_snapshot_groups(const struct mbmcat_snapshot *snap)
{
	return snap->n_groups;
}

size_t mbmcat_snapshot_domains(const struct mbmcat_snapshot *snap)
{
	return snap->n_domains;
}

size_t mbmcat_snapshot_events(const struct mbmcat_snapshot *snap)
{
	return snap->n_events;
}

const struct mbmcat_group *mbmcat_snapshot_group(const struct mbmcat_snapshot *snap, size_t i)
{
	return &snap->groups[i].pub;
}

const struct mbmcat_domain *mbmcat_snapshot_domain(const struct mbmcat_snapshot *snap, size_t i)
{
	return &snap->domains[i].pub;
}

const struct mbmcat_event *mbmcat_snapshot_event(const struct mbmcat_snapshot *snap, size_t i)
{
	return &snap->events[i];
}

size_t mbmcat_snapshot_omitted(const struct mbmcat_snapshot *snap)
{
	return snap->omitted;
}

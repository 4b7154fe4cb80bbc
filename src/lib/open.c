// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The files of a plan, opened in the order in which they are read: neighbours in the
 * process's fd table and, mostly, in the kernel's memory.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/dir.h"
#include "lib/internal.h"

/* Append "/NAME", or NAME at the start; the new length, or SIZE_MAX when it does not fit.
 * Once per counter, which is too often for printf. */
static size_t add_name(char path[PATH_SIZE], size_t len, const char *name)
{
	size_t name_len = strlen(name);

	if (len == SIZE_MAX || len + name_len + 2 > PATH_SIZE)
		return SIZE_MAX;
	if (len)
		path[len++] = '/';
	memcpy(path + len, name, name_len + 1);
	return len + name_len;
}

static size_t add_dir(const struct snap_group *group, const struct snap_domain *domain,
		      char path[PATH_SIZE])
{
	return add_name(path, add_name(path, add_name(path, 0, group->path), "mon_data"),
			domain->path);
}

bool plan_dir_path(const struct snap_group *group, const struct snap_domain *domain,
		   char path[PATH_SIZE])
{
	return add_dir(group, domain, path) != SIZE_MAX;
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
	size_t len = add_dir(slot_group(plan, domain, slot), domain->snap, path);

	return add_name(path, len, slot_event(plan, domain, slot)) != SIZE_MAX;
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

struct opener {
	struct mbmcat_plan *plan;
	size_t fds;	/* how many more may be opened */
	int *data_fd;	/* mon_data per snapshot group: a short path to its files; or NULL */
	char path[PATH_SIZE]; /* from there, begun with the domain's directory */
	size_t dir_len;
};

static int open_slot(struct opener *opener, const struct plan_domain *pd, size_t slot)
{
	const struct mbmcat_plan *plan = opener->plan;
	uint32_t group = pd->pub.groups[slot / pd->pub.n_events];
	char path[PATH_SIZE];

	if (opener->data_fd && opener->data_fd[group] >= 0) {
		if (add_name(opener->path, opener->dir_len, slot_event(plan, pd, slot)) == SIZE_MAX)
			return -ENAMETOOLONG;
		return dir_open_file(opener->data_fd[group], opener->path);
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
	opener->dir_len = add_name(opener->path, 0, pd->snap->path);
	for (size_t slot = 0; slot < pd->n_slots && opener->fds; slot++) {
		int fd;

		/* Taken over from the plan before. */
		if (pd->fd[slot] >= 0)
			continue;
		fd = open_slot(opener, pd, slot);

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

static size_t count_unopened(const struct mbmcat_plan *plan)
{
	size_t n = 0;

	for (size_t d = 0; d < plan->n_domains; d++) {
		for (size_t i = 0; i < plan->domains[d].n_slots; i++)
			n += plan->domains[d].fd[i] < 0;
	}
	return n;
}

/* Only where they take no fd away from a counter, and where there is much to open. */
static void open_shortcuts(struct opener *opener)
{
	const struct mbmcat_plan *plan = opener->plan;
	const struct mbmcat_snapshot *snap = plan->snapshot;
	size_t unopened = count_unopened(plan);

	if (opener->fds < unopened + snap->n_groups || unopened < 4 * snap->n_groups)
		return;
	opener->data_fd = calloc(snap->n_groups, sizeof(int));
	for (size_t g = 0; g < snap->n_groups && opener->data_fd; g++) {
		char path[PATH_SIZE];

		opener->data_fd[g] = -1;
		if (add_name(path, add_name(path, 0, snap->groups[g].path), "mon_data") !=
		    SIZE_MAX)
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

int plan_open_files(struct mbmcat_plan *plan, size_t fds)
{
	struct opener opener = { .plan = plan, .fds = fds };
	int ret = 0;

	open_shortcuts(&opener);
	for (size_t d = 0; d < plan->n_domains && ret == 0; d++)
		ret = open_domain(&opener, &plan->domains[d]);
	close_shortcuts(&opener);
	return ret;
}

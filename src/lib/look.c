// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Small looks at the tree, beside the walk through all of it.
 */
#include <errno.h>
#include <stdio.h>

#include "lib/dir.h"
#include "lib/internal.h"
#include "lib/parse.h"
#include "lib/snapshot.h"

struct domain_count {
	const struct mbmcat_snapshot *snap;
	size_t known, hint;
	bool unknown;
};

static int count_domain(void *arg, const char *name, enum dir_kind kind)
{
	struct domain_count *count = arg;
	const char *resource;
	size_t resource_len, i;
	uint64_t id;

	if (kind != DIR_KIND_DIR || !parse_domain_name(name, &resource, &resource_len, &id))
		return 0;
	i = snapshot_find_domain(count->snap, name, count->hint);
	if (i == SIZE_MAX) {
		count->unknown = true;
		return 0;
	}
	count->known++;
	count->hint = i + 1;
	return 0;
}

bool mbmcat_domains_changed(struct mbmcat_ctx *ctx, const struct mbmcat_snapshot *snap)
{
	cleanup(cleanup_fd) int fd = dir_open(ctx->root_fd, "mon_data");
	struct domain_count count = { .snap = snap };
	const struct snap_group *root = &snap->groups[0];
	size_t here = 0;

	/* The default group is the first, if it could be looked at. */
	if (fd < 0 || !snap->n_groups || *root->pub.ctrl_group || *root->pub.mon_group ||
	    dir_list(fd, count_domain, &count) < 0)
		return false;
	for (size_t i = 0; i < root->n_domains; i++)
		here += snap->domains[root->domains[i]].parent == SIZE_MAX;
	return count.unknown || count.known != here;
}

int mbmcat_group_tasks(struct mbmcat_ctx *ctx, const struct mbmcat_group *group, uint64_t *tasks)
{
	const struct snap_group *g = (const struct snap_group *)group;
	char path[PATH_SIZE];

	if ((size_t)snprintf(path, sizeof(path), "%s/tasks", g->path) >= sizeof(path))
		return -ENAMETOOLONG;
	return dir_count_lines(ctx->root_fd, path, tasks);
}

int mbmcat_info_number(struct mbmcat_ctx *ctx, const char *resource, const char *name,
		       uint64_t *number)
{
	char path[PATH_SIZE], text[COUNT_TEXT_SIZE + 1], word[MBMCAT_WORD_SIZE];
	ssize_t len;

	if ((size_t)snprintf(path, sizeof(path), "info/%s_MON/%s", resource, name) >= sizeof(path))
		return -ENAMETOOLONG;
	len = dir_read_file(ctx->root_fd, path, text, sizeof(text));
	if (len < 0)
		return (int)len;
	return parse_count(text, (size_t)len, number, word) == MBMCAT_OK ? 0 : -EINVAL;
}

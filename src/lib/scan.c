// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Walk the mount point once. Every group's mon_data is listed, since a domain may
 * be in some groups only; what a domain's directory holds is the same for all
 * groups and is looked at once: 8000 listings less on a large machine.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/dir.h"
#include "lib/internal.h"
#include "lib/parse.h"
#include "lib/snapshot.h"

#define LOCK_PATIENCE_MS 2000

struct scan {
	struct mbmcat_ctx *ctx;
	struct mbmcat_snapshot *snap;
	size_t without_data; /* groups that have no mon_data */
};

struct names {
	char **name;
	size_t n;
};

static void free_names(struct names *names)
{
	for (size_t i = 0; i < names->n; i++)
		free(names->name[i]);
	free(names->name);
}

/* What else is a directory beside the control groups, in the mount point alone. */
static bool is_reserved(const char *name)
{
	return !strcmp(name, "info") || !strcmp(name, "mon_groups") || !strcmp(name, "mon_data");
}

static int collect_name(void *arg, const char *name, enum dir_kind kind)
{
	struct names *names = arg;
	char **bigger;

	if (kind != DIR_KIND_DIR)
		return 0;
	bigger = reallocarray(names->name, names->n + 1, sizeof(*bigger));
	if (!bigger)
		return -ENOMEM;
	names->name = bigger;
	bigger[names->n] = strdup(name);
	if (!bigger[names->n])
		return -ENOMEM;
	names->n++;
	return 0;
}

/*
 * What an error at something below the mount point means for the scan: it vanished
 * (fine), it can't be looked at (left out and counted), or the scan has to end.
 */
static int excuse(const struct scan *scan, const char *group, const char *what, int error)
{
	switch (error) {
	case -ENOMEM:
	case -EMFILE:
	case -ENFILE:
		return error;
	case -ENOENT:
	case -ENODEV:
		ctx_log(scan->ctx, MBMCAT_LOG_INFO, "%s of group \"%s\" is not there", what, group);
		return 0;
	default:
		scan->snap->omitted++;
		ctx_log(scan->ctx, MBMCAT_LOG_WARNING,
			"can't look at %s of group \"%s\": %s; it is left out", what, group,
			strerror(-error));
		return 0;
	}
}

struct domain_scan {
	const struct scan *scan;
	size_t domain;
};

static int found_in_domain(void *arg, const char *name, enum dir_kind kind)
{
	const struct domain_scan *ds = arg;
	struct mbmcat_snapshot *snap = ds->scan->snap;
	const char *resource = snap->domains[ds->domain].pub.resource;
	int64_t cluster;

	if (kind == DIR_KIND_FILE && parse_event_name(name))
		return snapshot_add_event(snap, resource, name, strlen(name), true, false);
	if (kind == DIR_KIND_DIR && parse_cluster_name(name, resource, &cluster))
		return snapshot_add_cluster(snap, ds->domain, cluster, name);
	ctx_log(ds->scan->ctx, MBMCAT_LOG_INFO, "%s/%s is nothing known here; left alone",
		snap->domains[ds->domain].path, name);
	return 0;
}

struct data_scan {
	const struct scan *scan;
	size_t group;
	int fd; /* the group's mon_data */
	size_t hint;
};

static int scan_new_domain(const struct data_scan *ds, const char *name, size_t *i)
{
	struct domain_scan inner = { .scan = ds->scan };
	const char *resource;
	size_t resource_len;
	uint64_t id;
	int fd, ret;

	if (!parse_domain_name(name, &resource, &resource_len, &id)) {
		ctx_log(ds->scan->ctx, MBMCAT_LOG_INFO, "mon_data/%s is no domain's name; left alone",
			name);
		return 0;
	}
	fd = dir_open(ds->fd, name);
	if (fd < 0)
		return excuse(ds->scan, ds->scan->snap->groups[ds->group].path, name, fd);
	ret = snapshot_add_domain(ds->scan->snap, resource, resource_len, id, name, i);
	inner.domain = *i;
	if (ret == 0)
		ret = dir_list(fd, found_in_domain, &inner);
	close(fd);
	return ret;
}

static int found_in_mon_data(void *arg, const char *name, enum dir_kind kind)
{
	struct data_scan *ds = arg;
	size_t i = snapshot_find_domain(ds->scan->snap, name, ds->hint);
	int ret;

	if (kind != DIR_KIND_DIR)
		return 0;
	if (i == SIZE_MAX) {
		ret = scan_new_domain(ds, name, &i);
		if (ret < 0 || i == SIZE_MAX)
			return ret;
	}
	ds->hint = i + 1;
	return snapshot_add_presence(ds->scan->snap, ds->group, i);
}

static void read_mode(int group_fd, char *mode, size_t size)
{
	if (dir_read_file(group_fd, "mode", mode, size) < 0)
		mode[0] = '\0';
	mode[strcspn(mode, "\n")] = '\0';
}

/* One group; @fd is its directory. */
static int scan_group(struct scan *scan, int fd, const char *ctrl_group,
		      const char *mon_group, const char *mode)
{
	struct data_scan ds = { .scan = scan };
	const char *name = *mon_group ? mon_group : ctrl_group;
	uint64_t inode;
	int ret;

	ret = dir_inode(fd, &inode);
	if (ret < 0)
		return excuse(scan, name, "the directory", ret);
	ret = snapshot_add_group(scan->snap, ctrl_group, mon_group, mode, inode, &ds.group);
	if (ret < 0)
		return ret;
	ds.fd = dir_open(fd, "mon_data");
	ret = ds.fd;
	if (ret >= 0) {
		ret = dir_list(ds.fd, found_in_mon_data, &ds);
		close(ds.fd);
	}
	if ((ret == -ENOENT || ret == -ENODEV) &&
	    !dir_exists(scan->ctx->root_fd, scan->snap->groups[ds.group].path)) {
		snapshot_drop_last_group(scan->snap);
		ctx_log(scan->ctx, MBMCAT_LOG_INFO, "group \"%s\" left while it was looked at",
			name);
		return 0;
	}
	if (ret == -ENOENT) {
		scan->without_data++;
		return 0;
	}
	return ret < 0 ? excuse(scan, name, "mon_data", ret) : 0;
}

static int scan_mon_groups(struct scan *scan, int ctrl_fd, const char *ctrl_group,
			   const char *mode)
{
	cleanup(free_names) struct names names = { 0 };
	cleanup(cleanup_fd) int fd = dir_open(ctrl_fd, "mon_groups");
	int ret;

	if (fd < 0)
		return excuse(scan, ctrl_group, "mon_groups", fd);
	ret = dir_list(fd, collect_name, &names);
	if (ret < 0)
		return excuse(scan, ctrl_group, "mon_groups", ret);
	for (size_t i = 0; i < names.n && ret >= 0; i++) {
		int group_fd = dir_open(fd, names.name[i]);

		if (group_fd < 0) {
			ret = excuse(scan, names.name[i], "the directory", group_fd);
			continue;
		}
		ret = scan_group(scan, group_fd, ctrl_group, names.name[i], mode);
		close(group_fd);
	}
	return ret;
}

static int scan_ctrl_group(struct scan *scan, int fd, const char *ctrl_group)
{
	char mode[32];
	int ret;

	read_mode(fd, mode, sizeof(mode));
	ret = scan_group(scan, fd, ctrl_group, "", mode);
	return ret < 0 ? ret : scan_mon_groups(scan, fd, ctrl_group, mode);
}

static int scan_features(const struct scan *scan)
{
	struct mbmcat_snapshot *snap = scan->snap;

	for (size_t i = 0; i < snap->n_domains; i++) {
		const char *resource = snap->domains[i].pub.resource;
		char path[PATH_SIZE], text[4096];
		const char *next = text, *name;
		size_t len;

		/* Once per resource; they are sorted. */
		if (i && !strcmp(resource, snap->domains[i - 1].pub.resource))
			continue;
		snprintf(path, sizeof(path), "info/%s_MON/mon_features", resource);
		if (dir_read_file(scan->ctx->root_fd, path, text, sizeof(text)) < 0) {
			ctx_log(scan->ctx, MBMCAT_LOG_INFO,
				"%s can't be read; events are those with files", path);
			continue;
		}
		while (parse_next_feature(&next, &name, &len)) {
			if (snapshot_add_event(snap, resource, name, len, false, true) < 0)
				return -ENOMEM;
		}
	}
	return 0;
}

/*
 * An event that the first group of a domain has no file of may still have one in
 * another group. Only what mon_features promises is worth the search.
 */
static void find_file(const struct scan *scan, struct mbmcat_event *event)
{
	const struct mbmcat_snapshot *snap = scan->snap;

	for (size_t g = 0; g < snap->n_groups; g++) {
		const struct snap_group *group = &snap->groups[g];

		for (size_t i = 0; i < group->n_domains; i++) {
			const struct snap_domain *domain = &snap->domains[group->domains[i]];
			char dir[PATH_SIZE], path[PATH_SIZE + 256];

			if (strcmp(domain->pub.resource, event->resource) ||
			    !plan_dir_path(group, domain, dir))
				continue;
			if ((size_t)snprintf(path, sizeof(path), "%s/%s", dir, event->name) <
				    sizeof(path) &&
			    dir_exists(scan->ctx->root_fd, path)) {
				event->in_files = true;
				return;
			}
		}
	}
}

static void find_files(const struct scan *scan)
{
	for (size_t i = 0; i < scan->snap->n_events; i++) {
		if (!scan->snap->events[i].in_files)
			find_file(scan, &scan->snap->events[i]);
	}
}

static int scan_all(struct scan *scan)
{
	cleanup(free_names) struct names names = { 0 };
	int root = scan->ctx->root_fd;
	int ret;

	ret = dir_list(root, collect_name, &names);
	if (ret == -ENOENT || ret == -ENODEV)
		return -ESTALE;
	if (ret < 0)
		return ret;
	ret = scan_ctrl_group(scan, root, "");
	for (size_t i = 0; i < names.n && ret >= 0; i++) {
		int fd;

		if (is_reserved(names.name[i]))
			continue;
		fd = dir_open(root, names.name[i]);
		if (fd < 0) {
			ret = excuse(scan, names.name[i], "the directory", fd);
			continue;
		}
		ret = scan_ctrl_group(scan, fd, names.name[i]);
		close(fd);
	}
	return ret;
}

int mbmcat_scan(struct mbmcat_ctx *ctx, struct mbmcat_snapshot **snapshot)
{
	struct scan scan = { .ctx = ctx };
	int ret;

	scan.snap = calloc(1, sizeof(*scan.snap));
	if (!scan.snap)
		return -ENOMEM;
	if (dir_lock_shared(ctx->root_fd, LOCK_PATIENCE_MS) < 0)
		ctx_log(ctx, MBMCAT_LOG_WARNING,
			"another program keeps the mount point locked; looking at it all the same");
	ret = scan_all(&scan);
	dir_unlock(ctx->root_fd);
	if (ret == 0)
		ret = snapshot_finish(scan.snap);
	if (ret == 0 && !scan.snap->n_domains)
		ret = -ENODATA;
	if (ret == 0 && scan.without_data) {
		scan.snap->omitted += scan.without_data;
		ctx_log(ctx, MBMCAT_LOG_WARNING, "%zu of %zu groups have no mon_data: left out",
			scan.without_data, scan.snap->n_groups);
	}
	if (ret == 0)
		ret = scan_features(&scan);
	if (ret < 0) {
		mbmcat_snapshot_free(scan.snap);
		return ret;
	}
	find_files(&scan);
	snapshot_sort_events(scan.snap);
	*snapshot = scan.snap;
	return 0;
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

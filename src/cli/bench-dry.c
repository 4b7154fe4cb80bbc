// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/bench-dry.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "host/limits.h"

#define SPARE_FDS 64

static int write_file(const char *path)
{
	static const char count[] = "1234567890123\n";
	cleanup(cleanup_fd) int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0400);

	if (fd < 0)
		return -errno;
	if (write(fd, count, sizeof(count) - 1) != (ssize_t)sizeof(count) - 1)
		return errno ? -errno : -ENOSPC;
	return 0;
}

static int make_dir(const char *path)
{
	return mkdir(path, 0700) < 0 && errno != EEXIST ? -errno : 0;
}

/* <dir>/mon_data/mon_L3_00/<event>... */
static int make_group(const char *dir, const struct mbmcat_plan *like,
		      const struct mbmcat_plan_domain *domain)
{
	char path[PATH_MAX];
	int ret;

	snprintf(path, sizeof(path), "%.3000s/mon_data", dir);
	ret = make_dir(path);
	snprintf(path, sizeof(path), "%.3000s/mon_data/mon_L3_00", dir);
	if (ret == 0)
		ret = make_dir(path);
	for (size_t e = 0; ret == 0 && e < domain->n_events; e++) {
		const struct mbmcat_event *event = mbmcat_plan_column(like, domain->events[e]);

		snprintf(path, sizeof(path), "%.3000s/mon_data/mon_L3_00/%.255s", dir, event->name);
		ret = write_file(path);
	}
	return ret;
}

static int make_tree(const char *root, const struct mbmcat_plan *like,
		     const struct mbmcat_plan_domain *domain)
{
	char path[PATH_MAX];
	int ret;

	ret = make_group(root, like, domain);
	snprintf(path, sizeof(path), "%.3000s/mon_groups", root);
	if (ret == 0)
		ret = make_dir(path);
	for (size_t g = 1; ret == 0 && g < domain->n_groups; g++) {
		snprintf(path, sizeof(path), "%.3000s/mon_groups/g%zu", root, g);
		ret = make_dir(path);
		if (ret == 0)
			ret = make_group(path, like, domain);
	}
	return ret;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static int hold(struct dry *dry, const char *root, const struct mbmcat_plan *like,
		const struct mbmcat_plan_domain *domain)
{
	struct mbmcat_wish *wish = mbmcat_wish_new();
	struct mbmcat_subset *subset = NULL;
	int ret;

	if (!wish)
		return -ENOMEM;
	ret = mbmcat_ctx_open(&dry->ctx, root, MBMCAT_OPEN_ANY);
	if (ret == 0)
		ret = mbmcat_scan(dry->ctx, &dry->snapshot);
	for (size_t e = 0; ret == 0 && e < domain->n_events; e++)
		ret = mbmcat_wish_event(wish, mbmcat_plan_column(like, domain->events[e])->name);
	if (ret == 0)
		ret = mbmcat_select(dry->snapshot, wish, &subset, NULL);
	if (ret == 0)
		ret = mbmcat_plan_open(dry->ctx, subset, limits_raise_fds(SPARE_FDS), &dry->plan);
	if (ret == 0 && mbmcat_plan_reopened(dry->plan))
		ret = -EMFILE;
	if (ret == 0)
		ret = mbmcat_sample_new(dry->plan, &dry->sample);
	mbmcat_subset_free(subset);
	mbmcat_wish_free(wish);
	return ret;
}

static int make_root(char path[PATH_MAX])
{
	const char *const places[] = { "/dev/shm", getenv("TMPDIR"), "/tmp" };
	int ret = -ENOENT;

	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		if (!places[i] || (size_t)snprintf(path, PATH_MAX, "%.2900s/mbmcat-dry-XXXXXX",
						   places[i]) >= PATH_MAX)
			continue;
		if (mkdtemp(path))
			return 0;
		ret = -errno;
	}
	return ret;
}

int dry_open(struct dry *dry, const struct mbmcat_plan *like, size_t i)
{
	const struct mbmcat_plan_domain *domain = mbmcat_plan_domain(like, i);
	char root[PATH_MAX];
	int ret;

	*dry = (struct dry){ 0 };
	ret = make_root(root);
	if (ret < 0)
		return ret;
	ret = make_tree(root, like, domain);
	if (ret == 0)
		ret = hold(dry, root, like, domain);
	nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	if (ret < 0)
		dry_close(dry);
	return ret;
}

void dry_close(struct dry *dry)
{
	mbmcat_sample_free(dry->sample);
	mbmcat_plan_close(dry->plan);
	mbmcat_snapshot_free(dry->snapshot);
	mbmcat_ctx_close(dry->ctx);
	*dry = (struct dry){ 0 };
}

// SPDX-License-Identifier: LGPL-2.1-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "lib/internal.h"

#define CHANGES (IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ONLYDIR)

struct mbmcat_watch {
	struct mbmcat_ctx *ctx;
	int fd;
	int highest; /* watch descriptor: they are given out in order */
};

int mbmcat_watch_new(struct mbmcat_ctx *ctx, struct mbmcat_watch **watch)
{
	struct mbmcat_watch *w = calloc(1, sizeof(*w));

	if (!w)
		return -ENOMEM;
	w->ctx = ctx;
	w->fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (w->fd < 0) {
		int ret = -errno;

		free(w);
		return ret;
	}
	*watch = w;
	return 0;
}

void mbmcat_watch_free(struct mbmcat_watch *watch)
{
	if (!watch)
		return;
	close(watch->fd);
	free(watch);
}

/* 1 when the directory was not watched before. inotify takes no directory fd, so
 * the path goes through /proc. */
static int add(struct mbmcat_watch *watch, const char *group, const char *below)
{
	char path[PATH_SIZE + 64];
	int wd;

	if ((size_t)snprintf(path, sizeof(path), "/proc/self/fd/%d/%s/%s", watch->ctx->root_fd,
			     group, below) >= sizeof(path))
		return -ENAMETOOLONG;
	wd = inotify_add_watch(watch->fd, path, CHANGES);
	if (wd < 0)
		return errno == ENOENT || errno == ENOTDIR ? 0 : -errno;
	if (wd <= watch->highest)
		return 0;
	watch->highest = wd;
	return 1;
}

int mbmcat_watch_add(struct mbmcat_watch *watch, const struct mbmcat_snapshot *snapshot)
{
	int added = add(watch, ".", ".");

	for (size_t i = 0; i < snapshot->n_groups && added >= 0; i++) {
		int ret;

		if (*snapshot->groups[i].pub.mon_group)
			continue;
		ret = add(watch, snapshot->groups[i].path, "mon_groups");
		added = ret < 0 ? ret : added + ret;
	}
	return added;
}

bool mbmcat_watch_changed(struct mbmcat_watch *watch)
{
	char events[4096] __attribute__((aligned(__alignof__(struct inotify_event))));
	bool changed = false;
	ssize_t n;

	while ((n = read(watch->fd, events, sizeof(events))) > 0) {
		for (char *p = events; p < events + n;) {
			const struct inotify_event *event = (const struct inotify_event *)p;

			/* IGNORED alone: the directory went, and its parent says so. */
			changed |= event->mask != IN_IGNORED;
			p += sizeof(*event) + event->len;
		}
	}
	return changed;
}

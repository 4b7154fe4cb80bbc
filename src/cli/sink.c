// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"

/* As many as the kernel follows. */
#define LINKS_MAX 40

struct sink {
	int fd;
	char *path; /* NULL: stdout */
	char *dir;  /* NULL: nothing to be made there later */
	char *temp; /* renamed to path by a commit; NULL: none */
	bool replaces;
	bool empty;
};

static void free_sink(struct sink *sink)
{
	free(sink->path);
	free(sink->dir);
	free(sink->temp);
	free(sink);
}

/* Names of what is open already: to rename a new file over that would lose it. */
static bool is_open_file(const char *path)
{
	return !strncmp(path, "/dev/std", 8) || !strncmp(path, "/dev/fd/", 8) ||
	       !strncmp(path, "/proc/", 6);
}

/* Where a link leads, be anything there or not; a file that is not there yet has its
 * own name. */
static char *resolve(const char *path, unsigned int links)
{
	char *real = is_open_file(path) ? strdup(path) : realpath(path, NULL), *next, *end;
	char target[PATH_MAX];
	ssize_t len;
	struct stat st;

	if (real)
		return real;
	/* Links of /proc lead to what has no name, and can be opened all the same. */
	len = stat(path, &st) < 0 && links ? readlink(path, target, sizeof(target) - 1) : -1;
	if (len < 0)
		return strdup(path);
	target[len] = '\0';
	end = strrchr(path, '/');
	if (asprintf(&next, "%.*s%s", *target != '/' && end ? (int)(end - path + 1) : 0, path,
		     target) < 0)
		return NULL;
	real = resolve(next, links - 1);
	free(next);
	return real;
}

static char *dir_of(const char *path)
{
	cleanup(cleanup_free) char *copy = strdup(path);

	return copy ? strdup(dirname(copy)) : NULL;
}

/* With the rights a new file gets, or those of the file it will replace. */
static int set_mode(int fd, const char *path)
{
	struct stat st;
	mode_t mask;

	if (stat(path, &st) == 0)
		return fchmod(fd, st.st_mode & 0777);
	mask = umask(0);
	umask(mask);
	return fchmod(fd, 0666 & ~mask);
}

static int open_temp(struct sink *sink)
{
	sink->fd = -1;
	if (asprintf(&sink->temp, "%s.mbmcat-XXXXXX", sink->path) < 0) {
		sink->temp = NULL;
		return -ENOMEM;
	}
	sink->fd = mkostemp(sink->temp, O_CLOEXEC);
	if (sink->fd < 0) {
		int ret = -errno;

		free(sink->temp);
		sink->temp = NULL;
		return ret;
	}
	if (set_mode(sink->fd, sink->path) < 0) {
		int ret = -errno;

		unlink(sink->temp);
		free(sink->temp);
		sink->temp = NULL;
		close(sink->fd);
		sink->fd = -1;
		return ret;
	}
	return 0;
}

static int open_append(struct sink *sink)
{
	struct stat st;
	int fd = open(sink->path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);

	if (fd < 0)
		return -errno;
	sink->fd = fd;
	sink->empty = fstat(fd, &st) == 0 && (!S_ISREG(st.st_mode) || st.st_size == 0);
	return 0;
}

static int open_path(struct sink *sink, const char *path, enum sink_mode mode)
{
	struct stat st;
	bool exists;

	sink->path = resolve(path, LINKS_MAX);
	if (!sink->path)
		return -ENOMEM;
	exists = stat(sink->path, &st) == 0;
	if (exists && S_ISDIR(st.st_mode))
		return -EISDIR;
	if (is_open_file(sink->path) || (exists && !S_ISREG(st.st_mode)))
		return open_append(sink);
	sink->dir = dir_of(sink->path);
	if (!sink->dir)
		return -ENOMEM;
	sink->replaces = mode == SINK_REPLACE;
	return sink->replaces ? open_temp(sink) : open_append(sink);
}

int sink_open(struct sink **sink, const char *path, enum sink_mode mode)
{
	struct sink *s = calloc(1, sizeof(*s));
	int ret = 0;

	if (!s)
		return -ENOMEM;
	s->empty = true;
	s->fd = STDOUT_FILENO;
	if (path)
		ret = open_path(s, path, mode);
	if (ret < 0) {
		free_sink(s);
		return ret;
	}
	*sink = s;
	return 0;
}

const char *sink_dir(const struct sink *sink)
{
	return sink->dir;
}

const char *sink_name(const struct sink *sink)
{
	return sink->path ? sink->path : "standard output";
}

bool sink_is_read(const struct sink *sink)
{
	struct stat st;

	return fstat(sink->fd, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISBLK(st.st_mode);
}

bool sink_is_empty(const struct sink *sink)
{
	return sink->empty;
}

static int wait_for_room(int fd)
{
	struct pollfd pollfd = { .fd = fd, .events = POLLOUT };

	return poll(&pollfd, 1, -1) < 0 && errno != EINTR ? -errno : 0;
}

int sink_write(struct sink *sink, const char *bytes, size_t len)
{
	if (sink->replaces && !sink->temp) {
		int ret = open_temp(sink);

		if (ret < 0)
			return ret;
	}
	while (len) {
		ssize_t n = write(sink->fd, bytes, len);

		if (n < 0 && errno == EINTR)
			continue;
		/* Somebody made the pipe non-blocking: it is full, not broken. */
		if (n < 0 && errno == EAGAIN && wait_for_room(sink->fd) == 0)
			continue;
		if (n < 0)
			return -errno;
		bytes += n;
		len -= (size_t)n;
	}
	return 0;
}

int sink_reopen(struct sink *sink)
{
	int old = sink->fd, ret;

	if (!sink->path || sink->replaces)
		return 0;
	ret = open_append(sink);
	if (ret < 0)
		return ret;
	return close(old) < 0 ? -errno : 0;
}

/* A pipe or a terminal can't be synced, and need not be. */
static int flush(int fd)
{
	if (fsync(fd) < 0 && errno != EINVAL && errno != EROFS)
		return -errno;
	return 0;
}

/* The name must last as well as the bytes. */
static int flush_dir(const char *dir)
{
	cleanup(cleanup_fd) int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	/* A directory that may be written but not read is no reason to fail. */
	return fd < 0 ? 0 : flush(fd);
}

/* NFS and quotas report a full disk when a file is closed. */
static int close_fd(struct sink *sink)
{
	int fd = sink->fd;

	sink->fd = -1;
	return fd >= 0 && close(fd) < 0 && errno != EINTR ? -errno : 0;
}

/* The new file goes in any case: to its name, or away. */
static int end_temp(struct sink *sink, bool commit)
{
	int ret = commit ? flush(sink->fd) : 0;
	int closed = close_fd(sink);

	if (ret == 0)
		ret = closed;
	if (commit && ret == 0 && rename(sink->temp, sink->path) < 0)
		ret = -errno;
	if (!commit || ret < 0)
		unlink(sink->temp);
	free(sink->temp);
	sink->temp = NULL;
	return commit && ret == 0 ? flush_dir(sink->dir) : ret;
}

int sink_commit(struct sink *sink)
{
	return sink->temp ? end_temp(sink, true) : 0;
}

int sink_close(struct sink *sink, bool commit)
{
	int ret;

	if (!sink)
		return 0;
	ret = sink->temp ? end_temp(sink, commit) : close_fd(sink);
	free_sink(sink);
	return ret;
}

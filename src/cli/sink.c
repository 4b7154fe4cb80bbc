// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "cli/target.h"

struct sink {
	int fd;
	char *path; /* NULL: stdout */
	char *dir;  /* NULL: nothing to be made there later */
	char *temp; /* renamed to path by a commit; NULL: none */
	int held;   /* SINK_REWRITE: what has the name now, locked; otherwise -1 */
	bool replaces;
	bool lasts; /* for longer than one file: nobody else may write it */
	bool plain; /* appends to a regular file */
	bool empty;
	bool broken; /* appends to a file that did not end with a line's end */
};

static void free_sink(struct sink *sink)
{
	free(sink->path);
	free(sink->dir);
	free(sink->temp);
	cleanup_fd(&sink->held);
	free(sink);
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
	sink->temp = target_temp(sink->path);
	if (!sink->temp)
		return -ENOMEM;
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
	/* Locked before it has the name. */
	return sink->lasts ? target_lock(sink->fd) : 0;
}

/* The last line of who wrote before may have no end: it fell, or the disk was full. */
static bool ends_within_line(const char *path, off_t size)
{
	cleanup(cleanup_fd) int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	char last;

	return size && fd >= 0 && pread(fd, &last, 1, size - 1) == 1 && last != '\n';
}

/* @old: the fd that is open now, or -1. */
static int open_append(struct sink *sink, int old)
{
	cleanup(cleanup_fd) int fd =
		open(sink->path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);
	struct stat st;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) < 0)
		return -errno;
	sink->plain = S_ISREG(st.st_mode);
	/* What is open is the file still, and its lock is held. */
	if (sink->plain && !(old >= 0 && target_same(fd, old)) && target_lock(fd) < 0)
		return -EBUSY;
	sink->empty = !sink->plain || st.st_size == 0;
	sink->broken = sink->plain && ends_within_line(sink->path, st.st_size);
	if (old >= 0 && target_same(fd, old))
		return 0;
	sink->fd = fd;
	fd = -1;
	return old >= 0 && close(old) < 0 ? -errno : 0;
}

/*
 * Doesn't wait for a reader. The first open must be the only one: a reader that saw it end
 * would take that for the end of the data, and go.
 */
static int open_fifo(struct sink *sink)
{
	cleanup(cleanup_fd) int fd = open(sink->path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0 || fcntl(fd, F_SETFL, 0) < 0)
		return -errno;
	sink->fd = fd;
	fd = -1;
	return 0;
}

static int open_path(struct sink *sink, const char *path, enum sink_mode mode, bool patient)
{
	struct stat st;
	bool exists = stat(path, &st) == 0;
	int ret;

	/* A link may be forbidden ground (fs.protected_symlinks), a name too long. */
	if (!exists && errno != ENOENT)
		return -errno;
	sink->path = target_resolve(path);
	if (!sink->path)
		return -ENOMEM;
	exists = stat(sink->path, &st) == 0;
	if (exists && S_ISDIR(st.st_mode))
		return -EISDIR;
	if (exists && S_ISFIFO(st.st_mode) && !patient)
		return open_fifo(sink);
	if (target_is_open_file(sink->path) || (exists && !S_ISREG(st.st_mode)))
		return open_append(sink, -1);
	sink->dir = target_dir(sink->path);
	if (!sink->dir)
		return -ENOMEM;
	if (mode == SINK_APPEND)
		return open_append(sink, -1);
	sink->replaces = true;
	sink->lasts = mode == SINK_REWRITE;
	ret = target_replaceable(sink->path, sink->dir);
	if (ret < 0)
		return ret;
	return target_is_locked(sink->path, -1) ? -EBUSY : open_temp(sink);
}

int sink_open(struct sink **sink, const char *path, enum sink_mode mode, bool patient)
{
	struct sink *s = calloc(1, sizeof(*s));
	int ret = 0;

	if (!s)
		return -ENOMEM;
	s->empty = true;
	s->fd = STDOUT_FILENO;
	s->held = -1;
	if (path)
		ret = open_path(s, path, mode, patient);
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

/* Nobody can ever read what is written to a file without a name. */
static int follow_name(struct sink *sink)
{
	struct stat st;

	if (!sink->plain || !sink->dir || fstat(sink->fd, &st) < 0 || st.st_nlink)
		return 0;
	return open_append(sink, sink->fd);
}

/* A record is there whole or not at all: take back what of it fitted on a full disk. */
static int take_back(const struct sink *sink, size_t written, int error)
{
	struct stat st;

	if (sink->plain && sink->dir && written && fstat(sink->fd, &st) == 0 &&
	    st.st_size >= (off_t)written && ftruncate(sink->fd, st.st_size - (off_t)written) < 0)
		return -errno;
	return error;
}

int sink_write(struct sink *sink, const char *bytes, size_t len)
{
	size_t written = 0;
	int ret = 0;

	if (sink->replaces && !sink->temp)
		ret = open_temp(sink);
	else
		ret = follow_name(sink);
	while (ret == 0 && sink->broken) {
		ssize_t n = write(sink->fd, "\n", 1);

		if (n < 0 && errno != EINTR)
			return -errno;
		sink->broken = n != 1;
	}
	while (ret == 0 && written < len) {
		ssize_t n = write(sink->fd, bytes + written, len - written);

		if (n >= 0)
			written += (size_t)n;
		/* Somebody made the pipe non-blocking: it is full, not broken. */
		else if (errno == EAGAIN)
			ret = wait_for_room(sink->fd);
		else if (errno != EINTR)
			ret = -errno;
	}
	return ret < 0 ? take_back(sink, written, ret) : 0;
}

int sink_reopen(struct sink *sink)
{
	return sink->dir && !sink->replaces ? open_append(sink, sink->fd) : 0;
}

bool sink_begins_with(const struct sink *sink, const char *bytes, size_t len)
{
	return sink->empty || !sink->plain || !sink->dir ||
	       target_begins_with(sink->path, bytes, len);
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

/* The name is ours, unless somebody took it since: then each would lose to the other. */
static int take_name(struct sink *sink)
{
	if (sink->lasts && target_is_locked(sink->path, sink->held))
		return -EBUSY;
	return rename(sink->temp, sink->path) < 0 ? -errno : 0;
}

/* The new file goes in any case: to its name, or away. */
static int end_temp(struct sink *sink, bool commit)
{
	int ret = commit ? flush(sink->fd) : 0;
	int lock = commit && sink->lasts ? fcntl(sink->fd, F_DUPFD_CLOEXEC, 0) : -1;
	int closed = close_fd(sink);

	if (ret == 0)
		ret = closed;
	if (commit && ret == 0)
		ret = take_name(sink);
	if (!commit || ret < 0)
		unlink(sink->temp);
	free(sink->temp);
	sink->temp = NULL;
	if (sink->lasts) {
		cleanup_fd(&sink->held);
		sink->held = lock;
	}
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

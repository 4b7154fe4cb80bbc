// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/target.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"

/* As many as the kernel follows. */
#define LINKS_MAX   40
#define TEMP_SUFFIX ".mbmcat-XXXXXX"

/* To rename a new file over that would lose it. */
bool target_is_open_file(const char *path)
{
	return !strncmp(path, "/dev/std", 8) || !strncmp(path, "/dev/fd/", 8) ||
	       !strncmp(path, "/proc/", 6);
}

static char *resolve(const char *path, unsigned int links)
{
	char *real = target_is_open_file(path) ? strdup(path) : realpath(path, NULL), *next, *end;
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

char *target_resolve(const char *path)
{
	return resolve(path, LINKS_MAX);
}

char *target_dir(const char *path)
{
	cleanup(cleanup_free) char *copy = strdup(path);

	return copy ? strdup(dirname(copy)) : NULL;
}

/* A name that is too long for the suffix loses its end. */
char *target_temp(const char *path)
{
	const char *slash = strrchr(path, '/');
	size_t dir = slash ? (size_t)(slash - path) + 1 : 0, name = strlen(path) - dir;
	const size_t suffix = sizeof(TEMP_SUFFIX) - 1;
	char *temp;

	if (name + suffix > NAME_MAX)
		name = NAME_MAX - suffix;
	if (dir + name + suffix >= PATH_MAX)
		name = name > suffix ? name - suffix : 0;
	if (asprintf(&temp, "%.*s" TEMP_SUFFIX, (int)(dir + name), path) < 0)
		return NULL;
	return temp;
}

int target_replaceable(const char *path, const char *dir)
{
	struct stat file, in;

	if (lstat(path, &file) < 0)
		return errno == ENOENT ? 0 : -errno;
	/* Privileges will be dropped: what root might do, this process won't. */
	if (stat(dir, &in) == 0 && in.st_mode & S_ISVTX && file.st_uid != geteuid() &&
	    in.st_uid != geteuid())
		return -EPERM;
	return 0;
}

/* Of the open file, not of the process: closing another fd of it keeps it. */
int target_lock(int fd)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	if (fcntl(fd, F_OFD_SETLK, &lock) == 0)
		return 0;
	return errno == EAGAIN || errno == EACCES ? -EBUSY : 0;
}

/* Only asks: who just asks is in nobody's way. */
bool target_is_locked(const char *path, int mine)
{
	cleanup(cleanup_fd) int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	struct flock lock = { .l_type = F_RDLCK, .l_whence = SEEK_SET };

	return fd >= 0 && !(mine >= 0 && target_same(fd, mine)) &&
	       fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

bool target_same(int fd, int other_fd)
{
	struct stat a, b;

	return fstat(fd, &a) == 0 && fstat(other_fd, &b) == 0 && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

bool target_begins_with(const char *path, const char *bytes, size_t len)
{
	cleanup(cleanup_fd) int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	cleanup(cleanup_free) char *text = malloc(len + 1);
	ssize_t n;

	if (fd < 0 || !text)
		return true;
	n = pread(fd, text, len, 0);
	return n < 0 || ((size_t)n == len && !memcmp(text, bytes, len));
}

// SPDX-License-Identifier: LGPL-2.1-or-later
#include "lib/dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"

/* RDTGROUP_SUPER_MAGIC in linux/magic.h, which may be older than resctrl. */
#define RESCTRL_MAGIC 0x7655821

static int result(int fd)
{
	return fd < 0 ? -errno : fd;
}

int dir_open(int at_fd, const char *path)
{
	return result(openat(at_fd, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

int dir_open_file(int at_fd, const char *path)
{
	return result(openat(at_fd, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
}

int dir_open_root(const char *path)
{
	return result(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

bool dir_is_resctrl(int fd)
{
	struct statfs fs;

	return fstatfs(fd, &fs) == 0 && fs.f_type == RESCTRL_MAGIC;
}

static void close_run(int first, int last)
{
#ifdef SYS_close_range
	if (first < last && syscall(SYS_close_range, first, last, 0) == 0)
		return;
#endif
	for (int fd = first; fd <= last; fd++)
		close(fd);
}

void dir_close_many(const int *fds, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		int first = fds[i];

		if (first < 0)
			continue;
		while (i + 1 < n && fds[i + 1] == fds[i] + 1)
			i++;
		close_run(first, fds[i]);
	}
}

int dir_inode(int fd, uint64_t *inode)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -errno;
	*inode = st.st_ino;
	return 0;
}

bool dir_exists(int at_fd, const char *path)
{
	return faccessat(at_fd, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

/* File systems need not fill in d_type. */
static int entry_kind(int fd, const struct dirent *entry)
{
	struct stat st;

	switch (entry->d_type) {
	case DT_DIR:
		return DIR_KIND_DIR;
	case DT_REG:
		return DIR_KIND_FILE;
	case DT_UNKNOWN:
		break;
	default:
		return -1;
	}
	if (fstatat(fd, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return -1;
	if (S_ISDIR(st.st_mode))
		return DIR_KIND_DIR;
	return S_ISREG(st.st_mode) ? DIR_KIND_FILE : -1;
}

int dir_list(int fd, dir_entry_fn entry, void *arg)
{
	struct dirent *found;
	int copy, ret = 0;
	DIR *dir;

	copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (copy < 0)
		return -errno;
	dir = fdopendir(copy);
	if (!dir) {
		ret = -errno;
		close(copy);
		return ret;
	}
	/* The copy shares the position with @fd. */
	rewinddir(dir);
	while (ret >= 0) {
		int kind;

		errno = 0;
		found = readdir(dir);
		if (!found) {
			ret = -errno;
			break;
		}
		if (!strcmp(found->d_name, ".") || !strcmp(found->d_name, ".."))
			continue;
		kind = entry_kind(fd, found);
		if (kind >= 0)
			ret = entry(arg, found->d_name, (enum dir_kind)kind);
	}
	closedir(dir);
	return ret;
}

ssize_t dir_read_file(int at_fd, const char *path, char *text, size_t size)
{
	cleanup(cleanup_fd) int fd = dir_open_file(at_fd, path);
	size_t len = 0;

	if (fd < 0)
		return fd;
	while (len < size - 1) {
		ssize_t n = read(fd, text + len, size - 1 - len);

		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		len += (size_t)n;
	}
	text[len] = '\0';
	return (ssize_t)len;
}

int dir_count_lines(int at_fd, const char *path, uint64_t *lines)
{
	cleanup(cleanup_fd) int fd = dir_open_file(at_fd, path);
	char text[4096];
	ssize_t n;

	if (fd < 0)
		return fd;
	*lines = 0;
	while ((n = read(fd, text, sizeof(text))) > 0) {
		for (ssize_t i = 0; i < n; i++)
			*lines += text[i] == '\n';
	}
	return n < 0 ? -errno : 0;
}

int dir_lock_shared(int fd, unsigned int patience_ms)
{
	const struct timespec nap = { .tv_nsec = 10 * 1000 * 1000 };

	for (unsigned int waited_ms = 0;; waited_ms += 10) {
		if (flock(fd, LOCK_SH | LOCK_NB) == 0)
			return 0;
		if (errno != EWOULDBLOCK)
			return 0;
		if (waited_ms >= patience_ms)
			return -EWOULDBLOCK;
		nanosleep(&nap, NULL);
	}
}

void dir_unlock(int fd)
{
	flock(fd, LOCK_UN);
}

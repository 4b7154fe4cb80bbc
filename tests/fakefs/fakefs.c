// SPDX-License-Identifier: LGPL-2.1-or-later
#include "fakefs.h"
#include "tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int open_empty(struct err *e, const char *dir)
{
	const int made = mkdir(dir, 0755);
	if (made ? errno != EEXIST : chmod(dir, 0755) != 0)
		return fail(e, errno, "%s: %s", dir, strerror(errno));
	DIR *d = opendir(dir);
	if (!d)
		return fail(e, errno, "%s: %s", dir, strerror(errno));
	const struct dirent *entry;
	while ((entry = readdir(d))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		closedir(d);
		return fail(e, ENOTEMPTY, "%s is not empty", dir);
	}
	const int fd = fcntl(dirfd(d), F_DUPFD_CLOEXEC, 0);
	if (fd < 0)
		fail(e, errno, "%s: %s", dir, strerror(errno));
	closedir(d);
	return fd < 0 ? e->rc : fd;
}

int fakefs_build(const char *dir, const char *spec_text, char *err, size_t errsz)
{
	struct err e = { .buf = err, .size = errsz };
	struct spec s = { .err = &e };

	if (errsz)
		err[0] = '\0';
	if (spec_parse(&s, spec_text) == 0) {
		const int fd = open_empty(&e, dir);
		if (fd >= 0) {
			struct tree t = { .root = fd, .err = &e };
			write_machine(&t, &s);
			write_resctrl(&t, &s);
			for (size_t i = 0; i < s.naction; i++)
				tree_action(&t, &s.action[i]);
			close(fd);
		}
	}
	spec_free(&s);
	return e.rc;
}

int fakefs_remove(const char *dir)
{
	struct stat st, root;

	if (stat("/", &root) || lstat(dir, &st))
		return -errno;
	if (!S_ISDIR(st.st_mode))
		return -ENOTDIR;
	if (st.st_dev == root.st_dev && st.st_ino == root.st_ino)
		return -EINVAL;
	return tree_remove(AT_FDCWD, dir);
}

int fakefs_tmp(char *buf, size_t size)
{
	const char *tmp = getenv("TMPDIR");
	const int len = snprintf(buf, size, "%s/fakefs.XXXXXX", tmp && *tmp ? tmp : "/tmp");

	if (len < 0 || (size_t)len >= size)
		return -ENAMETOOLONG;
	return mkdtemp(buf) ? 0 : -errno;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *at(struct tree *t, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	const int len = vsnprintf(t->path, sizeof(t->path), fmt, ap);
	va_end(ap);
	if (len < 0 || (size_t)len >= sizeof(t->path))
		fail(t->err, ENAMETOOLONG, "a path is too long");
	return t->path;
}

static void failed(struct tree *t, const char *path)
{
	const int e = errno;

	fail(t->err, e, "%s: %s", path, strerror(e));
}

void tree_dir(struct tree *t, const char *path)
{
	if (t->err->rc)
		return;
	/* chmod as well: the umask is the caller's, the tree is the kernel's. */
	if (mkdirat(t->root, path, 0755) == 0) {
		if (fchmodat(t->root, path, 0755, 0))
			failed(t, path);
	} else if (errno != EEXIST) {
		failed(t, path);
	}
}

/* Makes the directories above `path`. */
void tree_parents(struct tree *t, const char *path)
{
	char part[sizeof(t->path)];

	for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
		if ((size_t)(slash - path) >= sizeof(part)) {
			fail(t->err, ENAMETOOLONG, "a path is too long");
			return;
		}
		memcpy(part, path, (size_t)(slash - path));
		part[slash - path] = '\0';
		tree_dir(t, part);
	}
}

void tree_file(struct tree *t, const char *path, unsigned mode, const char *data, size_t len)
{
	if (t->err->rc)
		return;
	const int flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC;
	int fd = openat(t->root, path, flags, 0600);
	if (fd < 0 && errno == EACCES && fchmodat(t->root, path, 0600, 0) == 0)
		fd = openat(t->root, path, flags, 0600);
	if (fd < 0) {
		failed(t, path);
		return;
	}
	while (len) {
		const ssize_t done = write(fd, data, len);
		if (done < 0) {
			failed(t, path);
			break;
		}
		data += done;
		len -= (size_t)done;
	}
	if (fchmod(fd, mode))
		failed(t, path);
	if (close(fd))
		failed(t, path);
}

void tree_text(struct tree *t, const char *path, unsigned mode, const char *fmt, ...)
{
	char text[1024];
	va_list ap;
	va_start(ap, fmt);
	const int len = vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (len < 0 || (size_t)len >= sizeof(text))
		fail(t->err, EINVAL, "%s: text is too long", path);
	else
		tree_file(t, path, mode, text, (size_t)len);
}

void tree_symlink(struct tree *t, const char *path, const char *target)
{
	if (!t->err->rc && symlinkat(target, t->root, path))
		failed(t, path);
}

static int remove_content(int fd)
{
	DIR *dir = fdopendir(fd);
	int rc = 0;

	if (!dir) {
		rc = -errno;
		close(fd);
		return rc;
	}
	for (;;) {
		errno = 0;
		const struct dirent *d = readdir(dir);
		if (!d) {
			rc = -errno;
			break;
		}
		if (!strcmp(d->d_name, ".") || !strcmp(d->d_name, ".."))
			continue;
		rc = tree_remove(dirfd(dir), d->d_name);
		if (rc)
			break;
	}
	closedir(dir);
	return rc;
}

int tree_remove(int parent, const char *name)
{
	struct stat above, st;

	if (fstatat(parent, name, &st, AT_SYMLINK_NOFOLLOW))
		return -errno;
	if (!S_ISDIR(st.st_mode))
		return unlinkat(parent, name, 0) ? -errno : 0;
	if (parent != AT_FDCWD && (fstat(parent, &above) || above.st_dev != st.st_dev))
		return -EXDEV;
	if ((st.st_mode & 0700) != 0700 && fchmodat(parent, name, 0700, 0))
		return -errno;
	const int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	const int rc = remove_content(fd);
	if (rc)
		return rc;
	return unlinkat(parent, name, AT_REMOVEDIR) ? -errno : 0;
}

void tree_action(struct tree *t, const struct action *a)
{
	int rc;

	t->err->line = a->line;
	switch (a->kind) {
	case ACTION_FILE:
		tree_parents(t, a->path);
		tree_file(t, a->path, 0644, a->text.s, a->text.len);
		break;
	case ACTION_DIR:
		tree_parents(t, a->path);
		tree_dir(t, a->path);
		break;
	case ACTION_SYMLINK:
		tree_parents(t, a->path);
		tree_symlink(t, a->path, a->text.s);
		break;
	case ACTION_CHMOD:
		if (!t->err->rc && fchmodat(t->root, a->path, a->mode, 0))
			failed(t, a->path);
		break;
	case ACTION_RM:
		rc = t->err->rc ? 0 : tree_remove(t->root, a->path);
		if (rc)
			fail(t->err, -rc, "%s: %s", a->path, strerror(-rc));
		break;
	}
	t->err->line = 0;
}

FILE *text_open(struct tree *t, struct text *x)
{
	*x = (struct text){ 0 };
	x->f = t->err->rc ? NULL : open_memstream(&x->s, &x->len);
	if (!x->f)
		fail(t->err, ENOMEM, "out of memory");
	return x->f;
}

void text_file(struct tree *t, const char *path, unsigned mode, struct text *x)
{
	if (ferror(x->f) | fclose(x->f))
		fail(t->err, ENOMEM, "out of memory");
	else
		tree_file(t, path, mode, x->s, x->len);
	free(x->s);
}

void text_mask(FILE *f, const bool *set, size_t n)
{
	size_t bits = n % 32 ? n % 32 : 32;

	for (size_t high = n; high; high -= bits, bits = 32) {
		unsigned word = 0;
		for (size_t i = 0; i < bits; i++)
			word |= (unsigned)set[high - bits + i] << i;
		fprintf(f, "%0*x%s", (int)((bits + 3) / 4), word, high > bits ? "," : "\n");
	}
}

void text_list(FILE *f, const bool *set, size_t n)
{
	const char *comma = "";

	for (size_t i = 0; i < n; i++) {
		if (!set[i])
			continue;
		size_t last = i;
		while (last + 1 < n && set[last + 1])
			last++;
		fprintf(f, last > i ? "%s%zu-%zu" : "%s%zu", comma, i, last);
		comma = ",";
		i = last;
	}
	fputc('\n', f);
}

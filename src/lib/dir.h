/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The only door of libmbmcat to the file system: everything by file descriptor.
 */
#ifndef LIB_DIR_H
#define LIB_DIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

/* Open a directory, or a file for reading; an fd or a negative errno. Neither
 * follows a link nor waits for a FIFO's writer. */
int dir_open(int at_fd, const char *path);
int dir_open_file(int at_fd, const char *path);

/* A mount point may be named through links. */
int dir_open_root(const char *path);
/* statfs(2) f_type; false when that can't be told. */
bool dir_is_resctrl(int fd);
int dir_inode(int fd, uint64_t *inode);
bool dir_exists(int at_fd, const char *path);

enum dir_kind { DIR_KIND_DIR, DIR_KIND_FILE };

/* Called for each entry but "." and ".."; a negative return ends the listing. */
typedef int (*dir_entry_fn)(void *arg, const char *name, enum dir_kind kind);

/* List the directory @fd, which stays open. 0, a negative errno, or what @entry
 * returned. Entries that are neither directory nor file are passed over. */
int dir_list(int fd, dir_entry_fn entry, void *arg);

/* Read up to @size - 1 bytes of a file and put a NUL behind them; the length or a
 * negative errno. */
ssize_t dir_read_file(int at_fd, const char *path, char *text, size_t size);
/* Count the newlines of a file of any size. */
int dir_count_lines(int at_fd, const char *path, uint64_t *lines);

/* Close those of @n descriptors that are not negative: neighbours, which most are, by
 * one call. */
void dir_close_many(const int *fds, size_t n);

/*
 * pread(2) from the start, without libc's wrapper: that one makes every call a place
 * where the thread may be cancelled, for 70 instructions in a program with threads.
 */
static inline ssize_t dir_reread(int fd, void *bytes, size_t size)
{
#ifdef __LP64__
	return syscall(SYS_pread64, fd, bytes, size, 0L);
#else
	/* How an offset of 64 bits is passed differs there. */
	return pread(fd, bytes, size, 0);
#endif
}

/* A shared lock on @fd. -EWOULDBLOCK when somebody holds it exclusively for longer
 * than @patience_ms. A file system without locks counts as locked. */
int dir_lock_shared(int fd, unsigned int patience_ms);
void dir_unlock(int fd);

#endif

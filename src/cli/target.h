/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The file that -o names: what its name leads to, what stands beside it, and who else
 * writes it.
 */
#ifndef CLI_TARGET_H
#define CLI_TARGET_H

#include <stdbool.h>
#include <stddef.h>

/* The name of something that is open already, as /dev/stdout. */
bool target_is_open_file(const char *path);

/* Where links lead; a file that is not there yet has its own name. NULL: no memory. */
char *target_resolve(const char *path);
/* The directory that it is in. NULL: no memory. */
char *target_dir(const char *path);
/* A template for mkostemp(3) of a file beside it. NULL: no memory. */
char *target_temp(const char *path);

/* May @path be renamed over, by what can be told before: 0 or a negative errno. */
int target_replaceable(const char *path, const char *dir);

/*
 * Whoever writes a file for long holds a lock on it, which ends with its process. 0 or
 * -EBUSY: another run holds it. A file system without locks has none.
 */
int target_lock(int fd);
/* Does another run hold it, which is not the file @mine (an fd, or -1)? */
bool target_is_locked(const char *path, int mine);

/* Are both the same file? */
bool target_same(int fd, int other_fd);

/* Begins the file with these bytes? True as well when that can't be told. */
bool target_begins_with(const char *path, const char *bytes, size_t len);

#endif

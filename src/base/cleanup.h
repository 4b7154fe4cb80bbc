/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Scope-bound cleanup, as in: cleanup(cleanup_fd) int fd = open(...);
 */
#ifndef BASE_CLEANUP_H
#define BASE_CLEANUP_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define cleanup(fn)    __attribute__((cleanup(fn)))
#define ARRAY_SIZE(a)  (sizeof(a) / sizeof((a)[0]))
#define CACHE_LINE     64
#define printf_like(f) __attribute__((format(printf, f, (f) + 1)))

static inline void cleanup_fd(const int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

/* For any pointer that came from malloc(). */
static inline void cleanup_free(void *pointer)
{
	free(*(void **)pointer);
}

static inline void cleanup_file(FILE **file)
{
	if (*file)
		fclose(*file);
}

#endif

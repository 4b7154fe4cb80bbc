/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef HOST_LIMITS_H
#define HOST_LIMITS_H

#include <stddef.h>

struct fd_limits {
	size_t soft; /* RLIMIT_NOFILE */
	size_t hard;
	size_t open; /* file descriptors in use now */
};

void limits_fds(struct fd_limits *limits);

/* Raise the soft limit to the hard one; the number of files that may be opened
 * beyond those open now, with @spare kept back. */
size_t limits_raise_fds(size_t spare);

#endif

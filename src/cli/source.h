/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The mount point and the machine that a command looks at.
 */
#ifndef CLI_SOURCE_H
#define CLI_SOURCE_H

#include "cli/opt.h"

struct source {
	char dir[4096]; /* the mount point */
	struct mbmcat_ctx *ctx;
	bool gone; /* it was unmounted */
	struct topology *topology; /* NULL where it could not be found out */
	char host[256];
};

/* 0, or an exit code after a message. Close in any case. */
int source_open(struct source *source, const struct options *options);
void source_close(struct source *source);

/* mbmcat_scan() with its errors in words. 0 or an exit code. @again: what was seen
 * before is still good, so that errors are warnings, but for a mount that is gone. */
int source_scan(struct source *source, bool again, struct mbmcat_snapshot **snapshot);

/* CPUs came or went: look at the topology anew. */
void source_look_again(struct source *source, const struct options *options);

#endif

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
	struct topology *topology; /* NULL where it could not be found out */
	char host[256];
};

/* 0, or an exit code after a message. Close in any case. */
int source_open(struct source *source, const struct options *options);
void source_close(struct source *source);

/* mbmcat_scan() with its errors in words. 0 or an exit code. */
int source_scan(struct source *source, struct mbmcat_snapshot **snapshot);

#endif

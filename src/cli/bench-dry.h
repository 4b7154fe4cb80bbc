/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Counters that are files in memory: the same plan and the same loop over them show
 * what a dump costs before any counter is asked.
 */
#ifndef CLI_BENCH_DRY_H
#define CLI_BENCH_DRY_H

#include <mbmcat/mbmcat.h>

struct dry {
	struct mbmcat_ctx *ctx;
	struct mbmcat_snapshot *snapshot;
	struct mbmcat_plan *plan;
	struct mbmcat_sample *sample;
};

/*
 * As many files as domain @i of @like has counters, in a directory of /dev/shm, of
 * $TMPDIR or of /tmp that is removed before this returns: they live on by their file
 * descriptors alone. 0 or a negative errno; -EMFILE when they can't all be open.
 */
int dry_open(struct dry *dry, const struct mbmcat_plan *like, size_t i);
void dry_close(struct dry *dry);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * How many domains to read at once. On a deferred kernel two at a time took twice as
 * long as one after the other, on a direct one about half as long: so look at the
 * path, then measure. Pure.
 */
#ifndef CLI_PARALLEL_H
#define CLI_PARALLEL_H

#include <stddef.h>
#include <stdint.h>

#include "cli/record.h"

/* Samples of each kind that are compared, the best of each; chance and a busy
 * machine only ever make one slower. */
#define PARALLEL_TRIALS 4

struct parallel {
	size_t domains;
	size_t choice;	       /* 0: not decided yet */
	unsigned int samples;  /* seen since parallel_reset() */
	uint64_t best_ns[2];   /* one at a time; all at once */
};

/* Begin anew, for a plan of @domains domains. */
void parallel_reset(struct parallel *p, size_t domains);

/*
 * For the next sample: 1 or all. @path: of the first domain in the last sample,
 * PATH_UNKNOWN before the first one, which is read one domain at a time.
 */
size_t parallel_next(const struct parallel *p, enum read_path path);

/* What the sample took that was read @at_once. */
void parallel_learn(struct parallel *p, size_t at_once, uint64_t took_ns);

#endif

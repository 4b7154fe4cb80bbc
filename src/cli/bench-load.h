/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * --contention: threads that keep a cache busy while dumps are timed.
 */
#ifndef CLI_BENCH_LOAD_H
#define CLI_BENCH_LOAD_H

#include "cli/bench-readers.h"

struct load;

/*
 * l2: the reader walks over four times its L2 before each dump, and a walker over as
 * much on the other hardware thread of its core, if there is one. l3: a walker over
 * twice the L3 on the last CPU of each domain, unless that is the reader's. Where
 * readers are not bound there is one walker, anywhere. 0 or a negative errno.
 */
int load_start(struct load **load, const struct bench_result *result,
	       const struct readers *readers);
void load_stop(struct load *load);

size_t load_walkers(const struct load *load);
/* What a job's evict should be; *@size is 0 where there is none. */
void *load_evict(const struct load *load, size_t *size);

#endif

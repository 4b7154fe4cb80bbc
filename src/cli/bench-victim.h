/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * --victim: what dumps do to a program that has a CPU of the domain to itself.
 */
#ifndef CLI_BENCH_VICTIM_H
#define CLI_BENCH_VICTIM_H

#include "cli/bench-readers.h"

/*
 * A spinner looks at the clock all the time; where the clock jumps it did not run.
 * For each cell but the dry one blocks without dumps and blocks full of dumps take
 * turns. @job: makes the job of a cell. 0, 1: the end was asked for, or a negative
 * errno.
 */
int victim_run(struct bench_result *result, struct readers *readers,
	       void (*job)(void *arg, const struct bench_cell *cell, struct reader_job *job),
	       void *arg);

#endif

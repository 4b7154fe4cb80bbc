/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The rounds: every cell once in each, in an order of its own.
 */
#ifndef CLI_BENCH_RUN_H
#define CLI_BENCH_RUN_H

#include "cli/bench-dry.h"
#include "cli/bench-load.h"
#include "cli/bench-readers.h"
#include "cli/timer.h"

struct bench_run {
	struct bench_result *result;
	struct session *session;
	struct readers *readers;
	struct dry *dry;   /* without a plan: no dry cell */
	struct load *load; /* or NULL */
	/* The rest is bench_run()'s own. */
	struct timer timer;
	uint64_t random;
	size_t *order;
	struct bench_iteration *pending; /* of the round under way, per cell */
	struct bench_iteration *pending_sweep;
	struct reader_note *notes;
	uint64_t *outside; /* per cell: dumps from no CPU of the target */
	uint64_t start_ns;
	enum cell_toggle state;
};

/* An exit code after a message, or 0. An end that was asked for is no error: the
 * result has the rounds that were done. */
int bench_run(struct bench_run *run);

/* For --seed; the next number of a sequence. */
uint64_t bench_random(uint64_t *state);
/* Put @n indices in an order that @state chooses. */
void bench_shuffle(uint64_t *state, size_t *order, size_t n);

#endif

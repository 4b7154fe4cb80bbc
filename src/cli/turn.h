/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * When the next sample is due: a timer's grid, a line on stdin, a signal.
 */
#ifndef CLI_TURN_H
#define CLI_TURN_H

#include <stdatomic.h>

#include "cli/opt.h"
#include "cli/timer.h"

struct turns {
	enum trigger trigger;
	struct timer timer; /* TRIGGER_TIMER */
	uint64_t lines;	    /* TRIGGER_STDIN: not answered yet */
	bool begun;	    /* a line that has no end yet */
	bool ended;	    /* nothing more comes on stdin */
	const atomic_int *failed; /* not 0: no more samples are of use; or NULL */
};

enum turn { TURN_END, TURN_SAMPLE, TURN_REOPEN };

/* 0 or a negative errno. */
int turns_start(struct turns *turns, const struct options *options);
void turns_finish(struct turns *turns);

/* Sleep until something is due: an enum turn or a negative errno. */
int turns_wait(struct turns *turns);
/* The sample is done. */
void turns_advance(struct turns *turns);

#endif

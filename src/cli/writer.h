/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Samples on their way out: formatted and written by a thread of its own, so that the
 * next one is read meanwhile. One at a time: the next hand-over waits for the last.
 */
#ifndef CLI_WRITER_H
#define CLI_WRITER_H

#include <stdatomic.h>

#include "cli/output.h"

struct writer;

struct delivery {
	const struct mbmcat_sample *now;    /* NULL: nothing of what is wanted is there */
	const struct mbmcat_sample *before; /* of the same plan, or NULL */
	uint64_t seq, missed;
	bool commit; /* it is a whole file */
};

/* @output and @sink stay the caller's, and are the writer's while it is busy. 0 or
 * -ENOMEM. */
int writer_new(struct writer **writer, struct output *output, struct sink *sink);
/* Ends the thread, when it is done. */
void writer_free(struct writer *writer);

/* From now on in a thread of its own. 0 or a negative errno. */
int writer_start(struct writer *writer);

/*
 * Hand a sample over; what it points to must stay until the next call of these two has
 * returned. Without a thread it is written before this returns. 0, or why this or the
 * last one could not be written: a negative errno, which stays.
 */
int writer_give(struct writer *writer, const struct gather *gather,
		const struct delivery *delivery);
/* Until the last one is out. The same. */
int writer_settle(struct writer *writer);

/* Not 0 when something could not be written; sig_wake() is called then. */
const atomic_int *writer_error(const struct writer *writer);

#endif

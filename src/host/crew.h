/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One thread per task, parked on a futex between runs. A thread that has finished
 * wakes the next one itself, so that the caller sleeps through a whole run.
 */
#ifndef HOST_CREW_H
#define HOST_CREW_H

#include <stddef.h>

struct crew;

struct crew_task {
	/* Called once, in the thread, before anything else: bind it here. */
	void (*start)(void *arg, size_t i);
	/* Called once per run. */
	void (*work)(void *arg, size_t i);
	void *arg;
};

/* @n threads with all signals blocked; @task is copied. 0 or a negative errno
 * (-EAGAIN: too many threads). Returns when each start() has returned. */
int crew_new(struct crew **crew, size_t n, const struct crew_task *task);
void crew_free(struct crew *crew);

/* Let the threads from @first on, up to but without @last, work once each, at most
 * @parallel of them at a time; returns when all are done. */
void crew_run(struct crew *crew, size_t first, size_t last, size_t parallel);

#endif

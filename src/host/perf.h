/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The kernel's perf events. The only user of perf_event_open(2). User and kernel
 * are always counted together: what a dump costs is nearly all in the kernel, and
 * a count of the user's part alone would be taken for the whole.
 */
#ifndef HOST_PERF_H
#define HOST_PERF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum perf_kind {
	PERF_CYCLES,
	PERF_INSTRUCTIONS,
	PERF_TASK_CLOCK, /* nanoseconds */
	PERF_SWITCHES,
	PERF_MIGRATIONS,
	PERF_KINDS
};

/* Events that are scheduled and read together. */
struct perf_group {
	int fd[PERF_KINDS];             /* -1: not counted */
	int error[PERF_KINDS];          /* why: a negative errno; 0: counted or not asked for */
	unsigned char kind[PERF_KINDS]; /* of the values that a read gives, in order */
	size_t n;
};

struct perf_reading {
	uint64_t enabled_ns; /* since the events were opened */
	uint64_t running_ns; /* less than that: others had the counters meanwhile */
	uint64_t value[PERF_KINDS];
};

/* Count @kinds for the calling thread, on whichever CPU it runs. What can't be
 * counted has its error; the others are counted all the same. */
void perf_open_thread(struct perf_group *group, const enum perf_kind *kinds, size_t n);
/* Count cycles of everything that runs on @cpu. */
void perf_open_cpu(struct perf_group *group, unsigned int cpu);
void perf_close(struct perf_group *group);

/* All zero for a group that counts nothing. 0 or a negative errno. */
int perf_read(const struct perf_group *group, struct perf_reading *reading);

static inline bool perf_has(const struct perf_group *group, enum perf_kind kind)
{
	return group->fd[kind] >= 0;
}

#endif

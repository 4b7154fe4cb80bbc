/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Cycles of everything that runs on a CPU: what kernel workers and interrupt
 * handlers spend for a reader shows nowhere else.
 */
#ifndef CLI_BENCH_SYSTEM_H
#define CLI_BENCH_SYSTEM_H

#include "host/perf.h"
#include "host/topology.h"

struct system_cycles {
	struct perf_group *cpus; /* indexed by CPU */
	size_t n;
	int error; /* why nothing can be counted: a negative errno, or 0 */
};

struct system_reading {
	uint64_t cycles;
	uint64_t wall_ns;
	bool whole; /* every counter counted all the time */
};

/* Prepare for the CPUs of a place; what was prepared already is fine. After an
 * error nothing is counted. */
void system_add(struct system_cycles *system, const struct place *place);
void system_close(struct system_cycles *system);

/* The sum over all CPUs of both places, either of which may be NULL; of @a only
 * CPU @only where that is not negative. 0 or a negative errno. */
int system_read(const struct system_cycles *system, const struct place *a, int only,
		const struct place *b, struct system_reading *reading);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What every machine can say about the calling thread, without perf.
 */
#ifndef HOST_COUNTER_H
#define HOST_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

struct counter_reading {
	uint64_t wall_ns;  /* CLOCK_MONOTONIC_RAW */
	uint64_t tsc;      /* ticks of the time stamp counter; 0 where there is none */
	uint64_t cpu_ns;   /* the thread's CPU time */
	uint64_t switches; /* of the thread, voluntary or not */
};

/* There are ticks. To ask is slow in a virtual machine: not while something is
 * measured. */
bool counter_has_tsc(void);

/* Before and after what is measured: the wall clock and the TSC stand innermost.
 * @tsc: counter_has_tsc(). */
void counter_begin(struct counter_reading *reading, bool tsc);
void counter_end(struct counter_reading *reading, bool tsc);

uint64_t counter_wall_ns(void);

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
#include "host/counter.h"

#include <sys/resource.h>
#include <time.h>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#include <x86intrin.h>

bool counter_has_tsc(void)
{
	unsigned int a, b, c, d;

	return __get_cpuid(1, &a, &b, &c, &d) && d & (1u << 4);
}

/* Ordered on both sides. RDTSCP would do half of that, and not every guest has it. */
static uint64_t ticks(void)
{
	uint64_t now;

	__asm__ volatile("lfence" ::: "memory");
	now = __rdtsc();
	__asm__ volatile("lfence" ::: "memory");
	return now;
}
#else
bool counter_has_tsc(void)
{
	return false;
}

static uint64_t ticks(void)
{
	return 0;
}
#endif

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static uint64_t switches(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return (uint64_t)usage.ru_nvcsw + (uint64_t)usage.ru_nivcsw;
}

uint64_t counter_wall_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC_RAW);
}

void counter_begin(struct counter_reading *reading, bool tsc)
{
	reading->switches = switches();
	reading->cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	reading->wall_ns = counter_wall_ns();
	reading->tsc = tsc ? ticks() : 0;
}

void counter_end(struct counter_reading *reading, bool tsc)
{
	reading->tsc = tsc ? ticks() : 0;
	reading->wall_ns = counter_wall_ns();
	reading->cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	reading->switches = switches();
}

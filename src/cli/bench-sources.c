// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/bench-sources.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* What to do about @error. @system: it was to count whole CPUs, not a thread. */
static void explain(char text[BENCH_REASON], int error, bool system, const struct machine *machine)
{
	const char *level = machine->perf_event_paranoid ? machine->perf_event_paranoid : "unknown";

	switch (error) {
	case -ENOENT:
	case -ENODEV:
	case -EOPNOTSUPP:
		snprintf(text, BENCH_REASON,
			 "no PMU: this machine has, or shows its guest, no "
			 "hardware counters");
		break;
	case -EACCES:
	case -EPERM:
		snprintf(text, BENCH_REASON,
			 "not permitted: it takes CAP_PERFMON (root), or "
			 "kernel.perf_event_paranoid at most %s (it is %s)",
			 system ? "0" : "1", level);
		break;
	case -ENOSYS:
		snprintf(text, BENCH_REASON,
			 "this kernel, or a filter on system calls, has no "
			 "perf_event_open");
		break;
	case -EMFILE:
	case -ENFILE:
		snprintf(text, BENCH_REASON,
			 "too few file descriptors; raise the limit "
			 "(ulimit -n)");
		break;
	case -EXDEV:
		snprintf(text, BENCH_REASON, "the readers are not bound to CPUs of their domains");
		break;
	default:
		snprintf(text, BENCH_REASON, "perf_event_open failed: %s", strerror(-error));
	}
}

static void set(struct figure_source sources[FIGURES], enum figure figure, const char *source)
{
	sources[figure].source = source;
	sources[figure].reason[0] = '\0';
}

void sources_perf(struct figure_source sources[FIGURES], enum figure figure, int error,
		  const struct machine *machine)
{
	set(sources, figure, error ? NULL : "perf");
	if (error)
		explain(sources[figure].reason, error, figure == FIGURE_SYSTEM_CYCLES, machine);
}

void sources_other(struct figure_source sources[FIGURES], bool tsc)
{
	set(sources, FIGURE_WALL, "clock_monotonic_raw");
	set(sources, FIGURE_SWITCHES, "rusage");
	set(sources, FIGURE_THREAD_CPU, "clock_thread_cputime");
	if (!sources[FIGURE_TASK_CLOCK].source)
		set(sources, FIGURE_TASK_CLOCK, "clock_thread_cputime");
	set(sources, FIGURE_TSC, tsc ? "rdtsc" : NULL);
	if (!tsc)
		snprintf(sources[FIGURE_TSC].reason, BENCH_REASON,
			 "this CPU has no time stamp counter");
}

bool sources_missing(const struct figure_source sources[FIGURES], struct buf *out)
{
	bool told[FIGURES] = { false };
	bool any = false;

	for (size_t i = 0; i < FIGURES; i++) {
		if (sources[i].source || told[i])
			continue;
		buf_printf(out, "%s%s", any ? "; no " : "no ", figure_name((enum figure)i));
		for (size_t j = i + 1; j < FIGURES; j++) {
			if (sources[j].source || strcmp(sources[i].reason, sources[j].reason) != 0)
				continue;
			buf_printf(out, ", %s", figure_name((enum figure)j));
			told[j] = true;
		}
		buf_printf(out, " (%s)", sources[i].reason);
		any = true;
	}
	return any;
}

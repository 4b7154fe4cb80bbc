// SPDX-License-Identifier: LGPL-2.1-or-later
#include "host/perf.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct {
	uint32_t type;
	uint64_t config;
} events[PERF_KINDS] = {
	[PERF_CYCLES] = { PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	[PERF_INSTRUCTIONS] = { PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS },
	[PERF_TASK_CLOCK] = { PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK },
	[PERF_SWITCHES] = { PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES },
	[PERF_MIGRATIONS] = { PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS },
};

/* What read(2) gives with PERF_FORMAT_GROUP and both times. */
struct group_format {
	uint64_t n;
	uint64_t enabled_ns;
	uint64_t running_ns;
	uint64_t value[PERF_KINDS];
};

static void init(struct perf_group *group)
{
	*group = (struct perf_group){ 0 };
	for (size_t i = 0; i < PERF_KINDS; i++)
		group->fd[i] = -1;
}

static int leader(const struct perf_group *group)
{
	return group->n ? group->fd[group->kind[0]] : -1;
}

static void add(struct perf_group *group, enum perf_kind kind, pid_t pid, int cpu)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = events[kind].type,
		.config = events[kind].config,
		.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING,
	};
	long fd = syscall(SYS_perf_event_open, &attr, pid, cpu, leader(group),
			  (unsigned long)PERF_FLAG_FD_CLOEXEC);

	if (fd < 0) {
		group->error[kind] = -errno;
		return;
	}
	group->fd[kind] = (int)fd;
	group->kind[group->n++] = (unsigned char)kind;
}

void perf_open_thread(struct perf_group *group, const enum perf_kind *kinds, size_t n)
{
	init(group);
	for (size_t i = 0; i < n; i++)
		add(group, kinds[i], 0, -1);
}

void perf_open_cpu(struct perf_group *group, unsigned int cpu)
{
	init(group);
	add(group, PERF_CYCLES, -1, (int)cpu);
}

void perf_close(struct perf_group *group)
{
	/* The leader last: without it the others would be on their own for a moment. */
	for (size_t i = group->n; i > 0; i--)
		close(group->fd[group->kind[i - 1]]);
	init(group);
}

int perf_read(const struct perf_group *group, struct perf_reading *reading)
{
	struct group_format now;
	ssize_t n;

	*reading = (struct perf_reading){ 0 };
	if (!group->n)
		return 0;
	do {
		n = read(leader(group), &now, sizeof(now));
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	if ((size_t)n < (3 + group->n) * sizeof(uint64_t) || now.n != group->n)
		return -EIO;
	reading->enabled_ns = now.enabled_ns;
	reading->running_ns = now.running_ns;
	for (size_t i = 0; i < group->n; i++)
		reading->value[group->kind[i]] = now.value[i];
	return 0;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/bench-system.h"

#include <errno.h>
#include <stdlib.h>

#include "host/counter.h"

static int grow(struct system_cycles *system, size_t n)
{
	struct perf_group *more;

	if (n <= system->n)
		return 0;
	more = realloc(system->cpus, n * sizeof(*more));
	if (!more)
		return -ENOMEM;
	system->cpus = more;
	for (; system->n < n; system->n++)
		system->cpus[system->n] = (struct perf_group){ 0 };
	return 0;
}

void system_add(struct system_cycles *system, const struct place *place)
{
	for (int cpu = place_next_cpu(place, -1); cpu >= 0 && !system->error;
	     cpu = place_next_cpu(place, cpu)) {
		system->error = grow(system, (size_t)cpu + 1);
		if (system->error || system->cpus[cpu].n)
			continue;
		perf_open_cpu(&system->cpus[cpu], (unsigned int)cpu);
		system->error = system->cpus[cpu].error[PERF_CYCLES];
	}
}

void system_close(struct system_cycles *system)
{
	for (size_t i = 0; i < system->n; i++) {
		if (system->cpus[i].n)
			perf_close(&system->cpus[i]);
	}
	free(system->cpus);
	*system = (struct system_cycles){ 0 };
}

static int add_cpu(const struct system_cycles *system, int cpu, struct system_reading *reading)
{
	struct perf_reading now;
	int ret;

	if ((size_t)cpu >= system->n)
		return -ENODEV;
	ret = perf_read(&system->cpus[cpu], &now);
	reading->cycles += now.value[PERF_CYCLES];
	reading->whole &= now.running_ns == now.enabled_ns;
	return ret;
}

int system_read(const struct system_cycles *system, const struct place *a, int only,
		const struct place *b, struct system_reading *reading)
{
	int ret = 0;

	*reading = (struct system_reading){ .whole = true };
	reading->wall_ns = counter_wall_ns();
	for (int cpu = a ? place_next_cpu(a, -1) : -1; cpu >= 0 && ret == 0;
	     cpu = place_next_cpu(a, cpu)) {
		if ((only < 0 || cpu == only) && !(b && place_has_cpu(b, (unsigned int)cpu)))
			ret = add_cpu(system, cpu, reading);
	}
	for (int cpu = b ? place_next_cpu(b, -1) : -1; cpu >= 0 && ret == 0;
	     cpu = place_next_cpu(b, cpu))
		ret = add_cpu(system, cpu, reading);
	return ret;
}

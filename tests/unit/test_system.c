// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Counting whole CPUs, by the CPU clock where a PMU was asked for.
 */
#include <check.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cli/bench-system.h"

static int fail_with, calls;

long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);

long __wrap_syscall(long number, ...)
{
	struct perf_event_attr *attr, copy;
	int cpu, group;
	va_list args;
	pid_t pid;

	va_start(args, number);
	attr = va_arg(args, struct perf_event_attr *);
	pid = va_arg(args, pid_t);
	cpu = va_arg(args, int);
	group = va_arg(args, int);
	va_end(args);
	ck_assert_int_eq(number, SYS_perf_event_open);
	ck_assert_int_eq(pid, -1);
	calls++;
	if (fail_with) {
		errno = fail_with;
		return -1;
	}
	copy = *attr;
	copy.type = PERF_TYPE_SOFTWARE;
	copy.config = PERF_COUNT_SW_CPU_CLOCK;
	return __real_syscall(number, &copy, pid, cpu, group, (long)PERF_FLAG_FD_CLOEXEC);
}

static struct topology *topology;
static struct place *place;

static void setup(void)
{
	fail_with = calls = 0;
	ck_assert_int_eq(topology_open(&topology, ""), 0);
	place = place_find(topology, "PERF_PKG", 0, -1);
}

static void teardown(void)
{
	place_free(place);
	topology_close(topology);
}

START_TEST(test_counts)
{
	struct system_cycles system = { 0 };
	struct system_reading a, b, one;
	int first;

	if (!place)
		return;
	system_add(&system, place);
	if (system.error) {
		ck_assert(system.error == -EACCES || system.error == -EPERM);
		system_close(&system);
		return;
	}
	ck_assert_int_eq(calls, (int)place_cpus(place));
	/* The same CPUs of another domain cost nothing more. */
	system_add(&system, place);
	ck_assert_int_eq(calls, (int)place_cpus(place));
	first = place_next_cpu(place, -1);
	ck_assert_int_eq(system_read(&system, place, first, NULL, &one), 0);
	ck_assert_int_eq(system_read(&system, place, first, place, &a), 0);
	for (volatile unsigned int i = 0; i < 200000; i++)
		;
	ck_assert_int_eq(system_read(&system, NULL, -1, place, &b), 0);
	ck_assert_uint_gt(b.cycles, a.cycles);
	ck_assert_uint_gt(b.wall_ns, a.wall_ns);
	ck_assert(a.whole && b.whole && one.whole);
	system_close(&system);
	ck_assert_uint_eq(system.n, 0);
}
END_TEST

START_TEST(test_refused)
{
	struct system_cycles system = { 0 };

	if (!place)
		return;
	fail_with = EACCES;
	system_add(&system, place);
	ck_assert_int_eq(system.error, -EACCES);
	ck_assert_int_eq(calls, 1);
	/* One is enough to know. */
	system_add(&system, place);
	ck_assert_int_eq(calls, 1);
	system_close(&system);
}
END_TEST

START_TEST(test_unknown_cpu)
{
	const struct system_cycles system = { 0 };
	struct system_reading reading;

	if (!place)
		return;
	ck_assert_int_eq(system_read(&system, place, -1, NULL, &reading), -ENODEV);
	ck_assert_int_eq(system_read(&system, NULL, -1, NULL, &reading), 0);
	ck_assert_uint_eq(reading.cycles, 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("system");
	TCase *tc = tcase_create("system");
	SRunner *runner;
	int failed;

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, test_counts);
	tcase_add_test(tc, test_refused);
	tcase_add_test(tc, test_unknown_cpu);
	suite_add_tcase(suite, tc);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * perf_event_open(2) is replaced: it fails as told, or counts the CPU clock where a
 * PMU was asked for, so that the whole path is tested on machines without one.
 */
#include <check.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "host/counter.h"
#include "host/perf.h"

static const enum perf_kind all[] = { PERF_CYCLES, PERF_INSTRUCTIONS, PERF_TASK_CLOCK,
				      PERF_SWITCHES, PERF_MIGRATIONS };

static int fail_with; /* errno of every call; 0: none */
static int fail_from; /* only from this call on */
static int calls;
static bool saw_exclusion; /* some part of the kernel or the user was left out */
static int last_group, last_cpu;
static pid_t last_pid;

long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);

long __wrap_syscall(long number, ...)
{
	struct perf_event_attr *attr, copy;
	unsigned long flags;
	va_list args;

	va_start(args, number);
	attr = va_arg(args, struct perf_event_attr *);
	last_pid = va_arg(args, pid_t);
	last_cpu = va_arg(args, int);
	last_group = va_arg(args, int);
	flags = va_arg(args, unsigned long);
	va_end(args);
	ck_assert_int_eq(number, SYS_perf_event_open);
	saw_exclusion |= attr->exclude_kernel || attr->exclude_user || attr->exclude_hv;
	if (calls++ >= fail_from && fail_with) {
		errno = fail_with;
		return -1;
	}
	copy = *attr;
	if (copy.type == PERF_TYPE_HARDWARE) {
		copy.type = PERF_TYPE_SOFTWARE;
		copy.config = PERF_COUNT_SW_CPU_CLOCK;
	}
	return __real_syscall(number, &copy, last_pid, last_cpu, last_group, flags);
}

static void reset(void)
{
	fail_with = fail_from = calls = 0;
	saw_exclusion = false;
}

static bool permitted(void)
{
	struct perf_group group;
	bool yes;

	perf_open_thread(&group, &all[2], 1);
	yes = group.n == 1;
	perf_close(&group);
	reset();
	return yes;
}

static void spin(void)
{
	for (volatile unsigned int i = 0; i < 200000; i++)
		;
}

/* Gives the CPU away. */
static void sleep_a_little(void)
{
	const struct timespec ms = { .tv_nsec = 1000000 };

	nanosleep(&ms, NULL);
}

START_TEST(test_counts)
{
	struct perf_reading a, b;
	struct perf_group group;

	if (!permitted())
		return;
	perf_open_thread(&group, all, 2);
	ck_assert_uint_eq(group.n, 2);
	ck_assert_int_eq(perf_read(&group, &a), 0);
	spin();
	ck_assert_int_eq(perf_read(&group, &b), 0);
	ck_assert_uint_gt(b.value[PERF_CYCLES], a.value[PERF_CYCLES]);
	ck_assert_uint_gt(b.value[PERF_INSTRUCTIONS], a.value[PERF_INSTRUCTIONS]);
	ck_assert_uint_gt(b.enabled_ns, a.enabled_ns);
	ck_assert_uint_eq(b.enabled_ns - a.enabled_ns, b.running_ns - a.running_ns);
	perf_close(&group);
	perf_open_thread(&group, &all[2], 3);
	ck_assert_uint_eq(group.n, 3);
	ck_assert_int_eq(perf_read(&group, &a), 0);
	spin();
	/* Linux 6.18 does not see the first switch after a group was closed and opened. */
	for (int i = 0; i < 3; i++)
		sleep_a_little();
	ck_assert_int_eq(perf_read(&group, &b), 0);
	ck_assert_uint_gt(b.value[PERF_TASK_CLOCK], a.value[PERF_TASK_CLOCK]);
	ck_assert_uint_gt(b.value[PERF_SWITCHES], a.value[PERF_SWITCHES]);
	perf_close(&group);
	ck_assert_uint_eq(group.n, 0);
	ck_assert(!perf_has(&group, PERF_CYCLES));
}
END_TEST

START_TEST(test_never_user_only)
{
	struct perf_group group;

	reset();
	perf_open_thread(&group, all, PERF_KINDS);
	perf_close(&group);
	ck_assert_int_eq(calls, PERF_KINDS);
	ck_assert(!saw_exclusion);
	/* Not even after the kernel refused the whole. */
	reset();
	fail_with = EACCES;
	perf_open_thread(&group, all, PERF_KINDS);
	ck_assert_int_eq(calls, PERF_KINDS);
	ck_assert(!saw_exclusion);
}
END_TEST

START_TEST(test_refused)
{
	const int error = (int[]){ ENOENT, EACCES, EPERM, ENOSYS, EMFILE, EOPNOTSUPP }[_i];
	struct perf_reading reading = { .enabled_ns = 1 };
	struct perf_group group;

	reset();
	fail_with = error;
	perf_open_thread(&group, all, PERF_KINDS);
	ck_assert_uint_eq(group.n, 0);
	for (size_t i = 0; i < PERF_KINDS; i++) {
		ck_assert(!perf_has(&group, (enum perf_kind)i));
		ck_assert_int_eq(group.error[i], -error);
	}
	ck_assert_int_eq(perf_read(&group, &reading), 0);
	ck_assert_uint_eq(reading.enabled_ns, 0);
	perf_close(&group);
}
END_TEST

START_TEST(test_half_refused)
{
	struct perf_reading a, b;
	struct perf_group group;

	if (!permitted())
		return;
	fail_with = ENOSPC;
	fail_from = 1;
	perf_open_thread(&group, all, PERF_KINDS);
	ck_assert_uint_eq(group.n, 1);
	ck_assert(perf_has(&group, PERF_CYCLES));
	ck_assert_int_eq(group.error[PERF_TASK_CLOCK], -ENOSPC);
	ck_assert_int_eq(perf_read(&group, &a), 0);
	spin();
	ck_assert_int_eq(perf_read(&group, &b), 0);
	ck_assert_uint_gt(b.value[PERF_CYCLES], a.value[PERF_CYCLES]);
	ck_assert_uint_eq(b.value[PERF_TASK_CLOCK], 0);
	perf_close(&group);
}
END_TEST

START_TEST(test_cpu)
{
	struct perf_group group;

	reset();
	perf_open_cpu(&group, 0);
	ck_assert_int_eq(last_pid, -1);
	ck_assert_int_eq(last_cpu, 0);
	ck_assert_int_eq(last_group, -1);
	ck_assert(perf_has(&group, PERF_CYCLES) || group.error[PERF_CYCLES] < 0);
	perf_close(&group);
}
END_TEST

START_TEST(test_lost_fd)
{
	struct perf_reading reading;
	struct perf_group group;
	int fd;

	if (!permitted())
		return;
	perf_open_thread(&group, all, 1);
	fd = group.fd[PERF_CYCLES];
	group.fd[PERF_CYCLES] = -1;
	ck_assert_int_eq(perf_read(&group, &reading), -EBADF);
	group.fd[PERF_CYCLES] = fd;
	group.n++;
	group.kind[1] = PERF_CYCLES;
	ck_assert_int_eq(perf_read(&group, &reading), -EIO);
	group.n--;
	perf_close(&group);
}
END_TEST

START_TEST(test_clocks)
{
	const bool tsc = counter_has_tsc();
	struct counter_reading a, b;

	counter_begin(&a, tsc);
	spin();
	counter_end(&b, tsc);
	ck_assert_uint_gt(b.wall_ns, a.wall_ns);
	ck_assert_uint_gt(b.cpu_ns, a.cpu_ns);
	ck_assert_uint_ge(b.switches, a.switches);
	if (tsc)
		ck_assert_uint_gt(b.tsc, a.tsc);
	counter_end(&b, false);
	ck_assert_uint_eq(b.tsc, 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("perf");
	TCase *tc = tcase_create("perf");
	SRunner *runner;
	int failed;

	tcase_add_test(tc, test_counts);
	tcase_add_test(tc, test_never_user_only);
	tcase_add_loop_test(tc, test_refused, 0, 6);
	tcase_add_test(tc, test_half_refused);
	tcase_add_test(tc, test_cpu);
	tcase_add_test(tc, test_lost_fd);
	tcase_add_test(tc, test_clocks);
	suite_add_tcase(suite, tc);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

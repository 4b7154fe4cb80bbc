// SPDX-License-Identifier: LGPL-2.1-or-later
#include "unit.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include "cli/timer.h"

START_TEST(test_grid)
{
	struct timer t = { .interval_ns = 10, .next_ns = 100 };

	timer_advance(&t, 105);
	ck_assert(t.next_ns == 110 && t.missed == 0);
	timer_advance(&t, 110);
	ck_assert(t.next_ns == 120 && t.missed == 0);
	/* Just at a point: it is too late for that one. */
	timer_advance(&t, 130);
	ck_assert(t.next_ns == 140 && t.missed == 1);
	timer_advance(&t, 175);
	ck_assert(t.next_ns == 180 && t.missed == 4);
}
END_TEST

START_TEST(test_wait)
{
	int fd = eventfd(0, 0);
	struct timer t;

	ck_assert_int_eq(timer_start(&t, 3600000000000), 0);
	ck_assert_int_eq(timer_wait(&t, fd), 1);
	timer_advance(&t, timer_now());
	ck_assert_int_eq(eventfd_write(fd, 1), 0);
	ck_assert_int_eq(timer_wait(&t, fd), 0);
	timer_end(&t);
	ck_assert_int_eq(t.fd, -1);
	close(fd);
}
END_TEST

UNIT_CASE(timer_tests)
{
	TCase *tc = tcase_create("timer");

	tcase_add_test(tc, test_grid);
	tcase_add_test(tc, test_wait);
	return tc;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
#include "unit.h"

#include <sys/resource.h>
#include <unistd.h>

#include "host/limits.h"

START_TEST(test_limits)
{
	struct fd_limits a, b;
	struct rlimit r;
	int fd;

	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &r), 0);
	r.rlim_max = 200;
	r.rlim_cur = 100;
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &r), 0);
	limits_fds(&a);
	ck_assert_uint_eq(a.soft, 100);
	ck_assert_uint_eq(a.hard, 200);
	fd = dup(0);
	limits_fds(&b);
	ck_assert_uint_eq(b.open, a.open + 1);
	ck_assert_uint_eq(limits_raise_fds(10), 200 - b.open - 10);
	limits_fds(&a);
	ck_assert_uint_eq(a.soft, 200);
	ck_assert_uint_eq(limits_raise_fds(200 - b.open), 0);
	ck_assert_uint_eq(limits_raise_fds(1000), 0);
	close(fd);
}
END_TEST

UNIT_CASE(limits_tests)
{
	TCase *tc = tcase_create("limits");

	tcase_add_test(tc, test_limits);
	return tc;
}

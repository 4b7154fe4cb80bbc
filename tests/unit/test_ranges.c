// SPDX-License-Identifier: LGPL-2.1-or-later
#include "unit.h"

#include <errno.h>
#include <stdlib.h>

#include "base/ranges.h"

START_TEST(test_lists)
{
	struct range *r;
	size_t n;

	ck_assert_int_eq(ranges_parse("0-3,8,16-23", &r, &n), 0);
	ck_assert_uint_eq(n, 3);
	ck_assert_uint_eq(r[0].first, 0);
	ck_assert_uint_eq(r[0].last, 3);
	ck_assert_uint_eq(r[1].first, 8);
	ck_assert_uint_eq(r[1].last, 8);
	ck_assert_uint_eq(r[2].first, 16);
	ck_assert_uint_eq(r[2].last, 23);
	ck_assert(range_has(&r[0], 0) && range_has(&r[0], 3) && !range_has(&r[0], 4));
	ck_assert(!range_has(&r[1], 7) && range_has(&r[1], 8) && !range_has(&r[1], 9));
	free(r);
	/* As written: not sorted, not merged, and 08 is eight. */
	ck_assert_int_eq(ranges_parse("9,08,5-5,0-18446744073709551615", &r, &n), 0);
	ck_assert_uint_eq(n, 4);
	ck_assert_uint_eq(r[0].first, 9);
	ck_assert_uint_eq(r[1].first, 8);
	ck_assert_uint_eq(r[2].last, 5);
	ck_assert_uint_eq(r[3].last, UINT64_MAX);
	ck_assert(range_has(&r[3], UINT64_MAX));
	free(r);
}
END_TEST

START_TEST(test_refused)
{
	static const char *const bad[] = {
		"",    ",",   "1,",  ",1",   "1,,2", "-",     "1-",   "-1",	"3-1",
		"1 ",  " 1",  "a",   "1-2-3", "0x1", "1;2",   "1\n",  "18446744073709551616",
		"1-18446744073709551616",   "1.5",   "+1",    "1, 2", "0-3,8-",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct range *r = (struct range *)&bad;
		size_t n = 99;

		ck_assert_msg(ranges_parse(bad[i], &r, &n) == -EINVAL, "'%s'", bad[i]);
		ck_assert_uint_eq(n, 99);
	}
}
END_TEST

UNIT_CASE(ranges_tests)
{
	TCase *tc = tcase_create("ranges");

	tcase_add_test(tc, test_lists);
	tcase_add_test(tc, test_refused);
	return tc;
}

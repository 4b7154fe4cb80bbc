// SPDX-License-Identifier: LGPL-2.1-or-later
#include "unit.h"

#include <string.h>

#include "cli/record.h"
#include "rig.h"

static struct rig rig;

static void teardown(void)
{
	rig_close(&rig);
}

static void is_time(uint64_t time_ns, const char *expected)
{
	char text[RECORD_TIME_SIZE + 1] = "";

	record_time(time_ns, text);
	ck_assert_str_eq(text, expected);
}

START_TEST(test_time)
{
	is_time(0, "1970-01-01T00:00:00.000000000Z");
	is_time(999999999, "1970-01-01T00:00:00.999999999Z");
	is_time(951782400000000001, "2000-02-29T00:00:00.000000001Z");
	is_time(1796094247123456789, "2026-12-01T03:04:07.123456789Z");
	is_time(4102444799000000000, "2099-12-31T23:59:59.000000000Z");
	/* What 64 bits of nanoseconds end with. */
	is_time(UINT64_MAX, "2554-07-21T23:34:33.709551615Z");
}
END_TEST

START_TEST(test_words)
{
	ck_assert_ptr_null(record_path_text(PATH_UNKNOWN));
	ck_assert_str_eq(record_path_text(PATH_DIRECT), "direct");
	ck_assert_str_eq(record_path_text(PATH_DEFERRED), "deferred");
	ck_assert_str_eq(record_path_text(PATH_REMOTE), "remote");
	ck_assert_ptr_null(record_rate_text(MBMCAT_RATE_OK));
	ck_assert_ptr_null(record_rate_text(MBMCAT_RATE_NONE));
	ck_assert_str_eq(record_rate_text(MBMCAT_RATE_RESET), "reset");
	ck_assert_str_eq(record_rate_text(MBMCAT_RATE_IMPLAUSIBLE), "implausible");
	ck_assert_ptr_null(record_rate_text(MBMCAT_RATE_IMPLAUSIBLE + 1));
	ck_assert_ptr_null(record_rate_text(UINT8_MAX));
}
END_TEST

START_TEST(test_clusters)
{
	static const char *const specs[] = { "machine l3=0-1\n", "machine l3=0-1 numa-per-l3=2\n" };
	struct layout layout;

	memset(&layout, 0xff, sizeof(layout));
	rig_open(&rig, specs[_i]);
	rig_plan(&rig, 100);
	layout_init(&layout, rig.plan);
	ck_assert_ptr_eq(layout.plan, rig.plan);
	ck_assert_int_eq(layout.has_clusters, _i);
}
END_TEST

UNIT_CASE(record_tests)
{
	TCase *tc = tcase_create("record");

	unit_fixture(tc);
	tcase_add_checked_fixture(tc, NULL, teardown);
	tcase_add_test(tc, test_time);
	tcase_add_test(tc, test_words);
	tcase_add_loop_test(tc, test_clusters, 0, 2);
	return tc;
}

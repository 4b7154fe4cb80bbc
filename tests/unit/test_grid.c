// SPDX-License-Identifier: LGPL-2.1-or-later
#include "unit.h"

#include "cli/grid.h"

static struct grid grid;
static struct buf out;

static void setup(void)
{
	grid_init(&grid, 3);
	out = (struct buf){ 0 };
}

static void teardown(void)
{
	grid_free(&grid);
	buf_free(&out);
}

static const char *printed(void)
{
	grid_print(&grid, &out);
	buf_char(&out, '\0');
	ck_assert(!out.failed);
	return out.data;
}

static void row(const char *a, const char *b, uint64_t c)
{
	grid_cell(&grid, a);
	grid_cell(&grid, b);
	grid_number(&grid, c);
}

START_TEST(test_widths)
{
	grid_cell(&grid, "A");
	grid_cell(&grid, "LONG NAME");
	grid_cell(&grid, "N");
	row("wider", "b", 0);
	row("", "", UINT64_MAX);
	ck_assert_str_eq(printed(), "A      LONG NAME  N\n"
				    "wider  b          0\n"
				    "                  18446744073709551615\n");
}
END_TEST

/* Columns are as wide as what is seen, not as its bytes. */
START_TEST(test_characters)
{
	row("\xc3\xa9\xc3\xa9", "x", 1);
	row("\xff", "tab\there", 2);
	ck_assert_str_eq(printed(), "\xc3\xa9\xc3\xa9    x            1\n"
				    "\\xff  tab\\x09here  2\n");
}
END_TEST

START_TEST(test_nothing)
{
	ck_assert_str_eq(printed(), "");
}
END_TEST

/* What could not be kept is not half a table. */
START_TEST(test_failed)
{
	row("a", "b", 1);
	grid.text.failed = true;
	grid_print(&grid, &out);
	ck_assert(out.failed);
	ck_assert_uint_eq(out.len, 0);
}
END_TEST

UNIT_CASE(grid_tests)
{
	TCase *tc = tcase_create("grid");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, test_widths);
	tcase_add_test(tc, test_characters);
	tcase_add_test(tc, test_nothing);
	tcase_add_test(tc, test_failed);
	return tc;
}

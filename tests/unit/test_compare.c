// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Judging, on sets that are made in memory.
 */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "cli/compare.h"
#include "unit.h"

#define ROUNDS 3

static printf_like(1) char *text(const char *format, ...)
{
	va_list args;
	char *t;

	va_start(args, format);
	ck_assert_int_ge(vasprintf(&t, format, args), 0);
	va_end(args);
	return t;
}

static void fill_cell(struct result_cell *cell, enum result_kind kind, int domain, double level)
{
	*cell = (struct result_cell){ .kind = kind, .reads = 10, .n = ROUNDS };
	cell->reader = text("L3:%d", domain);
	cell->target = text("L3:%d", kind == KIND_LOCAL ? domain : !domain);
	cell->path = text("direct");
	cell->round = calloc(ROUNDS, sizeof(*cell->round));
	for (int m = 0; m < METRICS; m++) {
		cell->value[m] = calloc(ROUNDS, sizeof(double));
		for (size_t i = 0; i < ROUNDS; i++) {
			cell->round[i] = i;
			cell->value[m][i] = m == METRIC_SYSTEM_CYCLES ? NAN :
									level + (double)i - 1;
		}
	}
}

/* Local costs @level, remote twice that; two domains. */
static struct bench_file *make_file(int boot, double level, const char *cpu)
{
	struct bench_file *f = calloc(1, sizeof(*f));

	f->name = text("%d.json", boot);
	f->boot = text("boot %d", boot);
	f->load = NAN;
	f->facts = calloc(1, sizeof(*f->facts));
	f->n_facts = 1;
	f->facts[0] = (struct result_fact){ text("cpu_model"), text("%s", cpu), RULE_SAME };
	f->cells = calloc(4, sizeof(*f->cells));
	f->n_cells = 4;
	for (int d = 0; d < 2; d++) {
		fill_cell(&f->cells[d], KIND_LOCAL, d, level);
		fill_cell(&f->cells[2 + d], KIND_SAME_PACKAGE, d, 2 * level);
	}
	return f;
}

static struct bench_set make_set(int first, int boots, double level, const char *cpu)
{
	struct bench_set set = { .files = calloc((size_t)boots, sizeof(struct bench_file *)),
				 .n = (size_t)boots };

	for (int i = 0; i < boots; i++)
		set.files[i] = make_file(first + i, level + i, cpu);
	ck_assert_int_eq(bench_set_group(&set), 0);
	return set;
}

static const struct compare_wish any = { .metric = -1 };

START_TEST(five_against_five)
{
	struct bench_set b = make_set(0, 5, 1000, "x"), a = make_set(10, 5, 500, "x");
	struct comparison c;
	char error[BENCH_ERROR_SIZE];

	ck_assert_int_eq(compare_sets(&b, &a, &any, &c, error), 0);
	ck_assert_uint_eq(c.n_rows, 2);
	ck_assert_int_eq(c.metric, METRIC_CYCLES);
	ck_assert_str_eq(c.rows[0].label, "Local Domain");
	ck_assert_str_eq(c.rows[1].label, "Remote Domain");
	ck_assert_double_eq(c.rows[0].side[BEFORE].mean, 1002);
	ck_assert_double_eq(c.rows[0].side[AFTER].mean, 502);
	ck_assert_double_eq(c.rows[0].side[AFTER].per_read, 50.2);
	ck_assert_double_eq_tol(c.rows[0].change, 502.0 / 1002 - 1, 1e-12);
	ck_assert_double_eq_tol(c.rows[0].test.p, 2.0 / 252, 1e-12);
	ck_assert_double_eq_tol(c.rows[0].p_holm, 4.0 / 252, 1e-12);
	ck_assert(c.rows[0].told);
	ck_assert(c.rows[0].has_interval);
	ck_assert_double_lt(c.rows[0].low, c.rows[0].change);
	ck_assert_double_gt(c.rows[0].high, c.rows[0].change);
	ck_assert(!c.refused);
	comparison_free(&c);
	bench_set_free(&b);
	bench_set_free(&a);
}
END_TEST

START_TEST(three_are_never_told_apart)
{
	struct bench_set b = make_set(0, 3, 1000, "x"), a = make_set(10, 3, 1, "x");
	struct comparison c;
	char error[BENCH_ERROR_SIZE];

	ck_assert_int_eq(compare_sets(&b, &a, &any, &c, error), 0);
	ck_assert_double_eq_tol(c.rows[0].test.p, 0.1, 1e-12);
	ck_assert(!c.rows[0].told);
	ck_assert_ptr_nonnull(compare_next_note(&c, NULL));
	comparison_free(&c);
	bench_set_free(&b);
	bench_set_free(&a);
}
END_TEST

START_TEST(one_boot_claims_nothing)
{
	struct bench_set b = make_set(0, 1, 1000, "x"), a = make_set(10, 1, 500, "x");
	struct comparison c;
	char error[BENCH_ERROR_SIZE];

	ck_assert_int_eq(compare_sets(&b, &a, &any, &c, error), 0);
	ck_assert_double_eq(c.rows[0].change, -0.5);
	ck_assert(!c.rows[0].has_test && !c.rows[0].has_interval && !c.rows[0].told);
	ck_assert_str_eq(compare_next_note(&c, NULL),
			 "one boot per side: no claim of significance");
	comparison_free(&c);
	bench_set_free(&b);
	bench_set_free(&a);
}
END_TEST

START_TEST(other_machines_are_refused)
{
	struct bench_set b = make_set(0, 2, 1000, "x"), a = make_set(10, 2, 500, "y");
	struct comparison c;
	char error[BENCH_ERROR_SIZE];

	ck_assert_int_eq(compare_sets(&b, &a, &any, &c, error), 0);
	ck_assert(c.refused);
	ck_assert_uint_eq(c.n_findings, 1);
	ck_assert_str_eq(c.findings[0].name, "cpu_model");
	ck_assert_str_eq(c.findings[0].text[BEFORE], "x");
	ck_assert_str_eq(c.findings[0].text[AFTER], "y");
	comparison_free(&c);
	bench_set_free(&b);
	bench_set_free(&a);
}
END_TEST

START_TEST(zeros_and_equals)
{
	struct bench_set b = make_set(0, 1, 1, "x"), a = make_set(10, 1, 1, "x");
	struct comparison c;
	char error[BENCH_ERROR_SIZE];

	for (size_t i = 0; i < 4; i++) {
		for (int m = 0; m < METRICS; m++)
			memset(b.files[0]->cells[i].value[m], 0, ROUNDS * sizeof(double));
	}
	ck_assert_int_eq(compare_sets(&b, &a, &any, &c, error), 0);
	ck_assert_double_nan(c.rows[0].change);
	ck_assert_double_eq(c.rows[0].side[BEFORE].mean, 0);
	comparison_free(&c);
	bench_set_free(&b);
	bench_set_free(&a);
}
END_TEST

START_TEST(metric_that_is_not_there)
{
	static const struct compare_wish wish = { .metric = METRIC_SYSTEM_CYCLES };
	struct bench_set b = make_set(0, 2, 1000, "x"), a = make_set(10, 2, 500, "x");
	struct comparison c;
	char error[BENCH_ERROR_SIZE];

	ck_assert_int_eq(compare_sets(&b, &a, &wish, &c, error), -EINVAL);
	ck_assert_ptr_nonnull(strstr(error, "system_cycles"));
	comparison_free(&c);
	bench_set_free(&b);
	bench_set_free(&a);
}
END_TEST

START_TEST(numbers_for_people)
{
	static const struct {
		double value;
		const char *want;
	} rows[] = {
		{ 0, "0" },	    { 7, "7" },		{ 999, "999" },	   { 999.6, "1.00k" },
		{ 2.5, "2.50" },    { 11440, "11.4k" }, { 5.72e6, "5.72M" }, { 9.996e6, "10.0M" },
		{ -1.5e9, "-1.50G" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct buf out = { 0 };

		compare_number(&out, rows[i].value);
		buf_char(&out, '\0');
		ck_assert_str_eq(out.data, rows[i].want);
		buf_free(&out);
	}
}
END_TEST

UNIT_CASE(compare_tests)
{
	TCase *tc = tcase_create("compare");

	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, five_against_five);
	tcase_add_test(tc, three_are_never_told_apart);
	tcase_add_test(tc, one_boot_claims_nothing);
	tcase_add_test(tc, other_machines_are_refused);
	tcase_add_test(tc, zeros_and_equals);
	tcase_add_test(tc, metric_that_is_not_there);
	tcase_add_test(tc, numbers_for_people);
	return tc;
}

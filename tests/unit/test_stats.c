// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Statistics against values that were worked out by other means: by hand, by a
 * program of another make, or in the literature named beside them.
 */
#include <errno.h>
#include <math.h>

#include "base/cleanup.h"
#include "cli/stats.h"
#include "unit.h"

#define NEAR 1e-12

static struct stats_test permute(const double *a, size_t na, const double *b, size_t nb)
{
	struct stats_rng rng;
	struct stats_test test;

	stats_seed(&rng, 1);
	ck_assert_int_eq(stats_permutation(a, na, b, nb, &rng, &test), 0);
	return test;
}

#define PERMUTE(a, b) permute(a, ARRAY_SIZE(a), b, ARRAY_SIZE(b))

START_TEST(quantiles_follow_definition_7)
{
	/* Ranks 1 + 4 p: by hand. */
	static const double five[] = { 1, 2, 4, 8, 16 };
	static const double ten[] = { 3, 6, 7, 8, 8, 10, 13, 15, 16, 20 };

	ck_assert_double_eq(stats_quantile(five, 5, 0), 1);
	ck_assert_double_eq(stats_quantile(five, 5, 1), 16);
	ck_assert_double_eq(stats_quantile(five, 5, 0.5), 4);
	ck_assert_double_eq_tol(stats_quantile(five, 5, 0.1), 1.4, NEAR);
	ck_assert_double_eq_tol(stats_quantile(five, 5, 0.9), 12.8, NEAR);
	/* The ten numbers whose quartiles everybody's definition gives differently. */
	ck_assert_double_eq_tol(stats_quantile(ten, 10, 0.25), 7.25, NEAR);
	ck_assert_double_eq_tol(stats_quantile(ten, 10, 0.5), 9, NEAR);
	ck_assert_double_eq_tol(stats_quantile(ten, 10, 0.75), 14.5, NEAR);
}
END_TEST

START_TEST(one_value_is_every_quantile)
{
	double one[] = { 7 }, same[] = { 3, 3, 3 }, zero[] = { 0, 0 };

	for (int p = 0; p <= 10; p++)
		ck_assert_double_eq(stats_quantile(one, 1, p / 10.0), 7);
	ck_assert_double_eq(stats_median(one, 1), 7);
	ck_assert_double_eq(stats_median(same, 3), 3);
	ck_assert_double_eq(stats_median(zero, 2), 0);
	ck_assert_double_eq(stats_deviation(one, 1), 0);
	ck_assert_double_eq(stats_deviation(same, 3), 0);
}
END_TEST

START_TEST(median_sorts_in_place)
{
	double even[] = { 9, 1, 5, 3 }, spread[] = { 2, 4, 4, 4, 5, 5, 7, 9 };

	ck_assert_double_eq(stats_median(even, 4), 4);
	ck_assert_double_eq(even[0], 1);
	ck_assert_double_eq(even[3], 9);
	ck_assert_double_eq(stats_mean(spread, 8), 5);
	ck_assert_double_eq_tol(stats_deviation(spread, 8), 2.138089935299395, NEAR);
}
END_TEST

START_TEST(counts_of_assignments)
{
	ck_assert_uint_eq(stats_choose(10, 5), 252);
	ck_assert_uint_eq(stats_choose(8, 4), 70);
	ck_assert_uint_eq(stats_choose(6, 3), 20);
	ck_assert_uint_eq(stats_choose(5, 0), 1);
	ck_assert_uint_eq(stats_choose(5, 6), 0);
	ck_assert_uint_eq(stats_choose(67, 33), 14226520737620288370u);
	ck_assert_uint_eq(stats_choose(200, 100), UINT64_MAX);
	ck_assert_double_eq_tol(stats_smallest_p(5, 5), 2.0 / 252, NEAR);
	ck_assert_double_eq_tol(stats_smallest_p(4, 5), 1.0 / 126, NEAR);
	ck_assert_double_gt(stats_smallest_p(3, 3), 0.05);
	ck_assert_double_lt(stats_smallest_p(4, 4), 0.05);
}
END_TEST

START_TEST(sides_that_are_fully_apart)
{
	static const double low[] = { 1, 2, 3, 4, 5 }, high[] = { 11, 12, 14, 13, 15 };
	struct stats_test t = PERMUTE(low, high);

	ck_assert(t.exact);
	ck_assert_uint_eq(t.assignments, 252);
	ck_assert_uint_eq(t.extreme, 2);
	ck_assert_double_eq_tol(t.p, 2.0 / 252, NEAR);
	t = permute(low, 4, high, 4);
	ck_assert_uint_eq(t.assignments, 70);
	ck_assert_double_eq_tol(t.p, 2.0 / 70, NEAR);
	t = permute(low, 3, high, 4);
	ck_assert_uint_eq(t.assignments, 35);
	ck_assert_uint_eq(t.extreme, 1);
}
END_TEST

START_TEST(three_a_side_never_reach_five_percent)
{
	static const double low[] = { 1, 1.0001, 1.0002 }, high[] = { 1e6, 1e6, 1e6 + 1 };

	ck_assert_double_eq_tol(PERMUTE(low, high).p, 0.1, NEAR);
}
END_TEST

/* Counted by a program in another language, over all choices, with integers. */
START_TEST(ties_count_as_extreme)
{
	static const double a[] = { 1, 1, 2, 3 }, b[] = { 2, 2, 3, 3 };
	static const double same[] = { 5, 5 };
	static const double one[] = { 1 };
	static const double c[] = { 1, 9, 9, 9 }, d[] = { 10, 10, 10, 30 };

	ck_assert_uint_eq(PERMUTE(a, b).extreme, 28);
	ck_assert_double_eq(PERMUTE(same, same).p, 1);
	ck_assert_double_eq(PERMUTE(one, one).p, 1);
	ck_assert_uint_eq(PERMUTE(c, d).extreme, 2);
}
END_TEST

/* Sums that would be equal in exact arithmetic, and are not in binary. */
START_TEST(ties_survive_rounding)
{
	static const double a[] = { 0.1, 0.2, 0.7 }, b[] = { 0.3, 0.3, 0.4 };

	ck_assert_double_eq(PERMUTE(a, b).p, 1);
}
END_TEST

/* Efron and Tibshirani (1993), survival of 16 mice; the exact count by another program. */
START_TEST(published_two_samples)
{
	static const double treated[] = { 94, 197, 16, 38, 99, 141, 23 };
	static const double control[] = { 52, 104, 146, 10, 51, 30, 40, 27, 46 };
	struct stats_test t = PERMUTE(treated, control);

	ck_assert(t.exact);
	ck_assert_uint_eq(t.assignments, 11440);
	ck_assert_uint_eq(t.extreme, 3184);
}
END_TEST

/*
 * Darwin's maize, eighths of an inch, as Fisher (1935, section 21) took it: of 32768
 * ways to set the signs 863 give a sum of 314 or more, and as many -314 or less.
 */
START_TEST(published_pairs)
{
	static const double maize[] = { 49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48 };
	/* Student's sleep data: 0 may have either sign. */
	static const double sleep[] = { 12, 24, 13, 13, 0, 10, 18, 8, 46, 14 };
	struct stats_rng rng;
	struct stats_test t;

	stats_seed(&rng, 1);
	stats_sign_flip(maize, ARRAY_SIZE(maize), &rng, &t);
	ck_assert(t.exact);
	ck_assert_uint_eq(t.assignments, 32768);
	ck_assert_uint_eq(t.extreme, 2 * 863);
	stats_sign_flip(sleep, ARRAY_SIZE(sleep), &rng, &t);
	ck_assert_uint_eq(t.assignments, 1024);
	ck_assert_uint_eq(t.extreme, 4);
}
END_TEST

START_TEST(many_boots_are_drawn)
{
	double a[15], b[15], d[40];
	struct stats_rng rng;
	struct stats_test t;

	for (int i = 0; i < 15; i++) {
		a[i] = i;
		b[i] = i + 100;
	}
	t = PERMUTE(a, b);
	ck_assert(!t.exact);
	ck_assert_uint_eq(t.assignments, STATS_DRAWS + 1);
	ck_assert_uint_eq(t.extreme, 1);
	ck_assert_double_eq(t.p, PERMUTE(a, b).p);
	ck_assert_double_eq(PERMUTE(a, a).p, 1);
	for (int i = 0; i < 40; i++)
		d[i] = i % 2 ? 1 : -1;
	stats_seed(&rng, 1);
	stats_sign_flip(d, 40, &rng, &t);
	ck_assert(!t.exact);
	ck_assert_double_eq(t.p, 1);
}
END_TEST

/* The textbook case: 0.01, 0.04, 0.03, 0.005 -> 0.03, 0.06, 0.06, 0.02. */
START_TEST(holm)
{
	static const double p[] = { 0.01, 0.04, 0.03, 0.005 };
	static const double want[] = { 0.03, 0.06, 0.06, 0.02 };
	static const double large[] = { 0.6, 0.9 };
	double adjusted[4];

	ck_assert_int_eq(stats_holm(p, 4, adjusted), 0);
	for (int i = 0; i < 4; i++)
		ck_assert_double_eq_tol(adjusted[i], want[i], NEAR);
	ck_assert_int_eq(stats_holm(large, 2, adjusted), 0);
	ck_assert_double_eq(adjusted[0], 1);
	ck_assert_double_eq(adjusted[1], 1);
	ck_assert_int_eq(stats_holm(p, 1, adjusted), 0);
	ck_assert_double_eq(adjusted[0], 0.01);
	ck_assert_int_eq(stats_holm(p, 0, adjusted), 0);
}
END_TEST

/* The first outputs of splitmix64 for the seed 1234567, as published with it. */
START_TEST(generator)
{
	static const uint64_t want[] = { 6457827717110365317u, 3203168211198807973u,
					 9817491932198370423u };
	struct stats_rng rng;
	size_t seen[3] = { 0 };

	stats_seed(&rng, 1234567);
	for (size_t i = 0; i < ARRAY_SIZE(want); i++)
		ck_assert_uint_eq(stats_random(&rng), want[i]);
	for (int i = 0; i < 30000; i++)
		seen[stats_below(&rng, 3)]++;
	for (int i = 0; i < 3; i++)
		ck_assert_uint_gt(seen[i], 9700);
	ck_assert_uint_eq(stats_below(&rng, 1), 0);
}
END_TEST

#define BOOTS 5
#define ITERATIONS 20

struct side {
	double values[BOOTS][ITERATIONS];
	struct stats_cell cell[BOOTS];
	struct stats_boot boot[BOOTS];
	struct stats_side side;
};

/* About normal: the sum of twelve uniform numbers, less six. */
static double noise(struct stats_rng *rng)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += (double)(stats_random(rng) >> 11) / 9007199254740992.0;
	return sum;
}

static void fill(struct side *s, double level, double between, double within,
		 struct stats_rng *rng)
{
	for (size_t b = 0; b < BOOTS; b++) {
		double boot = level * (1 + between * noise(rng));

		for (size_t i = 0; i < ITERATIONS; i++)
			s->values[b][i] = boot * (1 + within * noise(rng));
		stats_sort(s->values[b], ITERATIONS);
		s->cell[b] = (struct stats_cell){ s->values[b], ITERATIONS };
		s->boot[b] = (struct stats_boot){ &s->cell[b], 1 };
	}
	s->side = (struct stats_side){ s->boot, BOOTS };
}

START_TEST(interval_holds_the_change)
{
	struct stats_rng rng;
	struct side before, after;
	double low, high, again[2];

	stats_seed(&rng, 5);
	fill(&before, 5.72e6, 0.01, 0.02, &rng);
	fill(&after, 1.22e6, 0.01, 0.02, &rng);
	stats_seed(&rng, 1);
	ck_assert_int_eq(stats_interval(&before.side, &after.side, &rng, &low, &high), 0);
	ck_assert_double_lt(low, 1.22 / 5.72 - 1);
	ck_assert_double_gt(high, 1.22 / 5.72 - 1);
	ck_assert_double_lt(high - low, 0.02);
	stats_seed(&rng, 1);
	stats_interval(&before.side, &after.side, &rng, &again[0], &again[1]);
	ck_assert_double_eq(low, again[0]);
	ck_assert_double_eq(high, again[1]);
}
END_TEST

START_TEST(interval_of_the_degenerate)
{
	struct stats_rng rng;
	struct side same, zero;
	double low, high;

	stats_seed(&rng, 1);
	fill(&same, 7, 0, 0, &rng);
	fill(&zero, 0, 0, 0, &rng);
	ck_assert_int_eq(stats_interval(&same.side, &same.side, &rng, &low, &high), 0);
	ck_assert_double_eq(low, 0);
	ck_assert_double_eq(high, 0);
	ck_assert_int_eq(stats_interval(&zero.side, &same.side, &rng, &low, &high), -EDOM);
	ck_assert_int_eq(stats_interval(&same.side, &zero.side, &rng, &low, &high), 0);
	ck_assert_double_eq(high, -1);
	same.side.n = 1;
	ck_assert_int_eq(stats_interval(&same.side, &zero.side, &rng, &low, &high), -EDOM);
}
END_TEST

/*
 * Two kernels that are the same, boots that vary by 1 %, iterations by 2 %: what a rank
 * test over the iterations gets wrong in most cases.
 */
START_TEST(false_alarms_are_rare)
{
	enum { TRIALS = 20000 };
	struct stats_rng rng;
	size_t alarms = 0;

	stats_seed(&rng, 2024);
	for (int i = 0; i < TRIALS; i++) {
		struct side before, after;
		double a[BOOTS], b[BOOTS];

		fill(&before, 1e6, 0.01, 0.02, &rng);
		fill(&after, 1e6, 0.01, 0.02, &rng);
		for (size_t k = 0; k < BOOTS; k++) {
			stats_boot_value(&before.boot[k], &b[k]);
			stats_boot_value(&after.boot[k], &a[k]);
		}
		alarms += permute(b, BOOTS, a, BOOTS).p <= 0.05;
	}
	/* 12 of 252, or 952 of them, are what 5 % leaves room for; the rest is chance. */
	ck_assert_uint_le(alarms, TRIALS / 20);
}
END_TEST

UNIT_CASE(stats_tests)
{
	TCase *tc = tcase_create("stats");

	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, quantiles_follow_definition_7);
	tcase_add_test(tc, one_value_is_every_quantile);
	tcase_add_test(tc, median_sorts_in_place);
	tcase_add_test(tc, counts_of_assignments);
	tcase_add_test(tc, sides_that_are_fully_apart);
	tcase_add_test(tc, three_a_side_never_reach_five_percent);
	tcase_add_test(tc, ties_count_as_extreme);
	tcase_add_test(tc, ties_survive_rounding);
	tcase_add_test(tc, published_two_samples);
	tcase_add_test(tc, published_pairs);
	tcase_add_test(tc, many_boots_are_drawn);
	tcase_add_test(tc, holm);
	tcase_add_test(tc, generator);
	tcase_add_test(tc, interval_holds_the_change);
	tcase_add_test(tc, interval_of_the_degenerate);
	tcase_add_test(tc, false_alarms_are_rare);
	return tc;
}

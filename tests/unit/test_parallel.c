// SPDX-License-Identifier: LGPL-2.1-or-later
#include "unit.h"

#include "cli/parallel.h"

/* Play a machine on which the two ways take so long; the choice in the end. */
static size_t settle(size_t domains, enum read_path path, uint64_t one_ns, uint64_t all_ns)
{
	struct parallel p;
	size_t all = 0;

	parallel_reset(&p, domains);
	for (int i = 0; i < 100; i++) {
		size_t n = parallel_next(&p, path);

		ck_assert(n == 1 || n == domains);
		all += n > 1;
		/* Chance makes some of them slower. */
		parallel_learn(&p, n, (n == 1 ? one_ns : all_ns) * (i % 3 ? 3 : 1));
	}
	if (path != PATH_DIRECT)
		ck_assert_uint_eq(all, 0);
	return p.choice;
}

START_TEST(test_direct)
{
	ck_assert_uint_eq(settle(32, PATH_DIRECT, 1000, 550), 32);
	ck_assert_uint_eq(settle(32, PATH_DIRECT, 1000, 1100), 1);
	ck_assert_uint_eq(settle(2, PATH_DIRECT, 1000, 999), 2);
}
END_TEST

/* Nothing is tried where it is known to be worse. */
START_TEST(test_deferred)
{
	ck_assert_uint_eq(settle(32, PATH_DEFERRED, 1000, 1), 1);
	ck_assert_uint_eq(settle(32, PATH_REMOTE, 1000, 1), 1);
	ck_assert_uint_eq(settle(32, PATH_UNKNOWN, 1000, 1), 1);
	ck_assert_uint_eq(settle(1, PATH_DIRECT, 1000, 1), 1);
}
END_TEST

/* A new plan is a new question. */
START_TEST(test_again)
{
	struct parallel p;

	parallel_reset(&p, 8);
	for (int i = 0; i < 2 * PARALLEL_TRIALS; i++) {
		size_t n = parallel_next(&p, PATH_DIRECT);

		ck_assert_uint_eq(p.choice, 0);
		parallel_learn(&p, n, n);
	}
	ck_assert_uint_eq(p.choice, 1);
	parallel_reset(&p, 9);
	ck_assert_uint_eq(p.choice, 0);
	parallel_learn(&p, parallel_next(&p, PATH_DIRECT), 1);
	ck_assert_uint_eq(parallel_next(&p, PATH_DIRECT), 9);
}
END_TEST

UNIT_CASE(parallel_tests)
{
	TCase *tc = tcase_create("parallel");

	tcase_add_test(tc, test_direct);
	tcase_add_test(tc, test_deferred);
	tcase_add_test(tc, test_again);
	return tc;
}

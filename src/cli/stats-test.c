// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Permutation tests.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/stats.h"

/*
 * Sums of the same numbers in another order differ in their last bits; what is that
 * close counts as equal, or ties would be lost.
 */
#define TIE 1e-10

uint64_t stats_choose(size_t n, size_t k)
{
	unsigned __int128 ways = 1;

	if (k > n)
		return 0;
	if (k > n - k)
		k = n - k;
	for (size_t i = 1; i <= k; i++) {
		ways = ways * (n - k + i) / i;
		if (ways > UINT64_MAX)
			return UINT64_MAX;
	}
	return (uint64_t)ways;
}

double stats_smallest_p(size_t na, size_t nb)
{
	uint64_t ways = stats_choose(na + nb, na);

	/* The mirror image of an assignment is another one only between equals. */
	if (na == 0 || nb == 0)
		return 1;
	return (na == nb ? 2.0 : 1.0) / (double)ways;
}

struct pool {
	double *values;
	size_t n, k; /* @k of them are dealt to the first side */
	double total, seen;
	double tie;
};

/* n * na times the distance between the means, but for a constant factor. */
static double apart(const struct pool *pool, double sum)
{
	return fabs(sum * (double)pool->n - pool->total * (double)pool->k);
}

static bool is_extreme(const struct pool *pool, double sum)
{
	return apart(pool, sum) >= pool->seen - pool->tie;
}

/* The next ascending choice of k out of n indices, in lexical order. */
static bool next_choice(size_t *chosen, size_t n, size_t k)
{
	size_t i = k;

	while (i && chosen[i - 1] == n - k + i - 1)
		i--;
	if (!i)
		return false;
	chosen[i - 1]++;
	for (; i < k; i++)
		chosen[i] = chosen[i - 1] + 1;
	return true;
}

static int every_choice(const struct pool *pool, struct stats_test *test)
{
	cleanup(cleanup_free) size_t *chosen = calloc(pool->k + 1, sizeof(*chosen));

	if (!chosen)
		return -ENOMEM;
	for (size_t i = 0; i < pool->k; i++)
		chosen[i] = i;
	do {
		double sum = 0;

		for (size_t i = 0; i < pool->k; i++)
			sum += pool->values[chosen[i]];
		test->extreme += is_extreme(pool, sum);
		test->assignments++;
	} while (next_choice(chosen, pool->n, pool->k));
	test->p = (double)test->extreme / (double)test->assignments;
	return 0;
}

/* What was seen counts as one of the draws, so that p is never 0. */
static void set_drawn(struct stats_test *test)
{
	test->extreme++;
	test->assignments++;
	test->exact = false;
	test->p = (double)test->extreme / (double)test->assignments;
}

static void some_choices(struct pool *pool, struct stats_rng *rng, struct stats_test *test)
{
	for (test->assignments = 0; test->assignments < STATS_DRAWS; test->assignments++) {
		double sum = 0;

		for (size_t i = 0; i < pool->k; i++) {
			size_t other = i + stats_below(rng, pool->n - i);
			double value = pool->values[other];

			pool->values[other] = pool->values[i];
			pool->values[i] = value;
			sum += value;
		}
		test->extreme += is_extreme(pool, sum);
	}
	set_drawn(test);
}

int stats_permutation(const double *a, size_t na, const double *b, size_t nb,
		      struct stats_rng *rng, struct stats_test *test)
{
	cleanup(cleanup_free) double *values = calloc(na + nb + 1, sizeof(*values));
	struct pool pool = { .values = values, .n = na + nb, .k = na };
	double size = 0;

	if (!values)
		return -ENOMEM;
	*test = (struct stats_test){ .exact = true };
	memcpy(values, a, na * sizeof(*a));
	memcpy(values + na, b, nb * sizeof(*b));
	for (size_t i = 0; i < pool.n; i++) {
		pool.total += values[i];
		size += fabs(values[i]);
	}
	pool.seen = apart(&pool, stats_mean(a, na) * (double)na);
	pool.tie = TIE * size * (double)pool.n;
	if (stats_choose(pool.n, na) <= STATS_EXACT_MAX)
		return every_choice(&pool, test);
	some_choices(&pool, rng, test);
	return 0;
}

static double signed_sum(const double *differences, size_t n, uint64_t signs)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += signs >> i & 1 ? -differences[i] : differences[i];
	return sum;
}

static double drawn_sum(const double *differences, size_t n, struct stats_rng *rng)
{
	uint64_t signs = 0;
	double sum = 0;

	for (size_t i = 0; i < n; i++, signs >>= 1) {
		if (i % 64 == 0)
			signs = stats_random(rng);
		sum += signs & 1 ? -differences[i] : differences[i];
	}
	return sum;
}

void stats_sign_flip(const double *differences, size_t n, struct stats_rng *rng,
		     struct stats_test *test)
{
	double seen = 0, size = 0, limit;

	*test = (struct stats_test){ .exact = true };
	for (size_t i = 0; i < n; i++) {
		seen += differences[i];
		size += fabs(differences[i]);
	}
	limit = fabs(seen) - TIE * size;
	if (n < 64 && UINT64_C(1) << n <= STATS_EXACT_MAX) {
		test->assignments = UINT64_C(1) << n;
		for (uint64_t signs = 0; signs < test->assignments; signs++)
			test->extreme += fabs(signed_sum(differences, n, signs)) >= limit;
		test->p = (double)test->extreme / (double)test->assignments;
		return;
	}
	for (test->assignments = 0; test->assignments < STATS_DRAWS; test->assignments++)
		test->extreme += fabs(drawn_sum(differences, n, rng)) >= limit;
	set_drawn(test);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Statistics of small samples. Pure: no state, no clock; what is random comes from
 * a generator the caller has seeded, so that the same input gives the same output.
 */
#ifndef CLI_STATS_H
#define CLI_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Up to here every assignment is looked at; above, STATS_DRAWS of them. */
#define STATS_EXACT_MAX (1u << 20)
#define STATS_DRAWS	100000u
/* Of the bootstrap: of the boots, and of the iterations in each boot. */
#define STATS_REPLICATES       10000u
#define STATS_INNER_REPLICATES 400u

/* splitmix64: enough for resampling, and ten lines that can be read. */
struct stats_rng {
	uint64_t state;
};

void stats_seed(struct stats_rng *rng, uint64_t seed);
uint64_t stats_random(struct stats_rng *rng);
/* Uniform in 0 ... @n - 1; @n > 0. */
size_t stats_below(struct stats_rng *rng, size_t n);

/* Ascending. */
void stats_sort(double *values, size_t n);

/*
 * The quantile @p (0 to 1) of @n > 0 ascending values, by definition 7 of Hyndman and
 * Fan (1996): linear between the values at ranks around 1 + (n - 1) p. It is what R
 * and NumPy do when not told otherwise.
 */
double stats_quantile(const double *sorted, size_t n, double p);

/* Sorts @values; @n > 0. */
double stats_median(double *values, size_t n);
double stats_mean(const double *values, size_t n);
/* Of the sample, with n - 1 below the line; 0 for one value. */
double stats_deviation(const double *values, size_t n);

/* n over k; UINT64_MAX when it doesn't fit. */
uint64_t stats_choose(size_t n, size_t k);

struct stats_test {
	double p;
	bool exact;
	uint64_t assignments; /* looked at */
	uint64_t extreme;     /* at least as extreme as what was seen, itself included */
};

/*
 * Two-sided permutation test of the difference of two means: p is the share of all
 * ways to deal the values out to sides of these sizes that set the means at least as
 * far apart. 0 or -ENOMEM.
 */
int stats_permutation(const double *a, size_t na, const double *b, size_t nb,
		      struct stats_rng *rng, struct stats_test *test);

/*
 * The same for @n pairs, of which only the differences are given: p is the share of
 * all ways to give them signs whose sum is at least as far from 0.
 */
void stats_sign_flip(const double *differences, size_t n, struct stats_rng *rng,
		     struct stats_test *test);

/* The smallest p that sides of these sizes can reach. */
double stats_smallest_p(size_t na, size_t nb);

/* p -> p adjusted for @n tests by Holm's method; @adjusted has room for @n. 0 or -ENOMEM. */
int stats_holm(const double *p, size_t n, double *adjusted);

/* 0.975 quantile of Student's t, three decimals; between 30 and infinity that of 30. */
double stats_t975(double degrees);

/* What was measured in one cell of one boot: ascending, n > 0. */
struct stats_cell {
	const double *values;
	size_t n;
};

struct stats_boot {
	const struct stats_cell *cells;
	size_t n;
};

struct stats_side {
	const struct stats_boot *boots;
	size_t n;
};

/* The median over its cells of their medians. 0 or -ENOMEM. */
int stats_boot_value(const struct stats_boot *boot, double *value);

/*
 * 95 % interval of mean(after) / mean(before) - 1, the means being those of the boots'
 * values. Two-level bootstrap: boots are drawn with replacement, then iterations within
 * each. Few boots make the plain interval too narrow, so it is widened as Hesterberg
 * (2015) proposes: by sqrt(n / (n - 1)) on each side, and by Student's t over the
 * normal quantile, with Welch's degrees of freedom.
 * 0; -EDOM: a side has fewer than two boots, or nothing can be divided by; -ENOMEM.
 */
int stats_interval(const struct stats_side *before, const struct stats_side *after,
		   struct stats_rng *rng, double *low, double *high);

/* The same for pairs: mean(after) / mean(before) - 1 where pairs are drawn whole. */
int stats_pair_interval(const double *before, const double *after, size_t n,
			struct stats_rng *rng, double *low, double *high);

#endif

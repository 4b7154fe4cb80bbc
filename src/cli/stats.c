// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/stats.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/cleanup.h"

void stats_seed(struct stats_rng *rng, uint64_t seed)
{
	rng->state = seed;
}

uint64_t stats_random(struct stats_rng *rng)
{
	uint64_t z;

	rng->state += 0x9e3779b97f4a7c15u;
	z = rng->state;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

size_t stats_below(struct stats_rng *rng, size_t n)
{
	/* 2^64 mod n: what lies below would come up once too often. */
	uint64_t skip = -(uint64_t)n % n;

	for (;;) {
		unsigned __int128 wide = (unsigned __int128)stats_random(rng) * n;

		if ((uint64_t)wide >= skip)
			return (size_t)(wide >> 64);
	}
}

static int by_value(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

void stats_sort(double *values, size_t n)
{
	qsort(values, n, sizeof(*values), by_value);
}

double stats_quantile(const double *sorted, size_t n, double p)
{
	double rank = (double)(n - 1) * p;
	size_t below = rank > 0 ? (size_t)rank : 0;

	if (below >= n - 1)
		return sorted[n - 1];
	return sorted[below] + (sorted[below + 1] - sorted[below]) * (rank - (double)below);
}

double stats_median(double *values, size_t n)
{
	stats_sort(values, n);
	return stats_quantile(values, n, 0.5);
}

double stats_mean(const double *values, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += values[i];
	return n ? sum / (double)n : 0;
}

double stats_deviation(const double *values, size_t n)
{
	double mean = stats_mean(values, n), sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (values[i] - mean) * (values[i] - mean);
	return n > 1 ? sqrt(sum / (double)(n - 1)) : 0;
}

double stats_t975(double degrees)
{
	static const double table[] = {
		12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
		2.201,	2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
		2.080,	2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
	};
	size_t whole = degrees >= 1 ? (size_t)(degrees < 30 ? degrees : 30) : 1;

	return table[whole - 1];
}

struct ranked {
	double p;
	size_t i;
};

static int by_p(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;

	return (a->p > b->p) - (a->p < b->p);
}

int stats_holm(const double *p, size_t n, double *adjusted)
{
	cleanup(cleanup_free) struct ranked *rank = calloc(n ? n : 1, sizeof(*rank));
	double largest = 0;

	if (!rank)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		rank[i] = (struct ranked){ .p = p[i], .i = i };
	qsort(rank, n, sizeof(*rank), by_p);
	for (size_t i = 0; i < n; i++) {
		double scaled = rank[i].p * (double)(n - i);

		if (scaled > largest)
			largest = scaled;
		adjusted[rank[i].i] = largest < 1 ? largest : 1;
	}
	return 0;
}

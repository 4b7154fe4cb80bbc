// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The bootstrap.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/stats.h"

#define NORMAL_975 1.960

int stats_boot_value(const struct stats_boot *boot, double *value)
{
	cleanup(cleanup_free) double *medians = calloc(boot->n ? boot->n : 1, sizeof(*medians));

	if (!medians)
		return -ENOMEM;
	for (size_t i = 0; i < boot->n; i++)
		medians[i] = stats_quantile(boot->cells[i].values, boot->cells[i].n, 0.5);
	*value = stats_median(medians, boot->n);
	return 0;
}

/*
 * The median of @n draws from @n sorted values: counting how often each was drawn
 * needs no sort. @times has room for @n.
 */
static double drawn_median(const struct stats_cell *cell, uint32_t *times, struct stats_rng *rng)
{
	size_t low = (cell->n - 1) / 2, high = cell->n / 2, passed = 0, i = 0;
	double first;

	memset(times, 0, cell->n * sizeof(*times));
	for (size_t n = 0; n < cell->n; n++)
		times[stats_below(rng, cell->n)]++;
	while (passed + times[i] <= low)
		passed += times[i++];
	first = cell->values[i];
	while (passed + times[i] <= high)
		passed += times[i++];
	return first + (cell->values[i] - first) / 2;
}

struct drawn_side {
	size_t n;
	double mean;
	double stretch;
	double error2;	   /* relative, of the mean, squared */
	double *value;	   /* of each boot */
	double *replicate; /* STATS_INNER_REPLICATES of each boot */
};

static void free_drawn(const struct drawn_side *d)
{
	free(d->value);
	free(d->replicate);
}

static int draw_boot(const struct stats_boot *boot, double *replicate, struct stats_rng *rng)
{
	cleanup(cleanup_free) double *medians = calloc(boot->n ? boot->n : 1, sizeof(*medians));
	cleanup(cleanup_free) uint32_t *times = NULL;
	size_t most = 1;

	for (size_t c = 0; c < boot->n; c++)
		most = boot->cells[c].n > most ? boot->cells[c].n : most;
	times = calloc(most, sizeof(*times));
	if (!medians || !times)
		return -ENOMEM;
	for (size_t r = 0; r < STATS_INNER_REPLICATES; r++) {
		for (size_t c = 0; c < boot->n; c++)
			medians[c] = drawn_median(&boot->cells[c], times, rng);
		replicate[r] = stats_median(medians, boot->n);
	}
	return 0;
}

static int draw_side(const struct stats_side *side, struct drawn_side *d, struct stats_rng *rng)
{
	double relative;
	int ret = 0;

	d->n = side->n;
	d->value = calloc(side->n, sizeof(*d->value));
	d->replicate = calloc(side->n, STATS_INNER_REPLICATES * sizeof(*d->replicate));
	if (!d->value || !d->replicate)
		return -ENOMEM;
	for (size_t i = 0; i < side->n && ret == 0; i++) {
		ret = stats_boot_value(&side->boots[i], &d->value[i]);
		if (ret == 0)
			ret = draw_boot(&side->boots[i], d->replicate + i * STATS_INNER_REPLICATES,
					rng);
	}
	d->mean = stats_mean(d->value, d->n);
	d->stretch = sqrt((double)d->n / (double)(d->n - 1));
	relative = d->mean != 0 ? stats_deviation(d->value, d->n) / d->mean : 0;
	d->error2 = relative * relative / (double)d->n;
	return ret;
}

static double draw_mean(const struct drawn_side *d, struct stats_rng *rng)
{
	double sum = 0;

	for (size_t i = 0; i < d->n; i++) {
		size_t boot = stats_below(rng, d->n);

		sum += d->replicate[boot * STATS_INNER_REPLICATES +
				    stats_below(rng, STATS_INNER_REPLICATES)];
	}
	return d->mean + d->stretch * (sum / (double)d->n - d->mean);
}

/* Welch and Satterthwaite: between the smaller side's and both sides' together. */
static double degrees(const struct drawn_side *a, const struct drawn_side *b)
{
	double sum = a->error2 + b->error2;
	double parts = a->error2 * a->error2 / (double)(a->n - 1) +
		       b->error2 * b->error2 / (double)(b->n - 1);

	return parts > 0 ? sum * sum / parts : (double)(a->n + b->n - 2);
}

/* Replicates of a relative change -> the interval around @change. */
static int widen(double *drawn, double change, double factor, double *low, double *high)
{
	stats_sort(drawn, STATS_REPLICATES);
	*low = change + factor * (stats_quantile(drawn, STATS_REPLICATES, 0.025) - change);
	*high = change + factor * (stats_quantile(drawn, STATS_REPLICATES, 0.975) - change);
	/* Nothing costs less than nothing. */
	if (*low < -1 && change >= -1)
		*low = -1;
	return isfinite(*low) && isfinite(*high) ? 0 : -EDOM;
}

int stats_interval(const struct stats_side *before, const struct stats_side *after,
		   struct stats_rng *rng, double *low, double *high)
{
	cleanup(cleanup_free) double *drawn = calloc(STATS_REPLICATES, sizeof(*drawn));
	struct drawn_side b = { 0 }, a = { 0 };
	int ret;

	if (before->n < 2 || after->n < 2)
		return -EDOM;
	if (!drawn)
		return -ENOMEM;
	ret = draw_side(before, &b, rng);
	if (ret == 0)
		ret = draw_side(after, &a, rng);
	if (ret == 0 && b.mean <= 0)
		ret = -EDOM;
	for (size_t i = 0; i < STATS_REPLICATES && ret == 0; i++) {
		double below = draw_mean(&b, rng);

		drawn[i] = below > 0 ? draw_mean(&a, rng) / below - 1 : INFINITY;
	}
	if (ret == 0)
		ret = widen(drawn, a.mean / b.mean - 1,
			    stats_t975(degrees(&a, &b)) / NORMAL_975, low, high);
	free_drawn(&a);
	free_drawn(&b);
	return ret;
}

int stats_pair_interval(const double *before, const double *after, size_t n,
			struct stats_rng *rng, double *low, double *high)
{
	cleanup(cleanup_free) double *drawn = calloc(STATS_REPLICATES, sizeof(*drawn));
	double mean = stats_mean(before, n);
	double factor;

	if (!drawn)
		return -ENOMEM;
	if (n < 2 || mean <= 0)
		return -EDOM;
	for (size_t i = 0; i < STATS_REPLICATES; i++) {
		double b = 0, a = 0;

		for (size_t k = 0; k < n; k++) {
			size_t pair = stats_below(rng, n);

			b += before[pair];
			a += after[pair];
		}
		drawn[i] = b > 0 ? a / b - 1 : INFINITY;
	}
	factor = sqrt((double)n / (double)(n - 1)) * stats_t975((double)(n - 1)) / NORMAL_975;
	return widen(drawn, stats_mean(after, n) / mean - 1, factor, low, high);
}

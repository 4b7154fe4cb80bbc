// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/stats.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

double stats_quantile(const double *sorted, size_t n, double p)
{
	double at = (double)(n - 1) * p;
	size_t below = (size_t)at;

	if (below + 1 >= n)
		return sorted[n - 1];
	return sorted[below] + (at - (double)below) * (sorted[below + 1] - sorted[below]);
}

double stats_median(double *values, size_t n)
{
	qsort(values, n, sizeof(*values), compare);
	return stats_quantile(values, n, 0.5);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Statistics: pure.
 */
#ifndef CLI_STATS_H
#define CLI_STATS_H

#include <stddef.h>

/* The quantile @p (0 to 1) of @n > 0 values in ascending order; between two of them
 * by linear interpolation (type 7 of Hyndman and Fan). */
double stats_quantile(const double *sorted, size_t n, double p);

/* The median of @n > 0 values, which are sorted in place. */
double stats_median(double *values, size_t n);

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Figures as people read them, and what has to be said below a table.
 */
#include <math.h>

#include "cli/compare.h"

void compare_number(struct buf *out, double value)
{
	static const char units[] = " kMGTP";
	double size = fabs(value);
	size_t unit = 0;

	/* 999.5 would become 1000 when rounded. */
	while (size >= 999.5 && unit < sizeof(units) - 2) {
		size /= 1000;
		unit++;
	}
	buf_printf(out, "%s%.*f", value < 0 ? "-" : "",
		   !unit && size == floor(size) ? 0 : size < 9.995 ? 2 : size < 99.95 ? 1 : 0,
		   size);
	if (unit)
		buf_char(out, units[unit]);
}

void compare_p(struct buf *out, double p)
{
	if (p < 0.001)
		buf_str(out, "<0.001");
	else
		buf_printf(out, "%.3f", p);
}

void compare_side_text(struct buf *out, const struct compare_side *side)
{
	double percent = side->spread * 100;

	compare_number(out, side->mean);
	buf_printf(out, " +-%.*f%%", percent > 0 && percent < 0.95 ? 1 : 0, percent);
}

static const struct compare_row *find_test(const struct comparison *c, enum compare_family family,
					   size_t *tests)
{
	const struct compare_row *first = NULL;

	*tests = 0;
	for (size_t i = 0; i < c->n_rows; i++) {
		if (!c->rows[i].has_test || c->rows[i].family != family)
			continue;
		first = first ? first : &c->rows[i];
		++*tests;
	}
	return first;
}

void compare_method(const struct comparison *c, struct buf *out)
{
	static const char *const of[FAMILIES] = {
		[FAMILY_READER] = "",
		[FAMILY_SYSTEM] = " of the system's cost",
		[FAMILY_DOMAINS] = " of single domains",
	};
	size_t tests;
	const struct compare_row *first = find_test(c, FAMILY_READER, &tests);

	if (!first)
		return;
	buf_printf(out, "p: %s, two-sided, %s%llu assignments%s.\n",
		   c->mode == COMPARE_TOGGLE ? "sign-flip test of the rounds" :
					       "permutation test of the boots",
		   first->test.exact ? "exact over all " : "Monte Carlo with ",
		   (unsigned long long)first->test.assignments,
		   first->test.exact ? "" : " (there are too many for all; seed 1)");
	buf_printf(out, "~: not told from noise: p is above %.2f when adjusted by Holm's method for",
		   COMPARE_LEVEL);
	for (int f = 0; f < FAMILIES; f++) {
		if (!find_test(c, (enum compare_family)f, &tests))
			continue;
		buf_printf(out, "%s %zu row%s%s", f ? "," : "", tests, tests > 1 ? "s" : "", of[f]);
	}
	buf_str(out, ".\n");
}

void compare_legend(const struct comparison *c, struct buf *out)
{
	bool interval = false;

	for (size_t i = 0; i < c->n_rows; i++)
		interval |= c->rows[i].has_interval;
	if (c->mode == COMPARE_TOGGLE) {
		buf_str(out, "Figures: mean over rounds of the median over cells; +-: half of p10 to "
			     "p90.\n");
		if (interval)
			buf_printf(out, "[]: 95%% bootstrap interval over rounds, seed %d.\n",
				   COMPARE_SEED);
		return;
	}
	buf_str(out, "Figures: mean over boots of the median over cells and iterations; +-: standard "
		     "deviation\nbetween boots, or half of p10 to p90 where there is one boot.\n");
	if (interval)
		buf_printf(out, "[]: 95%% two-level bootstrap interval (boots, then iterations; %u "
				"replicates, seed %d).\n",
			   STATS_REPLICATES, COMPARE_SEED);
}

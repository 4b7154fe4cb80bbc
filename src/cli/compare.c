// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/compare.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

static int test_row(struct compare_row *row)
{
	struct compare_side *b = &row->side[BEFORE], *a = &row->side[AFTER];
	struct stats_rng rng;

	if (row->kind == KIND_DRY || b->n < 2 || a->n < 2)
		return 0;
	stats_seed(&rng, COMPARE_SEED);
	row->has_test = true;
	return stats_permutation(b->value, b->n, a->value, a->n, &rng, &row->test);
}

/* Holm over the rows of one family. */
static int adjust(struct comparison *c, enum compare_family family)
{
	cleanup(cleanup_free) double *p = calloc(c->n_rows + 1, sizeof(*p));
	cleanup(cleanup_free) double *adjusted = calloc(c->n_rows + 1, sizeof(*adjusted));
	size_t n = 0;
	int ret;

	if (!p || !adjusted)
		return -ENOMEM;
	for (size_t i = 0; i < c->n_rows; i++) {
		if (c->rows[i].has_test && c->rows[i].family == family)
			p[n++] = c->rows[i].test.p;
	}
	ret = stats_holm(p, n, adjusted);
	n = 0;
	for (size_t i = 0; i < c->n_rows && ret == 0; i++) {
		struct compare_row *row = &c->rows[i];

		if (!row->has_test || row->family != family)
			continue;
		row->p_holm = adjusted[n++];
		row->told = row->p_holm <= COMPARE_LEVEL;
	}
	return ret;
}

/*
 * The noise of one side: deal its boots out to two halves in every way, or some; what
 * 95 % of the halves are apart at most is what a difference must beat.
 */
static int set_floor(struct compare_row *row)
{
	struct compare_side *side = &row->side[BEFORE];
	cleanup(cleanup_free) double *apart = calloc(STATS_REPLICATES, sizeof(*apart));
	cleanup(cleanup_free) double *value = calloc(side->n, sizeof(*value));
	size_t half = side->n / 2;
	struct stats_rng rng;

	if (!apart || !value)
		return -ENOMEM;
	if (half < 2 || side->mean <= 0)
		return 0;
	memcpy(value, side->value, side->n * sizeof(*value));
	stats_seed(&rng, COMPARE_SEED);
	for (size_t i = 0; i < STATS_REPLICATES; i++) {
		for (size_t k = 0; k < 2 * half; k++) {
			size_t other = k + stats_below(&rng, side->n - k);
			double v = value[other];

			value[other] = value[k];
			value[k] = v;
		}
		apart[i] = fabs(stats_mean(value, half) - stats_mean(value + half, half)) /
			   side->mean;
	}
	stats_sort(apart, STATS_REPLICATES);
	row->floor = stats_quantile(apart, STATS_REPLICATES, 0.95);
	return 0;
}

/* A family so large that not even sides fully apart could be told apart in it. */
static int note_power(struct comparison *c, enum compare_family family)
{
	size_t b = c->set[BEFORE]->n_boots, a = c->set[AFTER]->n_boots, tests = 0, more = 2;

	for (size_t i = 0; i < c->n_rows; i++)
		tests += c->rows[i].has_test && c->rows[i].family == family;
	if (!tests || stats_smallest_p(b, a) * (double)tests <= COMPARE_LEVEL)
		return 0;
	while (stats_smallest_p(more, more) * (double)tests > COMPARE_LEVEL)
		more++;
	return compare_note(c, "%zu and %zu boots can't tell %zu row%s%s from noise, however far "
			       "apart: take %zu boots a side",
			    b, a, tests, tests > 1 ? "s" : "", family == FAMILY_DOMAINS ? " of single domains" : "",
			    more);
}

static int note_boots(struct comparison *c)
{
	size_t b = c->set[BEFORE]->n_boots, a = c->set[AFTER]->n_boots;
	int ret;

	if (b == 1 && a == 1)
		return compare_note(c, "one boot per side: no claim of significance");
	if (b == 1 || a == 1)
		return compare_note(c, "one boot on a side: no claim of significance");
	ret = note_power(c, FAMILY_READER);
	return ret == 0 ? note_power(c, FAMILY_DOMAINS) : ret;
}

int compare_judge(struct comparison *c)
{
	int ret = 0;

	for (size_t i = 0; i < c->n_rows && ret == 0; i++) {
		struct compare_row *row = &c->rows[i];

		if (c->mode == COMPARE_SAME) {
			ret = set_floor(row);
			continue;
		}
		/* What is not tested claims nothing. */
		if (row->side[BEFORE].mean > 0 && row->kind != KIND_DRY)
			row->change = row->side[AFTER].mean / row->side[BEFORE].mean - 1;
		if (c->mode == COMPARE_SIDES)
			ret = test_row(row);
	}
	for (int f = 0; f < FAMILIES && ret == 0 && c->mode != COMPARE_SAME; f++)
		ret = adjust(c, (enum compare_family)f);
	if (ret == 0 && c->mode == COMPARE_SIDES)
		ret = note_boots(c);
	if (ret == 0 && c->mode == COMPARE_SAME && c->set[BEFORE]->n_boots < 4)
		ret = compare_note(c, "fewer than four boots: no halves of two or more to compare");
	if (ret == 0 && c->left_out)
		ret = compare_note(c, "%zu cell%s left out that not every boot has", c->left_out,
				   c->left_out > 1 ? "s" : "");
	return ret;
}

int compare_sets(const struct bench_set *before, const struct bench_set *after,
		 const struct compare_wish *wish, struct comparison *c, char *error)
{
	int ret;

	*c = (struct comparison){ .mode = wish->mode, .set = { before, after } };
	ret = compare_findings(c);
	if (ret == 0)
		ret = compare_rows(c, wish, error);
	return ret == 0 ? compare_judge(c) : ret;
}

void comparison_free(struct comparison *c)
{
	for (size_t i = 0; i < c->n_rows; i++) {
		for (int s = 0; s < SIDES; s++) {
			free(c->rows[i].side[s].value);
			free(c->rows[i].side[s].paths);
			free(c->rows[i].side[s].point);
			free(c->rows[i].side[s].point_boot);
		}
		free(c->rows[i].label);
	}
	for (size_t i = 0; i < c->n_findings; i++) {
		free(c->findings[i].name);
		free(c->findings[i].text[BEFORE]);
		free(c->findings[i].text[AFTER]);
	}
	free(c->rows);
	free(c->findings);
	free(c->why);
	buf_free(&c->notes);
	*c = (struct comparison){ 0 };
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A switch that was flipped between rounds: the pair is the round, and its order was
 * drawn, so that signs may be flipped within a boot.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "cli/compare-cells.h"

struct sighting {
	size_t boot;
	uint64_t round;
	double value;
};

struct sightings {
	struct sighting *s; /* owned */
	size_t n;
};

static int by_round(const void *left, const void *right)
{
	const struct sighting *a = left, *b = right;

	if (a->boot != b->boot)
		return a->boot < b->boot ? -1 : 1;
	if (a->round != b->round)
		return a->round < b->round ? -1 : 1;
	return (a->value > b->value) - (a->value < b->value);
}

static int add_values(struct sightings *list, size_t boot, const struct cell_values *v)
{
	struct sighting *more = reallocarray(list->s, list->n + v->n + 1, sizeof(*list->s));

	if (!more)
		return -ENOMEM;
	list->s = more;
	for (size_t i = 0; i < v->n; i++)
		list->s[list->n++] = (struct sighting){ boot, v->round[i], v->value[i] };
	return 0;
}

/* All cells of a round -> their median, in place. */
static void fold(struct sightings *list)
{
	size_t out = 0;

	qsort(list->s, list->n, sizeof(*list->s), by_round);
	for (size_t i = 0, end; i < list->n; i = end) {
		struct sighting *s = &list->s[i];
		double value;

		for (end = i + 1; end < list->n && list->s[end].boot == s->boot &&
				  list->s[end].round == s->round;)
			end++;
		value = (list->s[i + (end - i - 1) / 2].value + list->s[i + (end - i) / 2].value) /
			2;
		list->s[out] = (struct sighting){ s->boot, s->round, value };
		out++;
	}
	list->n = out;
}

static int get_side(const struct comparison *c, const struct row_cells *cells,
		    enum result_metric metric, enum result_toggle toggle, struct sightings *list,
		    struct compare_side *side)
{
	const struct bench_set *set = c->set[BEFORE];
	struct buf paths = { 0 };
	int ret = 0;

	side->per_read = NAN;
	for (size_t b = 0; b < set->n_boots; b++) {
		for (size_t i = 0; i < cells->n && ret == 0; i++) {
			struct result_cell key = *cells->key[i];
			struct cell_values v;

			key.toggle = toggle;
			ret = cell_values_get(&set->boots[b], &key, metric, &v);
			if (ret < 0)
				break;
			ret = add_values(list, b, &v);
			compare_add_path(&paths, v.path);
			cell_values_free(&v);
		}
	}
	side->paths = strndup(paths.data ? paths.data : "", paths.len);
	if (paths.failed || !side->paths)
		ret = -ENOMEM;
	buf_free(&paths);
	if (ret == 0)
		fold(list);
	return ret;
}

static int set_spread(struct compare_side *side, const size_t *boot)
{
	cleanup(cleanup_free) double *sorted = calloc(side->n + 1, sizeof(*sorted));

	side->mean = stats_mean(side->value, side->n);
	side->point = calloc(side->n + 1, sizeof(*side->point));
	side->point_boot = calloc(side->n + 1, sizeof(*side->point_boot));
	if (!sorted || !side->point || !side->point_boot)
		return -ENOMEM;
	memcpy(sorted, side->value, side->n * sizeof(*sorted));
	memcpy(side->point, side->value, side->n * sizeof(*sorted));
	memcpy(side->point_boot, boot, side->n * sizeof(*boot));
	side->n_points = side->n;
	stats_sort(sorted, side->n);
	if (side->n && side->mean > 0)
		side->spread = (stats_quantile(sorted, side->n, 0.9) -
				stats_quantile(sorted, side->n, 0.1)) / 2 / side->mean;
	return 0;
}

/* Rounds that have both. */
static int join(const struct sightings *list, struct compare_row *row)
{
	size_t most = list[BEFORE].n, a = 0, n = 0;
	cleanup(cleanup_free) size_t *boot = calloc(most + 1, sizeof(*boot));
	int ret = 0;

	for (int s = 0; s < SIDES; s++) {
		row->side[s].value = calloc(most + 1, sizeof(double));
		if (!row->side[s].value || !boot)
			return -ENOMEM;
	}
	for (size_t b = 0; b < most; b++) {
		const struct sighting *off = &list[BEFORE].s[b], *on;
		struct sighting least = { off->boot, off->round, -INFINITY };

		while (a < list[AFTER].n && by_round(&list[AFTER].s[a], &least) < 0)
			a++;
		on = &list[AFTER].s[a];
		if (a == list[AFTER].n || on->boot != off->boot || on->round != off->round)
			continue;
		boot[n] = off->boot;
		row->side[BEFORE].value[n] = off->value;
		row->side[AFTER].value[n++] = on->value;
	}
	for (int s = 0; s < SIDES && ret == 0; s++) {
		row->side[s].n = n;
		ret = set_spread(&row->side[s], boot);
	}
	return ret;
}

static int judge(struct compare_row *row)
{
	const struct compare_side *off = &row->side[BEFORE], *on = &row->side[AFTER];
	cleanup(cleanup_free) double *difference = calloc(off->n + 1, sizeof(*difference));
	struct stats_rng rng;
	int ret;

	if (!difference)
		return -ENOMEM;
	for (size_t i = 0; i < off->n; i++)
		difference[i] = on->value[i] - off->value[i];
	stats_seed(&rng, COMPARE_SEED);
	row->has_test = off->n > 1;
	if (row->has_test)
		stats_sign_flip(difference, off->n, &rng, &row->test);
	ret = stats_pair_interval(off->value, on->value, off->n, &rng, &row->low, &row->high);
	row->has_interval = ret == 0;
	return ret == -EDOM ? 0 : ret;
}

int compare_toggle_row(const struct comparison *c, const struct row_cells *cells,
		       struct compare_row *row)
{
	struct sightings list[SIDES] = { 0 };
	int ret = get_side(c, cells, row->metric, SWITCH_OFF, &list[BEFORE], &row->side[BEFORE]);

	if (ret == 0)
		ret = get_side(c, cells, row->metric, SWITCH_ON, &list[AFTER], &row->side[AFTER]);
	if (ret == 0)
		ret = join(list, row);
	if (ret == 0)
		ret = judge(row);
	free(list[BEFORE].s);
	free(list[AFTER].s);
	return ret;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The rows: which cells belong to each, and its figures.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "cli/compare-cells.h"

/* One row's iterations: sides x boots x cells. */
struct raw {
	struct stats_side side[SIDES];
	struct stats_boot *boot[SIDES];
	struct stats_cell *cell[SIDES];
	struct cell_values *values[SIDES];
};

static void free_raw(const struct comparison *c, struct raw *raw, size_t cells)
{
	for (int s = 0; s < SIDES && c->set[s]; s++) {
		for (size_t i = 0; raw->values[s] && i < c->set[s]->n_boots * cells; i++)
			cell_values_free(&raw->values[s][i]);
		free(raw->values[s]);
		free(raw->cell[s]);
		free(raw->boot[s]);
	}
}

static int get_raw(const struct comparison *c, const struct row_cells *cells,
		   enum result_metric metric, int s, struct raw *raw)
{
	size_t boots = c->set[s]->n_boots;

	raw->boot[s] = calloc(boots, sizeof(*raw->boot[s]));
	raw->cell[s] = calloc(boots * cells->n, sizeof(*raw->cell[s]));
	raw->values[s] = calloc(boots * cells->n, sizeof(*raw->values[s]));
	if (!raw->boot[s] || !raw->cell[s] || !raw->values[s])
		return -ENOMEM;
	for (size_t b = 0; b < boots; b++) {
		for (size_t i = 0; i < cells->n; i++) {
			struct cell_values *v = &raw->values[s][b * cells->n + i];
			int ret = cell_values_get(&c->set[s]->boots[b], cells->key[i], metric, v);

			if (ret < 0)
				return ret;
			stats_sort(v->value, v->n);
			raw->cell[s][b * cells->n + i] = (struct stats_cell){ v->value, v->n };
		}
		raw->boot[s][b] = (struct stats_boot){ &raw->cell[s][b * cells->n], cells->n };
	}
	raw->side[s] = (struct stats_side){ raw->boot[s], boots };
	return 0;
}

static int keep_points(const struct raw *raw, int s, struct compare_side *side)
{
	for (size_t b = 0; b < raw->side[s].n; b++) {
		for (size_t i = 0; i < raw->boot[s][b].n; i++)
			side->n_points += raw->boot[s][b].cells[i].n;
	}
	side->point = calloc(side->n_points, sizeof(*side->point));
	side->point_boot = calloc(side->n_points, sizeof(*side->point_boot));
	if (!side->point || !side->point_boot)
		return -ENOMEM;
	side->n_points = 0;
	for (size_t b = 0; b < raw->side[s].n; b++) {
		for (size_t i = 0; i < raw->boot[s][b].n; i++) {
			const struct stats_cell *cell = &raw->boot[s][b].cells[i];

			for (size_t k = 0; k < cell->n; k++) {
				side->point_boot[side->n_points] = b;
				side->point[side->n_points++] = cell->values[k];
			}
		}
	}
	return 0;
}

/* Half the way from p10 to p90, of the cell in the middle. */
static double spread_within(const struct stats_boot *boot, double *room)
{
	for (size_t i = 0; i < boot->n; i++) {
		const struct stats_cell *cell = &boot->cells[i];
		double middle = stats_quantile(cell->values, cell->n, 0.5);
		double wide = stats_quantile(cell->values, cell->n, 0.9) -
			      stats_quantile(cell->values, cell->n, 0.1);

		room[i] = middle > 0 ? wide / 2 / middle : 0;
	}
	return stats_median(room, boot->n);
}

static int set_side(const struct raw *raw, int s, size_t cells, struct compare_side *side)
{
	cleanup(cleanup_free) double *room = calloc(cells, sizeof(*room));
	double per_read = 0;
	struct buf paths = { 0 };

	side->n = raw->side[s].n;
	side->value = calloc(side->n, sizeof(*side->value));
	if (!room || !side->value)
		return -ENOMEM;
	for (size_t b = 0; b < side->n; b++) {
		for (size_t i = 0; i < cells; i++) {
			const struct cell_values *v = &raw->values[s][b * cells + i];

			room[i] = stats_quantile(v->value, v->n, 0.5) / v->reads;
			compare_add_path(&paths, v->path);
		}
		per_read += stats_median(room, cells);
		if (stats_boot_value(&raw->side[s].boots[b], &side->value[b]) < 0)
			return -ENOMEM;
	}
	side->per_read = per_read / (double)side->n;
	side->mean = stats_mean(side->value, side->n);
	if (side->n > 1)
		side->spread = side->mean > 0 ? stats_deviation(side->value, side->n) / side->mean :
						0;
	else
		side->spread = spread_within(&raw->side[s].boots[0], room);
	side->paths = strndup(paths.data ? paths.data : "", paths.len);
	if (paths.failed || !side->paths)
		return -ENOMEM;
	buf_free(&paths);
	return keep_points(raw, s, side);
}

static int fill_row(const struct comparison *c, const struct row_cells *cells,
		    struct compare_row *row)
{
	struct stats_rng rng;
	struct raw raw = { 0 };
	int ret = 0;

	stats_seed(&rng, COMPARE_SEED);
	for (int s = 0; s < SIDES && c->set[s] && ret == 0; s++) {
		ret = get_raw(c, cells, row->metric, s, &raw);
		if (ret == 0)
			ret = set_side(&raw, s, cells->n, &row->side[s]);
	}
	if (ret == 0 && c->mode == COMPARE_SIDES && row->kind != KIND_DRY) {
		ret = stats_interval(&raw.side[BEFORE], &raw.side[AFTER], &rng, &row->low,
				     &row->high);
		row->has_interval = ret == 0;
		ret = ret == -EDOM ? 0 : ret;
	}
	free_raw(c, &raw, cells->n);
	return ret;
}

static bool matches(const struct result_cell *key, enum result_kind kind, enum result_kind to,
		    const char *target)
{
	return key->kind >= kind && key->kind <= to && (!target || !strcmp(key->target, target));
}

/* A row of the cells of kinds @kind to @to; no row where there is no such cell. */
static int add_row(struct comparison *c, const struct cell_keys *keys, const char *label,
		   enum result_kind kind, enum result_kind to, const char *target,
		   enum result_metric metric)
{
	cleanup(cleanup_free) const struct result_cell **list =
		calloc(keys->n + 1, sizeof(*list));
	struct row_cells cells = { .key = list };
	struct compare_row *row;

	if (!list)
		return -ENOMEM;
	for (size_t i = 0; i < keys->n; i++) {
		if (matches(&keys->key[i], kind, to, target))
			list[cells.n++] = &keys->key[i];
	}
	if (!cells.n)
		return 0;
	row = reallocarray(c->rows, c->n_rows + 1, sizeof(*c->rows));
	if (!row)
		return -ENOMEM;
	c->rows = row;
	row += c->n_rows++;
	*row = (struct compare_row){ .kind = kind, .metric = metric, .cells = cells.n, .floor = NAN, .p_holm = NAN,
				     .change = NAN };
	row->family = target ? FAMILY_DOMAINS :
		      metric != c->metric ? FAMILY_SYSTEM : FAMILY_READER;
	if (asprintf(&row->label, "%s%s%s%s", label, target ? " " : "", target ? target : "",
		     metric != c->metric ? ", system" : "") < 0) {
		row->label = NULL;
		return -ENOMEM;
	}
	return c->mode == COMPARE_TOGGLE ? compare_toggle_row(c, &cells, row) :
					   fill_row(c, &cells, row);
}

static bool has_kind(const struct cell_keys *keys, enum result_kind kind)
{
	for (size_t i = 0; i < keys->n; i++) {
		if (keys->key[i].kind == kind)
			return true;
	}
	return false;
}

static int add_remote(struct comparison *c, const struct cell_keys *keys, const char *target,
		      enum result_metric metric)
{
	int ret;

	if (!has_kind(keys, KIND_SAME_PACKAGE) || !has_kind(keys, KIND_OTHER_PACKAGE))
		return add_row(c, keys, target ? "remote" : "Remote Domain", KIND_SAME_PACKAGE,
			       KIND_OTHER_PACKAGE, target, metric);
	ret = add_row(c, keys, target ? "same package" : "Remote Domain, same package",
		      KIND_SAME_PACKAGE, KIND_SAME_PACKAGE, target, metric);
	if (ret == 0)
		ret = add_row(c, keys, target ? "other package" : "Remote Domain, other package",
			      KIND_OTHER_PACKAGE, KIND_OTHER_PACKAGE, target, metric);
	return ret;
}

static int add_pair(struct comparison *c, const struct cell_keys *keys, const char *target,
		    enum result_metric metric)
{
	int ret = add_row(c, keys, target ? "local" : "Local Domain", KIND_LOCAL, KIND_LOCAL,
			  target, metric);

	return ret == 0 ? add_remote(c, keys, target, metric) : ret;
}

static int add_details(struct comparison *c, const struct cell_keys *keys)
{
	int ret = 0;

	for (size_t i = 0; i < keys->n && ret == 0; i++) {
		bool seen = keys->key[i].kind == KIND_DRY;

		for (size_t k = 0; k < i && !seen; k++)
			seen = !strcmp(keys->key[k].target, keys->key[i].target);
		if (!seen)
			ret = add_pair(c, keys, keys->key[i].target, c->metric);
	}
	return ret;
}

static int choose_metric(struct comparison *c, const struct cell_keys *keys, int wish,
			 char *error)
{
	/* From what it costs the reader to what merely passes while it waits. */
	static const enum result_metric order[] = { METRIC_CYCLES, METRIC_TSC, METRIC_TASK_CLOCK,
						   METRIC_WALL };
	size_t i = 0;

	if (!keys->n)
		return result_fail(error, c->mode == COMPARE_TOGGLE ?
				  "no cell was measured with the switch off and on in every boot" :
				  "no cell was measured in every boot");
	if (wish >= 0) {
		c->metric = (enum result_metric)wish;
		if (!cell_keys_have(c, keys, c->metric))
			return result_fail(error, "%s was not measured in every cell of every boot",
					  result_metric_name[wish]);
		c->why = strdup("as asked for");
		return c->why ? 0 : -ENOMEM;
	}
	while (i < ARRAY_SIZE(order) - 1 && !cell_keys_have(c, keys, order[i]))
		i++;
	c->metric = order[i];
	c->why = strdup(i ? "not every boot has cycles" : "every boot has them");
	return c->why ? 0 : -ENOMEM;
}

int compare_rows(struct comparison *c, const struct compare_wish *wish, char *error)
{
	struct cell_keys keys = { 0 };
	int ret = cell_keys_common(c, &keys, &c->left_out);

	if (ret == 0)
		ret = choose_metric(c, &keys, wish->metric, error);
	if (ret == 0)
		ret = add_pair(c, &keys, NULL, c->metric);
	/* What the kernel's workers and interrupts did elsewhere. */
	if (ret == 0 && wish->metric < 0 && c->metric == METRIC_CYCLES &&
	    cell_keys_have(c, &keys, METRIC_SYSTEM_CYCLES))
		ret = add_pair(c, &keys, NULL, METRIC_SYSTEM_CYCLES);
	if (ret == 0 && wish->per_domain)
		ret = add_details(c, &keys);
	if (ret == 0 && c->mode == COMPARE_SIDES)
		ret = add_row(c, &keys, "Dry run", KIND_DRY, KIND_DRY, NULL, c->metric);
	free(keys.key);
	return ret;
}

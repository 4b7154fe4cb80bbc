// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/compare-cells.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define PATHS_MAX 40

/* The first of the cells that are @key, and their number. */
static const struct result_cell *find_cells(const struct bench_file *file,
					   const struct result_cell *key, size_t *n)
{
	size_t low = 0, high = file->n_cells;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (result_cell_order(&file->cells[middle], key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	*n = 0;
	while (low + *n < file->n_cells && !result_cell_order(&file->cells[low + *n], key))
		++*n;
	return &file->cells[low];
}

static bool has(const struct bench_boot *boot, const struct result_cell *key,
		enum result_metric metric)
{
	for (size_t f = 0; f < boot->n; f++) {
		size_t n;
		const struct result_cell *cell = find_cells(boot->files[f], key, &n);

		for (; n; n--, cell++) {
			for (size_t i = 0; i < cell->n; i++) {
				if (!isnan(cell->value[metric][i]))
					return true;
			}
		}
	}
	return false;
}

static bool all_have(const struct comparison *c, const struct result_cell *key,
		     enum result_metric metric)
{
	struct result_cell on = *key;

	on.toggle = SWITCH_ON;
	for (int s = 0; s < SIDES && c->set[s]; s++) {
		for (size_t b = 0; b < c->set[s]->n_boots; b++) {
			if (!has(&c->set[s]->boots[b], key, metric) ||
			    (c->mode == COMPARE_TOGGLE && !has(&c->set[s]->boots[b], &on, metric)))
				return false;
		}
	}
	return true;
}

int cell_keys_common(const struct comparison *c, struct cell_keys *keys, size_t *left_out)
{
	enum result_toggle want = c->mode == COMPARE_TOGGLE ? SWITCH_OFF : SWITCH_NONE;
	const struct bench_boot *first = &c->set[BEFORE]->boots[0];
	size_t n = 0, most = 0;

	for (size_t f = 0; f < first->n; f++)
		n += first->files[f]->n_cells;
	keys->key = calloc(n + 1, sizeof(*keys->key));
	if (!keys->key)
		return -ENOMEM;
	for (size_t f = 0; f < first->n; f++) {
		for (size_t i = 0; i < first->files[f]->n_cells; i++) {
			if (first->files[f]->cells[i].toggle == want)
				keys->key[keys->n++] = first->files[f]->cells[i];
		}
	}
	qsort(keys->key, keys->n, sizeof(*keys->key), result_cell_order);
	n = 0;
	for (size_t i = 0; i < keys->n; i++) {
		if (i && !result_cell_order(&keys->key[i], &keys->key[i - 1]))
			continue;
		keys->key[n++] = keys->key[i];
	}
	keys->n = n;
	most = n;
	n = 0;
	for (size_t i = 0; i < keys->n; i++) {
		if (all_have(c, &keys->key[i], METRIC_WALL))
			keys->key[n++] = keys->key[i];
	}
	keys->n = n;
	/* Other boots may have cells that the first has not. */
	for (int s = 0; s < SIDES && c->set[s]; s++) {
		for (size_t i = 0; i < c->set[s]->n; i++) {
			size_t of_kind = 0;

			for (size_t k = 0; k < c->set[s]->files[i]->n_cells; k++)
				of_kind += c->set[s]->files[i]->cells[k].toggle == want;
			most = of_kind > most ? of_kind : most;
		}
	}
	*left_out = most - n;
	return 0;
}

bool cell_keys_have(const struct comparison *c, const struct cell_keys *keys,
		    enum result_metric metric)
{
	for (size_t i = 0; i < keys->n; i++) {
		if (keys->key[i].kind != KIND_DRY && !all_have(c, &keys->key[i], metric))
			return false;
	}
	return keys->n > 0;
}

void cell_values_free(struct cell_values *values)
{
	free(values->value);
	free(values->round);
	*values = (struct cell_values){ 0 };
}

int cell_values_get(const struct bench_boot *boot, const struct result_cell *key,
		    enum result_metric metric, struct cell_values *v)
{
	size_t most = 1;

	*v = (struct cell_values){ 0 };
	for (int round = 0; round < 2; round++) {
		for (size_t f = 0; f < boot->n; f++) {
			size_t n;
			const struct result_cell *cell = find_cells(boot->files[f], key, &n);

			for (; n; n--, cell++) {
				most += round ? 0 : cell->n;
				if (!round)
					continue;
				v->reads = cell->reads;
				v->path = v->path ? v->path : cell->path;
				for (size_t i = 0; i < cell->n; i++) {
					if (isnan(cell->value[metric][i]))
						continue;
					v->value[v->n] = cell->value[metric][i];
					/* Rounds of another file are other rounds. */
					v->round[v->n++] = cell->round[i] % UINT32_MAX +
							   ((uint64_t)f << 32);
				}
			}
		}
		if (round)
			break;
		v->value = calloc(most, sizeof(*v->value));
		v->round = calloc(most, sizeof(*v->round));
		if (!v->value || !v->round) {
			cell_values_free(v);
			return -ENOMEM;
		}
	}
	return 0;
}

void compare_add_path(struct buf *paths, const char *path)
{
	size_t len = path ? strlen(path) : 0;

	if (!len || (paths->len && memmem(paths->data, paths->len, path, len)))
		return;
	if (paths->len + len > PATHS_MAX)
		return;
	if (paths->len)
		buf_char(paths, ',');
	buf_str(paths, path);
}

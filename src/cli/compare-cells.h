/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which cells every boot has, and the iterations of one cell in one boot.
 */
#ifndef CLI_COMPARE_CELLS_H
#define CLI_COMPARE_CELLS_H

#include "cli/compare.h"

/* A cell by what it is, not by what was measured: the pointers are a file's. */
struct cell_keys {
	struct result_cell *key; /* owned array */
	size_t n;
};

/* 0 or -ENOMEM. Counts in @left_out what not every boot has. */
int cell_keys_common(const struct comparison *c, struct cell_keys *keys, size_t *left_out);

/* Iterations of @key in @boot, all of its files together. */
struct cell_values {
	double *value; /* owned */
	uint64_t *round; /* owned */
	size_t n;
	double reads;
	const char *path; /* the first file's; NULL: unknown */
};

int cell_values_get(const struct bench_boot *boot, const struct result_cell *key,
		    enum result_metric metric, struct cell_values *values);
void cell_values_free(struct cell_values *values);

/* Every boot of every side has it in every one of these cells but dry ones. */
bool cell_keys_have(const struct comparison *c, const struct cell_keys *keys,
		    enum result_metric metric);

/* Figures of one row: the cells that match. */
struct row_cells {
	const struct result_cell **key; /* owned array */
	size_t n;
};

/* Off against on, round by round. 0 or -ENOMEM. */
int compare_toggle_row(const struct comparison *c, const struct row_cells *cells,
		       struct compare_row *row);

/* A word more, once. */
void compare_add_path(struct buf *paths, const char *path);

#endif

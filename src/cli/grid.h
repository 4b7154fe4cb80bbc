/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A small table of text for people: columns as wide as their widest cell.
 */
#ifndef CLI_GRID_H
#define CLI_GRID_H

#include "base/buf.h"

struct grid {
	struct buf text; /* cells, each with a NUL behind it */
	size_t cells;
	size_t columns;
};

/* The first @columns cells are the header. */
void grid_init(struct grid *grid, size_t columns);
void grid_free(struct grid *grid);

/* The next cell; any bytes, shown with escape_text(). */
void grid_cell(struct grid *grid, const char *text);
void grid_number(struct grid *grid, uint64_t number);

void grid_print(const struct grid *grid, struct buf *out);

#endif

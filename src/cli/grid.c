// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/grid.h"

#include "cli/escape.h"

void grid_init(struct grid *grid, size_t columns)
{
	*grid = (struct grid){ .columns = columns };
}

void grid_free(struct grid *grid)
{
	buf_free(&grid->text);
}

void grid_cell(struct grid *grid, const char *text)
{
	escape_text(&grid->text, text);
	buf_char(&grid->text, '\0');
	grid->cells++;
}

void grid_number(struct grid *grid, uint64_t number)
{
	char text[DIGITS_MAX + 1];

	*digits_put(text, number) = '\0';
	grid_cell(grid, text);
}

void grid_print(const struct grid *grid, struct buf *out)
{
	cleanup(cleanup_free) size_t *width = calloc(grid->columns, sizeof(*width));
	const char *cell = grid->text.data;

	if (!width || grid->text.failed) {
		out->failed = true;
		return;
	}
	for (size_t i = 0; i < grid->cells; i++, cell += strlen(cell) + 1) {
		size_t w = escape_width(cell, strlen(cell));

		if (w > width[i % grid->columns])
			width[i % grid->columns] = w;
	}
	cell = grid->text.data;
	for (size_t i = 0; i < grid->cells; i++, cell += strlen(cell) + 1) {
		size_t column = i % grid->columns;

		buf_str(out, cell);
		if (column == grid->columns - 1) {
			buf_char(out, '\n');
			continue;
		}
		for (size_t w = escape_width(cell, strlen(cell)); w < width[column] + 2; w++)
			buf_char(out, ' ');
	}
}

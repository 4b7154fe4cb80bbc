// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * text: for people.
 */
#include <math.h>

#include "cli/compare.h"
#include "cli/escape.h"
#include "cli/grid.h"

/* What is in @text becomes a cell; @text is empty afterwards. */
static void add_cell(struct grid *grid, struct buf *text)
{
	buf_char(text, '\0');
	grid_cell(grid, text->failed ? "" : text->data);
	buf_reset(text);
}

static void add_title(struct grid *grid, const struct comparison *c, int s)
{
	static const char *const names[] = { "before", "after" };
	struct buf text = { 0 };
	size_t boots = c->set[c->mode == COMPARE_TOGGLE ? BEFORE : s]->n_boots;

	if (c->mode == COMPARE_TOGGLE)
		buf_str(&text, s == BEFORE ? "off" : "on");
	else
		buf_printf(&text, "%s (%zu boot%s)", names[s], boots, boots > 1 ? "s" : "");
	add_cell(grid, &text);
	buf_free(&text);
}

static void add_verdict(struct grid *grid, const struct compare_row *row)
{
	struct buf text = { 0 };

	if (row->has_test && !row->told)
		buf_char(&text, '~');
	else if (!isnan(row->change))
		buf_printf(&text, "%+.1f%%", row->change * 100);
	add_cell(grid, &text);
	if (row->has_interval)
		buf_printf(&text, "[%+.1f, %+.1f]", row->low * 100, row->high * 100);
	add_cell(grid, &text);
	if (row->has_test) {
		buf_str(&text, row->test.p < 0.001 ? "p" : "p=");
		compare_p(&text, row->test.p);
	}
	add_cell(grid, &text);
	buf_free(&text);
}

static void add_paths(struct grid *grid, const struct compare_row *row, bool both)
{
	struct buf text = { 0 };

	for (int s = 0; s < (both ? SIDES : 1); s++)
		buf_printf(&text, "%s%s", s ? " -> " : "",
			   *row->side[s].paths ? row->side[s].paths : "?");
	if (row->kind == KIND_DRY)
		buf_reset(&text);
	add_cell(grid, &text);
	buf_free(&text);
}

/* A row whose last cells are empty ends in what keeps columns apart. */
static void trim(struct buf *out, size_t start)
{
	size_t kept = start;

	for (size_t i = start; i < out->len; i++) {
		if (out->data[i] == '\n') {
			while (kept > start && out->data[kept - 1] == ' ')
				kept--;
		}
		out->data[kept++] = out->data[i];
	}
	out->len = kept;
}

static void print_rows(const struct comparison *c, struct buf *out)
{
	static const char *const titles[] = { "change", "95% interval", "p", "path" };
	size_t start = out->len;
	struct buf text = { 0 };
	struct grid grid;

	grid_init(&grid, 8);
	grid_cell(&grid, "");
	add_title(&grid, c, BEFORE);
	grid_cell(&grid, "");
	add_title(&grid, c, AFTER);
	for (size_t i = 0; i < ARRAY_SIZE(titles); i++)
		grid_cell(&grid, titles[i]);
	for (size_t i = 0; i < c->n_rows; i++) {
		const struct compare_row *row = &c->rows[i];

		buf_printf(&text, "%s:", row->label);
		add_cell(&grid, &text);
		compare_side_text(&text, &row->side[BEFORE]);
		add_cell(&grid, &text);
		grid_cell(&grid, "->");
		compare_side_text(&text, &row->side[AFTER]);
		add_cell(&grid, &text);
		add_verdict(&grid, row);
		add_paths(&grid, row, true);
	}
	grid_print(&grid, out);
	trim(out, start);
	grid_free(&grid);
	buf_free(&text);
}

static void print_same(const struct comparison *c, struct buf *out)
{
	struct buf text = { 0 };
	struct grid grid;

	grid_init(&grid, 4);
	grid_cell(&grid, "");
	buf_printf(&text, "%zu boot%s", c->set[BEFORE]->n_boots,
		   c->set[BEFORE]->n_boots > 1 ? "s" : "");
	add_cell(&grid, &text);
	grid_cell(&grid, "halves of them apart, 95% of the time");
	grid_cell(&grid, "path");
	for (size_t i = 0; i < c->n_rows; i++) {
		const struct compare_row *row = &c->rows[i];

		buf_printf(&text, "%s:", row->label);
		add_cell(&grid, &text);
		compare_side_text(&text, &row->side[BEFORE]);
		add_cell(&grid, &text);
		if (isnan(row->floor))
			buf_char(&text, '-');
		else
			buf_printf(&text, "at most %.2f%%", row->floor * 100);
		add_cell(&grid, &text);
		add_paths(&grid, row, false);
	}
	grid_print(&grid, out);
	grid_free(&grid);
	buf_free(&text);
}

static void print_per_read(const struct comparison *c, struct buf *out)
{
	struct buf text = { 0 };
	struct grid grid;

	if (c->mode == COMPARE_TOGGLE)
		return;
	grid_init(&grid, c->mode == COMPARE_SAME ? 2 : 4);
	for (size_t i = 0; i < c->n_rows; i++) {
		const struct compare_row *row = &c->rows[i];

		buf_printf(&text, "%s:", row->label);
		add_cell(&grid, &text);
		compare_number(&text, row->side[BEFORE].per_read);
		add_cell(&grid, &text);
		if (c->mode == COMPARE_SAME)
			continue;
		grid_cell(&grid, "->");
		compare_number(&text, row->side[AFTER].per_read);
		add_cell(&grid, &text);
	}
	buf_str(out, "\nPer read of one counter\n");
	grid_print(&grid, out);
	grid_free(&grid);
	buf_free(&text);
}

static void print_findings(const struct comparison *c, struct buf *out)
{
	if (!c->n_findings)
		return;
	buf_str(out, c->set[AFTER] ? "\nDifferences besides\n" : "\nNot the same in all results\n");
	for (size_t i = 0; i < c->n_findings; i++) {
		const struct finding *f = &c->findings[i];

		buf_printf(out, "%s ", f->refuse ? "!" : " ");
		escape_text(out, f->name);
		buf_str(out, ": ");
		escape_text(out, f->text[BEFORE]);
		if (f->text[AFTER]) {
			buf_str(out, " -> ");
			escape_text(out, f->text[AFTER]);
		}
		buf_char(out, '\n');
	}
}

void compare_text(const struct comparison *c, struct buf *out)
{
	buf_printf(out, "One dump of one domain, %s (metric %s: %s)\n\n", result_metric_unit[c->metric],
		   result_metric_name[c->metric], c->why);
	if (c->mode == COMPARE_SAME)
		print_same(c, out);
	else
		print_rows(c, out);
	print_per_read(c, out);
	buf_char(out, '\n');
	for (const char *note = NULL; (note = compare_next_note(c, note));) {
		buf_str(out, "Note: ");
		escape_text(out, note);
		buf_char(out, '\n');
	}
	compare_method(c, out);
	compare_legend(c, out);
	print_findings(c, out);
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * csv: a line per row, figures unrounded. markdown: the table for people.
 */
#include <math.h>

#include "cli/compare.h"
#include "cli/escape.h"

static void number(struct buf *out, double value, bool known)
{
	buf_char(out, ',');
	/* Seventeen digits bring back the same double. */
	if (known && isfinite(value))
		buf_printf(out, "%.17g", value);
}

void compare_csv(const struct comparison *c, struct buf *out)
{
	buf_str(out, "row,kind,metric,cells,boots_before,boots_after,before,after,spread_before,"
		     "spread_after,per_read_before,per_read_after,change,low,high,p,p_holm,exact,"
		     "assignments,told,path_before,path_after,noise_floor\n");
	for (size_t i = 0; i < c->n_rows; i++) {
		const struct compare_row *r = &c->rows[i];
		const struct compare_side *b = &r->side[BEFORE], *a = &r->side[AFTER];
		bool both = c->mode != COMPARE_SAME;

		escape_csv(out, r->label);
		buf_printf(out, ",%s,%s,%zu,%zu,", result_kind_name[r->kind],
			   result_metric_name[r->metric], r->cells, c->set[BEFORE]->n_boots);
		if (c->set[AFTER])
			buf_printf(out, "%zu", c->set[AFTER]->n_boots);
		number(out, b->mean, true);
		number(out, a->mean, both);
		number(out, b->spread, true);
		number(out, a->spread, both);
		number(out, b->per_read, true);
		number(out, a->per_read, both);
		number(out, r->change, both);
		number(out, r->low, r->has_interval);
		number(out, r->high, r->has_interval);
		number(out, r->test.p, r->has_test);
		number(out, r->p_holm, r->has_test);
		buf_printf(out, ",%s,", !r->has_test ? "" : r->test.exact ? "true" : "false");
		if (r->has_test)
			buf_printf(out, "%llu", (unsigned long long)r->test.assignments);
		buf_printf(out, ",%s,", !r->has_test ? "" : r->told ? "true" : "false");
		escape_csv(out, b->paths);
		buf_char(out, ',');
		escape_csv(out, both ? a->paths : "");
		number(out, r->floor, true);
		buf_char(out, '\n');
	}
}

/* Names from files; nothing of them is markup. */
static void plain(struct buf *out, const char *text)
{
	struct buf safe = { 0 };

	escape_text(&safe, text);
	for (size_t i = 0; i < safe.len; i++) {
		if (strchr("\\`*_{}[]<>#|~&!", safe.data[i]))
			buf_char(out, '\\');
		buf_char(out, safe.data[i]);
	}
	out->failed |= safe.failed;
	buf_free(&safe);
}

static void side(struct buf *out, const struct compare_side *s)
{
	struct buf text = { 0 };

	compare_side_text(&text, s);
	buf_str(out, " | ");
	buf_add(out, text.data, text.len);
	out->failed |= text.failed;
	buf_free(&text);
}

static void row(const struct comparison *c, const struct compare_row *r, struct buf *out)
{
	buf_str(out, "| ");
	plain(out, r->label);
	side(out, &r->side[BEFORE]);
	if (c->mode == COMPARE_SAME) {
		buf_str(out, " | ");
		if (!isnan(r->floor))
			buf_printf(out, "%.2f%%", r->floor * 100);
		buf_str(out, " | ");
		plain(out, r->side[BEFORE].paths);
		buf_str(out, " |\n");
		return;
	}
	side(out, &r->side[AFTER]);
	buf_str(out, " | ");
	if (r->has_test && !r->told)
		buf_str(out, "\\~");
	else if (!isnan(r->change))
		buf_printf(out, "%+.1f%%", r->change * 100);
	buf_str(out, " | ");
	if (r->has_interval)
		buf_printf(out, "%+.1f to %+.1f", r->low * 100, r->high * 100);
	buf_str(out, " | ");
	if (r->has_test)
		compare_p(out, r->test.p);
	buf_str(out, " | ");
	plain(out, r->side[BEFORE].paths);
	buf_str(out, " -> ");
	plain(out, r->side[AFTER].paths);
	buf_str(out, " |\n");
}

static void lines(struct buf *out, const struct buf *text)
{
	buf_char(out, '\n');
	for (size_t i = 0; i < text->len; i++) {
		if (strchr("~[]", text->data[i]))
			buf_char(out, '\\');
		buf_char(out, text->data[i]);
	}
	out->failed |= text->failed;
}

void compare_markdown(const struct comparison *c, struct buf *out)
{
	struct buf text = { 0 };

	buf_printf(out, "One dump of one domain, %s (`%s`: %s)\n\n", result_metric_unit[c->metric],
		   result_metric_name[c->metric], c->why);
	if (c->mode == COMPARE_SAME)
		buf_printf(out, "| | %zu boots | noise floor | path |\n|---|---|---|---|\n",
			   c->set[BEFORE]->n_boots);
	else if (c->mode == COMPARE_TOGGLE)
		buf_str(out, "| | off | on | change | 95% interval | p | path |\n"
			     "|---|---|---|---|---|---|---|\n");
	else
		buf_printf(out, "| | before (%zu boots) | after (%zu boots) | change | 95%% interval | "
				"p | path |\n|---|---|---|---|---|---|---|\n",
			   c->set[BEFORE]->n_boots, c->set[AFTER]->n_boots);
	for (size_t i = 0; i < c->n_rows; i++)
		row(c, &c->rows[i], out);
	compare_method(c, &text);
	compare_legend(c, &text);
	lines(out, &text);
	buf_free(&text);
	for (const char *note = NULL; (note = compare_next_note(c, note));) {
		buf_str(out, "\n**Note:** ");
		plain(out, note);
		buf_char(out, '\n');
	}
	if (c->n_findings)
		buf_str(out, "\n| besides | before | after |\n|---|---|---|\n");
	for (size_t i = 0; i < c->n_findings; i++) {
		buf_str(out, "| ");
		plain(out, c->findings[i].name);
		for (int s = 0; s < SIDES; s++) {
			buf_str(out, " | ");
			plain(out, c->findings[i].text[s] ? c->findings[i].text[s] : "");
		}
		buf_str(out, " |\n");
	}
}

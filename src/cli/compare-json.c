// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * json: everything, figures unrounded.
 */
#include <math.h>

#include "cli/compare.h"
#include "cli/escape.h"

#define SCHEMA "mbmcat.compare/1"

static void key(struct buf *out, const char *name)
{
	/* Behind an opening bracket nothing has to be parted. */
	if (out->len && !strchr("{[", out->data[out->len - 1]))
		buf_char(out, ',');
	if (name)
		buf_printf(out, "\"%s\":", name);
}

static void put_text(struct buf *out, const char *name, const char *text)
{
	key(out, name);
	if (text)
		escape_json(out, text);
	else
		buf_str(out, "null");
}

static void put_number(struct buf *out, const char *name, double value, bool known)
{
	key(out, name);
	if (known && isfinite(value))
		buf_printf(out, "%.17g", value);
	else
		buf_str(out, "null");
}

static void put_count(struct buf *out, const char *name, uint64_t value)
{
	key(out, name);
	buf_u64(out, value);
}

static void put_flag(struct buf *out, const char *name, bool value, bool known)
{
	key(out, name);
	buf_str(out, !known ? "null" : value ? "true" : "false");
}

static void put_side(struct buf *out, const char *name, const struct compare_side *side)
{
	key(out, name);
	buf_char(out, '{');
	put_number(out, "value", side->mean, true);
	put_number(out, "spread", side->spread, true);
	put_number(out, "per_read", side->per_read, true);
	put_text(out, "path", *side->paths ? side->paths : NULL);
	key(out, "values");
	buf_char(out, '[');
	for (size_t i = 0; i < side->n; i++)
		put_number(out, NULL, side->value[i], true);
	buf_str(out, "]}");
}

static void put_row(const struct comparison *c, struct buf *out, const struct compare_row *row)
{
	key(out, NULL);
	buf_char(out, '{');
	put_text(out, "row", row->label);
	put_text(out, "kind", result_kind_name[row->kind]);
	put_text(out, "metric", result_metric_name[row->metric]);
	put_flag(out, "single_domain", row->family == FAMILY_DOMAINS, true);
	put_count(out, "cells", row->cells);
	put_side(out, "before", &row->side[BEFORE]);
	if (c->mode == COMPARE_SAME) {
		put_number(out, "noise_floor", row->floor, true);
		buf_char(out, '}');
		return;
	}
	put_side(out, "after", &row->side[AFTER]);
	put_number(out, "change", row->change, true);
	put_number(out, "low", row->low, row->has_interval);
	put_number(out, "high", row->high, row->has_interval);
	put_number(out, "p", row->test.p, row->has_test);
	put_number(out, "p_holm", row->p_holm, row->has_test);
	put_flag(out, "exact", row->test.exact, row->has_test);
	put_number(out, "assignments", (double)row->test.assignments, row->has_test);
	put_flag(out, "told_from_noise", row->told, row->has_test);
	buf_char(out, '}');
}

static void put_set(struct buf *out, const char *name, const struct bench_set *set)
{
	key(out, name);
	if (!set) {
		buf_str(out, "null");
		return;
	}
	buf_char(out, '[');
	for (size_t b = 0; b < set->n_boots; b++) {
		key(out, NULL);
		buf_char(out, '{');
		put_text(out, "boot", set->boots[b].id);
		put_text(out, "kernel_release", set->boots[b].files[0]->kernel);
		key(out, "files");
		buf_char(out, '[');
		for (size_t f = 0; f < set->boots[b].n; f++)
			put_text(out, NULL, set->boots[b].files[f]->name);
		buf_str(out, "]}");
	}
	buf_char(out, ']');
}

static void put_findings(const struct comparison *c, struct buf *out)
{
	key(out, "differences");
	buf_char(out, '[');
	for (size_t i = 0; i < c->n_findings; i++) {
		key(out, NULL);
		buf_char(out, '{');
		put_text(out, "name", c->findings[i].name);
		put_text(out, "before", c->findings[i].text[BEFORE]);
		put_text(out, "after", c->findings[i].text[AFTER]);
		put_flag(out, "not_comparable", c->findings[i].refuse, true);
		buf_char(out, '}');
	}
	buf_char(out, ']');
}

void compare_json(const struct comparison *c, struct buf *out)
{
	static const char *const modes[] = {
		[COMPARE_SIDES] = "sides", [COMPARE_SAME] = "same", [COMPARE_TOGGLE] = "toggle"
	};

	buf_char(out, '{');
	put_text(out, "schema", SCHEMA);
	put_text(out, "mode", modes[c->mode]);
	put_text(out, "metric", result_metric_name[c->metric]);
	put_text(out, "metric_reason", c->why);
	put_number(out, "level", COMPARE_LEVEL, true);
	put_count(out, "seed", COMPARE_SEED);
	put_set(out, "before", c->set[BEFORE]);
	put_set(out, "after", c->set[AFTER]);
	key(out, "rows");
	buf_char(out, '[');
	for (size_t i = 0; i < c->n_rows; i++)
		put_row(c, out, &c->rows[i]);
	buf_char(out, ']');
	put_findings(c, out);
	key(out, "notes");
	buf_char(out, '[');
	for (const char *note = NULL; (note = compare_next_note(c, note));)
		put_text(out, NULL, note);
	buf_str(out, "]}\n");
}

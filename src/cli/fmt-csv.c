// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * csv: RFC 4180 but for line feeds alone, one row per group and domain.
 */
#include <errno.h>

#include "cli/escape.h"
#include "cli/format.h"

struct csv {
	struct pieces domain; /* ,L3,6 */
	struct pieces group;  /* ,p0,web per group of the snapshot */
	struct pieces word;   /* mbm_local_bytes= per column, and again for its rate */
	size_t row_max;
};

static int render_domains(struct csv *csv, const struct layout *layout)
{
	struct buf *text = &csv->domain.text;

	for (size_t i = 0; i < mbmcat_plan_domains(layout->plan); i++) {
		const struct mbmcat_domain *d = mbmcat_plan_domain(layout->plan, i)->domain;

		buf_printf(text, ",%s,", d->resource);
		buf_u64(text, d->id);
		if (layout->has_clusters)
			buf_char(text, ',');
		if (d->sub_id != MBMCAT_NO_SUB)
			buf_u64(text, (uint64_t)d->sub_id);
		if (pieces_close(&csv->domain) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int render_groups(struct csv *csv, const struct mbmcat_snapshot *snap)
{
	for (size_t i = 0; i < mbmcat_snapshot_groups(snap); i++) {
		const struct mbmcat_group *g = mbmcat_snapshot_group(snap, i);

		buf_char(&csv->group.text, ',');
		escape_csv(&csv->group.text, g->ctrl_group);
		buf_char(&csv->group.text, ',');
		escape_csv(&csv->group.text, g->mon_group);
		if (pieces_close(&csv->group) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int render_words(struct csv *csv, const struct layout *layout, const char *suffix)
{
	for (size_t c = 0; c < mbmcat_plan_columns(layout->plan); c++) {
		buf_printf(&csv->word.text, "%s%s=", mbmcat_plan_column(layout->plan, c)->name,
			   suffix);
		if (pieces_close(&csv->word) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int csv_prepare(void *state, const struct layout *layout)
{
	struct csv *csv = state;

	if (render_domains(csv, layout) < 0 ||
	    render_groups(csv, mbmcat_plan_snapshot(layout->plan)) < 0 ||
	    render_words(csv, layout, "") < 0)
		return -ENOMEM;
	if (layout->rates && render_words(csv, layout, RECORD_RATE_SUFFIX) < 0)
		return -ENOMEM;
	/* Commas, and the word with its separator, beside each number. */
	csv->row_max = RECORD_TIME_SIZE + pieces_longest(&csv->domain) + pieces_longest(&csv->group) +
		       csv->word.text.len +
		       csv->word.n * (1 + DIGITS_MAX + MBMCAT_WORD_SIZE + 1) + 8;
	return 0;
}

static void csv_release(void *state)
{
	struct csv *csv = state;

	pieces_free(&csv->domain);
	pieces_free(&csv->group);
	pieces_free(&csv->word);
}

static void csv_header(const void *state, const struct layout *layout, struct buf *out)
{
	size_t columns = mbmcat_plan_columns(layout->plan);

	(void)state;
	buf_str(out, "time,resource,domain,");
	if (layout->has_clusters)
		buf_str(out, "sub_domain,");
	buf_str(out, "ctrl_group,mon_group");
	for (size_t c = 0; c < columns; c++)
		buf_printf(out, ",%s", mbmcat_plan_column(layout->plan, c)->name);
	for (size_t c = 0; c < columns && layout->rates; c++)
		buf_printf(out, ",%s" RECORD_RATE_SUFFIX,
			   mbmcat_plan_column(layout->plan, c)->name);
	buf_str(out, ",status\n");
}

/* A cell per column, empty where there is no number. Its events are a part of the
 * columns, in the same order. */
static void put_cells(const struct layout *layout, const struct record *r, size_t slot,
		      const uint64_t *value, const uint8_t *null, struct buf *out)
{
	const struct mbmcat_plan_domain *d = r->domain;
	size_t columns = mbmcat_plan_columns(layout->plan);

	for (size_t c = 0, e = 0; c < columns; c++) {
		buf_put(out, ",", 1);
		if (e == d->n_events || d->events[e] != c)
			continue;
		if (!null[slot + e])
			buf_put_u64(out, value[slot + e]);
		e++;
	}
}

static void put_word(const struct csv *csv, size_t piece, const char *word, bool *first,
		     struct buf *out)
{
	if (!*first)
		buf_put(out, ";", 1);
	*first = false;
	piece_put(out, &csv->word, piece);
	buf_put(out, word, strlen(word));
}

static void put_status(const struct csv *csv, const struct layout *layout, const struct record *r,
		       size_t slot, struct buf *out)
{
	const struct mbmcat_plan_domain *d = r->domain;
	bool first = true;

	for (size_t e = 0; e < d->n_events; e++) {
		uint8_t status = r->pass->status[slot + e];

		if (status != MBMCAT_OK)
			put_word(csv, d->events[e], mbmcat_status_text(r->sample, r->i, status),
				 &first, out);
	}
	for (size_t e = 0; e < d->n_events && r->rate; e++) {
		const char *word = record_rate_text(r->why[slot + e]);

		if (word)
			put_word(csv, mbmcat_plan_columns(layout->plan) + d->events[e], word,
				 &first, out);
	}
}

static void csv_record(const void *state, const struct layout *layout, const struct record *r,
		       struct buf *out)
{
	const struct csv *csv = state;
	const struct mbmcat_plan_domain *d = r->domain;
	/* The time and the domain: the same in every row, so copied from the first. */
	const size_t first = out->len, same = RECORD_TIME_SIZE + piece_length(&csv->domain, r->i);

	if (!buf_reserve(out, d->n_groups * csv->row_max))
		return;
	for (size_t g = 0; g < d->n_groups; g++) {
		size_t slot = g * d->n_events;

		if (g) {
			buf_put(out, out->data + first, same);
		} else {
			record_time(r->pass->time_ns, out->data + out->len);
			out->len += RECORD_TIME_SIZE;
			piece_put(out, &csv->domain, r->i);
		}
		piece_put(out, &csv->group, d->groups[g]);
		put_cells(layout, r, slot, r->pass->value, r->pass->status, out);
		if (r->rate)
			put_cells(layout, r, slot, r->rate, r->why, out);
		buf_put(out, ",", 1);
		put_status(csv, layout, r, slot, out);
		buf_put(out, "\n", 1);
	}
}

const struct format_ops format_csv = {
	.name = "csv",
	.help = "comma-separated values (RFC 4180)",
	.state_size = sizeof(struct csv),
	.prepare = csv_prepare,
	.release = csv_release,
	.header = csv_header,
	.record = csv_record,
};

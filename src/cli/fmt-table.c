// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * table: for people. Columns are as wide as their widest name; a number wider than
 * its column pushes the rest of its line.
 */
#include <errno.h>

#include "cli/escape.h"
#include "cli/format.h"

#define GAP	    2
#define VALUE_WIDTH 16
/* "123.45 GB/s" */
#define RATE_SIZE   16

struct table {
	struct buf header;
	struct pieces domain; /* "L3:6", padded */
	struct pieces group;  /* "  p0  web", padded, per group of the snapshot */
	size_t *width;	      /* per column */
};

static const char bold[] = "\033[1m", red[] = "\033[31m", plain[] = "\033[0m";

static void pad(struct buf *out, size_t blanks)
{
	while (blanks--)
		buf_char(out, ' ');
}

static void add_left(struct buf *out, const char *text, size_t len, size_t width)
{
	size_t used = escape_width(text, len);

	buf_add(out, text, len);
	pad(out, used < width ? width - used : 0);
}

static void add_right(struct buf *out, const char *text, size_t len, size_t width)
{
	size_t used = escape_width(text, len);

	pad(out, GAP + (used < width ? width - used : 0));
	buf_add(out, text, len);
}

static void domain_name(struct buf *out, const struct mbmcat_domain *d)
{
	buf_printf(out, "%s:", d->resource);
	buf_u64(out, d->id);
	if (d->sub_id != MBMCAT_NO_SUB) {
		buf_char(out, '/');
		buf_u64(out, (uint64_t)d->sub_id);
	}
}

/* What an empty name stands for. */
static void group_name(struct buf *out, const char *name, const char *empty)
{
	escape_text(out, *name ? name : empty);
}

/* Twice: to measure, then to write. */
static int render_domains(struct table *table, const struct layout *layout, size_t *width)
{
	static const char title[] = "DOMAIN";
	struct buf name = { 0 };
	bool failed;

	*width = sizeof(title) - 1;
	for (int round = 0; round < 2; round++) {
		if (round)
			add_left(&table->header, title, sizeof(title) - 1, *width);
		for (size_t i = 0; i < mbmcat_plan_domains(layout->plan); i++) {
			buf_reset(&name);
			domain_name(&name, mbmcat_plan_domain(layout->plan, i)->domain);
			if (!round) {
				if (name.len > *width)
					*width = name.len;
				continue;
			}
			add_left(&table->domain.text, name.data, name.len, *width);
			if (pieces_close(&table->domain) < 0)
				goto out;
		}
	}
out:
	failed = name.failed || table->domain.text.failed;
	buf_free(&name);
	return failed ? -ENOMEM : 0;
}

static int render_groups(struct table *table, const struct mbmcat_snapshot *snap)
{
	static const char *const title[2] = { "CTRL_GROUP", "MON_GROUP" };
	size_t width[2] = { strlen(title[0]), strlen(title[1]) };
	struct buf name[2] = { 0 };
	int ret = 0;

	for (int round = 0; round < 2 && ret == 0; round++) {
		for (size_t i = 0; i < mbmcat_snapshot_groups(snap) && ret == 0; i++) {
			const struct mbmcat_group *g = mbmcat_snapshot_group(snap, i);

			buf_reset(&name[0]);
			buf_reset(&name[1]);
			group_name(&name[0], g->ctrl_group, "(default)");
			group_name(&name[1], g->mon_group, "-");
			for (int n = 0; n < 2; n++) {
				size_t w = escape_width(name[n].data, name[n].len);

				if (w > width[n])
					width[n] = w;
				if (!round)
					continue;
				pad(&table->group.text, GAP);
				add_left(&table->group.text, name[n].data, name[n].len, width[n]);
			}
			if (round)
				ret = pieces_close(&table->group);
		}
	}
	for (int n = 0; n < 2; n++) {
		pad(&table->header, GAP);
		add_left(&table->header, title[n], strlen(title[n]), width[n]);
		if (name[n].failed)
			ret = -ENOMEM;
		buf_free(&name[n]);
	}
	return ret;
}

static int render_values(struct table *table, const struct layout *layout)
{
	size_t columns = mbmcat_plan_columns(layout->plan);

	table->width = calloc(columns + 1, sizeof(*table->width));
	if (!table->width)
		return -ENOMEM;
	for (size_t c = 0; c < columns; c++) {
		const char *name = mbmcat_plan_column(layout->plan, c)->name;
		size_t len = strlen(name);

		table->width[c] = len > VALUE_WIDTH ? len : VALUE_WIDTH;
		add_right(&table->header, name, len, table->width[c]);
	}
	for (size_t c = 0; c < columns && layout->rates; c++) {
		struct buf name = { 0 };

		buf_printf(&name, "%s/s", mbmcat_plan_column(layout->plan, c)->name);
		if (!name.failed)
			add_right(&table->header, name.data, name.len, table->width[c] + 2);
		table->header.failed |= name.failed;
		buf_free(&name);
	}
	return 0;
}

static int table_prepare(void *state, const struct layout *layout)
{
	struct table *table = state;
	size_t domain_width;

	if (layout->color)
		buf_str(&table->header, bold);
	if (render_domains(table, layout, &domain_width) < 0 ||
	    render_groups(table, mbmcat_plan_snapshot(layout->plan)) < 0 ||
	    render_values(table, layout) < 0)
		return -ENOMEM;
	if (layout->color)
		buf_str(&table->header, plain);
	buf_char(&table->header, '\n');
	return table->header.failed ? -ENOMEM : 0;
}

static void table_release(void *state)
{
	struct table *table = state;

	buf_free(&table->header);
	pieces_free(&table->domain);
	pieces_free(&table->group);
	free(table->width);
}

/* 1234567890 -> "1.23 GB/s": three digits say enough. */
static size_t rate_text(uint64_t rate, char text[RATE_SIZE])
{
	static const char units[][6] = { " B/s", " kB/s", " MB/s", " GB/s", " TB/s", " PB/s",
					 " EB/s" };
	unsigned int unit = 0;
	uint64_t milli;
	char *p = text;

	for (milli = 0; rate >= 1000; unit++) {
		milli = rate % 1000;
		rate /= 1000;
	}
	p = digits_put(p, rate);
	if (unit && rate < 100) {
		*p++ = '.';
		p = digits_put_padded(p, rate < 10 ? milli / 10 : milli / 100, rate < 10 ? 2 : 1);
	}
	memcpy(p, units[unit], strlen(units[unit]));
	return (size_t)(p - text) + strlen(units[unit]);
}

static void put_word(const struct layout *layout, struct buf *out, const char *word, size_t width)
{
	size_t len = strlen(word);

	pad(out, GAP + (len < width ? width - len : 0));
	if (layout->color)
		buf_str(out, red);
	buf_add(out, word, len);
	if (layout->color)
		buf_str(out, plain);
}

static void put_counts(const struct table *table, const struct layout *layout,
		       const struct record *r, size_t slot, struct buf *out)
{
	const struct mbmcat_plan_domain *d = r->domain;

	for (size_t c = 0, e = 0; c < mbmcat_plan_columns(layout->plan); c++) {
		char text[DIGITS_MAX];

		if (e == d->n_events || d->events[e] != c) {
			add_right(out, "-", 1, table->width[c]);
			continue;
		}
		if (r->pass->status[slot + e] != MBMCAT_OK)
			put_word(layout, out,
				 mbmcat_status_text(r->sample, r->i, r->pass->status[slot + e]),
				 table->width[c]);
		else
			add_right(out, text,
				  (size_t)(digits_put(text, r->pass->value[slot + e]) - text),
				  table->width[c]);
		e++;
	}
}

static void put_rates(const struct table *table, const struct layout *layout,
		      const struct record *r, size_t slot, struct buf *out)
{
	const struct mbmcat_plan_domain *d = r->domain;

	for (size_t c = 0, e = 0; c < mbmcat_plan_columns(layout->plan); c++) {
		bool here = e < d->n_events && d->events[e] == c;
		size_t width = table->width[c] + 2;
		const char *word = here ? record_rate_text(r->why[slot + e]) : NULL;
		char text[RATE_SIZE];

		if (word)
			put_word(layout, out, word, width);
		else if (!here || r->why[slot + e] != MBMCAT_RATE_OK)
			add_right(out, "-", 1, width);
		else
			add_right(out, text, rate_text(r->rate[slot + e], text), width);
		e += here;
	}
}

static void table_begin(const void *state, const struct layout *layout, const struct record *first,
			struct buf *out)
{
	const struct table *table = state;

	(void)first;
	if (!layout->at_top)
		buf_char(out, '\n');
	if (layout->header)
		buf_add(out, table->header.data, table->header.len);
}

static void table_record(const void *state, const struct layout *layout, const struct record *r,
			 struct buf *out)
{
	const struct table *table = state;

	for (size_t g = 0; g < r->domain->n_groups && !out->failed; g++) {
		size_t slot = g * r->domain->n_events;

		buf_add(out, table->domain.text.data + piece_start(&table->domain, r->i),
			piece_length(&table->domain, r->i));
		buf_add(out,
			table->group.text.data +
				piece_start(&table->group, r->domain->groups[g]),
			piece_length(&table->group, r->domain->groups[g]));
		put_counts(table, layout, r, slot, out);
		if (r->rate)
			put_rates(table, layout, r, slot, out);
		buf_char(out, '\n');
	}
}

const struct format_ops format_table = {
	.name = "table",
	.help = "for people",
	.whole_sample = true,
	.state_size = sizeof(struct table),
	.prepare = table_prepare,
	.release = table_release,
	.begin = table_begin,
	.record = table_record,
};

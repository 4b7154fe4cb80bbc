// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * influx: InfluxDB's line protocol, one line per group and domain, and one for what
 * reading the domain was like. A field has one type for ever: counts are signed
 * integers, or strings with --u64-as-string; words stand in fields of their own.
 */
#include <errno.h>

#include "cli/escape.h"
#include "cli/format.h"

/* "i" is signed; "u" is not understood everywhere. */
#define TOO_LARGE "too-large"

struct influx {
	struct pieces group;	/* resctrl,ctrl_group=p0,mon_group=web per group of the snapshot */
	struct pieces domain;	/* ,host=h,resource=L3,domain=6␠ per domain of the plan */
	struct pieces key;	/* mbm_local_bytes= per column */
	struct pieces rate_key; /* mbm_local_bytes_per_second= */
	size_t line_max;
};

static void add_tag(struct buf *out, const char *key, const char *value)
{
	/* A tag without a value is not allowed. */
	if (!*value)
		return;
	buf_printf(out, ",%s=", key);
	escape_tag(out, value);
}

static int render_groups(struct influx *influx, const struct mbmcat_snapshot *snap)
{
	struct buf *text = &influx->group.text;

	for (size_t i = 0; i < mbmcat_snapshot_groups(snap); i++) {
		const struct mbmcat_group *g = mbmcat_snapshot_group(snap, i);

		buf_str(text, "resctrl");
		add_tag(text, "ctrl_group", g->ctrl_group);
		add_tag(text, "mon_group", g->mon_group);
		if (pieces_close(&influx->group) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int render_domains(struct influx *influx, const struct layout *layout)
{
	struct buf *text = &influx->domain.text;

	for (size_t i = 0; i < mbmcat_plan_domains(layout->plan); i++) {
		const struct mbmcat_domain *d = mbmcat_plan_domain(layout->plan, i)->domain;

		add_tag(text, "host", layout->host);
		add_tag(text, "resource", d->resource);
		buf_str(text, ",domain=");
		buf_u64(text, d->id);
		if (d->sub_id != MBMCAT_NO_SUB) {
			buf_str(text, ",sub_domain=");
			buf_u64(text, (uint64_t)d->sub_id);
		}
		buf_char(text, ' ');
		if (pieces_close(&influx->domain) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int render_keys(struct pieces *keys, const struct layout *layout, const char *suffix)
{
	for (size_t c = 0; c < mbmcat_plan_columns(layout->plan); c++) {
		buf_printf(&keys->text, "%s%s=", mbmcat_plan_column(layout->plan, c)->name, suffix);
		if (pieces_close(keys) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int influx_prepare(void *state, const struct layout *layout)
{
	struct influx *influx = state;

	if (render_groups(influx, mbmcat_plan_snapshot(layout->plan)) < 0 ||
	    render_domains(influx, layout) < 0 || render_keys(&influx->key, layout, "") < 0)
		return -ENOMEM;
	if (layout->rates && render_keys(&influx->rate_key, layout, RECORD_RATE_SUFFIX) < 0)
		return -ENOMEM;
	/* Beside each number or word: _status, quotes, a comma. */
	influx->line_max = pieces_longest(&influx->group) + pieces_longest(&influx->domain) +
			   influx->key.text.len + influx->rate_key.text.len +
			   (influx->key.n + influx->rate_key.n) * (DIGITS_MAX + MBMCAT_WORD_SIZE + 12) +
			   DIGITS_MAX + 2;
	return 0;
}

static void influx_release(void *state)
{
	struct influx *influx = state;

	pieces_free(&influx->group);
	pieces_free(&influx->domain);
	pieces_free(&influx->key);
	pieces_free(&influx->rate_key);
}

static void put_word(struct buf *out, const struct pieces *keys, size_t column, const char *word)
{
	/* Without its = */
	buf_put(out, keys->text.data + piece_start(keys, column), piece_length(keys, column) - 1);
	buf_put(out, "_status=\"", 9);
	buf_put(out, word, strlen(word));
	buf_put(out, "\",", 2);
}

static void put_number(struct buf *out, const struct pieces *keys, size_t column, uint64_t value)
{
	if (value > INT64_MAX) {
		put_word(out, keys, column, TOO_LARGE);
		return;
	}
	piece_put(out, keys, column);
	buf_put_u64(out, value);
	buf_put(out, "i,", 2);
}

static void put_string(struct buf *out, const struct pieces *keys, size_t column, uint64_t value)
{
	piece_put(out, keys, column);
	buf_put(out, "\"", 1);
	buf_put_u64(out, value);
	buf_put(out, "\",", 2);
}

static void put_rates(const struct influx *influx, const struct record *r, size_t slot,
		      struct buf *out)
{
	const struct mbmcat_plan_domain *d = r->domain;

	for (size_t e = 0; e < d->n_events; e++) {
		const char *word = record_rate_text(r->why[slot + e]);

		if (r->why[slot + e] == MBMCAT_RATE_OK)
			put_number(out, &influx->rate_key, d->events[e], r->rate[slot + e]);
		else if (word)
			put_word(out, &influx->rate_key, d->events[e], word);
	}
}

/* Each field ends with a comma; the last one's becomes the blank before the time. */
static void put_group(const struct influx *influx, const struct layout *layout,
		      const struct record *r, size_t g, struct buf *out)
{
	const struct mbmcat_plan_domain *d = r->domain;
	const size_t slot = g * d->n_events;

	piece_put(out, &influx->group, d->groups[g]);
	piece_put(out, &influx->domain, r->i);
	for (size_t e = 0; e < d->n_events; e++) {
		uint8_t status = r->pass->status[slot + e];

		if (status != MBMCAT_OK)
			put_word(out, &influx->key, d->events[e],
				 mbmcat_status_text(r->sample, r->i, status));
		else if (layout->u64_strings)
			put_string(out, &influx->key, d->events[e], r->pass->value[slot + e]);
		else
			put_number(out, &influx->key, d->events[e], r->pass->value[slot + e]);
	}
	if (r->rate)
		put_rates(influx, r, slot, out);
	out->data[out->len - 1] = ' ';
}

static void add_cost(const struct influx *influx, const struct record *r, struct buf *out)
{
	const char *path = record_path_text(r->path);

	buf_str(out, "resctrl_dump");
	buf_add(out, influx->domain.text.data + piece_start(&influx->domain, r->i),
		piece_length(&influx->domain, r->i));
	buf_str(out, "duration_ns=");
	buf_u64(out, r->pass->end_ns - r->pass->start_ns);
	buf_str(out, "i,missed=");
	buf_u64(out, r->missed);
	buf_char(out, 'i');
	if (r->cpu >= 0) {
		buf_str(out, ",cpu=");
		buf_u64(out, (uint64_t)r->cpu);
		buf_char(out, 'i');
	}
	if (path) {
		buf_str(out, ",path=\"");
		buf_str(out, path);
		buf_char(out, '"');
	}
	buf_char(out, ' ');
	buf_u64(out, r->pass->time_ns);
	buf_char(out, '\n');
}

static void influx_record(const void *state, const struct layout *layout, const struct record *r,
			  struct buf *out)
{
	const struct influx *influx = state;
	const struct mbmcat_plan_domain *d = r->domain;
	char time[DIGITS_MAX + 1];
	size_t len;

	if (!buf_reserve(out, d->n_groups * influx->line_max))
		return;
	len = (size_t)(digits_put(time, r->pass->time_ns) - time);
	time[len++] = '\n';
	for (size_t g = 0; g < d->n_groups; g++) {
		put_group(influx, layout, r, g, out);
		buf_put(out, time, len);
	}
	add_cost(influx, r, out);
}

const struct format_ops format_influx = {
	.name = "influx",
	.help = "InfluxDB's line protocol",
	.is_series = true,
	.state_size = sizeof(struct influx),
	.prepare = influx_prepare,
	.release = influx_release,
	.record = influx_record,
};

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * json and ndjson: the same object per domain, in an array or on lines of its own.
 */
#include <errno.h>

#include "cli/escape.h"
#include "cli/format.h"

/* Readers of lines stop for good above 64 KiB; with the newline. */
#define LINE_MAX_BYTES 65536
/* Longest ,"status":{ and its }. */
#define STATUS_BYTES 12
/* Longest word with its quotes and comma. */
#define WORD_BYTES (MBMCAT_WORD_SIZE + 3)

struct json {
	struct buf head;	/* {"schema":…,"host":…,"seq": */
	struct pieces domain;	/* ,"resource":"L3","domain":6,"cpu": */
	struct pieces group;	/* {"ctrl_group":"","mon_group":"web" per group of the snapshot */
	struct pieces key;	/* ,"mbm_local_bytes": per column */
	struct pieces rate_key; /* ,"mbm_local_bytes_per_second": */
	size_t group_max;	/* bytes of the longest group, whatever is read */
};

static int render_keys(struct pieces *keys, const struct layout *layout, const char *suffix)
{
	for (size_t c = 0; c < mbmcat_plan_columns(layout->plan); c++) {
		buf_str(&keys->text, ",\"");
		buf_str(&keys->text, mbmcat_plan_column(layout->plan, c)->name);
		buf_str(&keys->text, suffix);
		buf_str(&keys->text, "\":");
		if (pieces_close(keys) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int render_domains(struct json *json, const struct layout *layout)
{
	struct buf *text = &json->domain.text;

	for (size_t i = 0; i < mbmcat_plan_domains(layout->plan); i++) {
		const struct mbmcat_domain *d = mbmcat_plan_domain(layout->plan, i)->domain;

		buf_str(text, ",\"resource\":\"");
		buf_str(text, d->resource);
		buf_str(text, "\",\"domain\":");
		buf_u64(text, d->id);
		if (d->sub_id != MBMCAT_NO_SUB) {
			buf_str(text, ",\"sub_domain\":");
			buf_u64(text, (uint64_t)d->sub_id);
		}
		buf_str(text, ",\"cpu\":");
		if (pieces_close(&json->domain) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int render_groups(struct json *json, const struct mbmcat_snapshot *snap)
{
	struct buf *text = &json->group.text;

	for (size_t i = 0; i < mbmcat_snapshot_groups(snap); i++) {
		const struct mbmcat_group *g = mbmcat_snapshot_group(snap, i);

		buf_str(text, "{\"ctrl_group\":");
		escape_json(text, g->ctrl_group);
		buf_str(text, ",\"mon_group\":");
		escape_json(text, g->mon_group);
		if (pieces_close(&json->group) < 0)
			return -ENOMEM;
	}
	return 0;
}

/* The most that one group can need beside its names. */
static size_t bound_values(const struct json *json)
{
	size_t bound = STATUS_BYTES + 4;

	for (size_t c = 0; c < json->key.n; c++) {
		bound += 2 * piece_length(&json->key, c) + DIGITS_MAX + 2 + WORD_BYTES;
		if (json->rate_key.n)
			bound += 2 * piece_length(&json->rate_key, c) + DIGITS_MAX + WORD_BYTES;
	}
	return bound;
}

static int json_prepare(void *state, const struct layout *layout)
{
	struct json *json = state;

	buf_str(&json->head, "{\"schema\":\"" RECORD_SCHEMA "\",\"host\":");
	escape_json(&json->head, layout->host);
	buf_str(&json->head, ",\"seq\":");
	if (json->head.failed || render_domains(json, layout) < 0 ||
	    render_groups(json, mbmcat_plan_snapshot(layout->plan)) < 0 ||
	    render_keys(&json->key, layout, "") < 0)
		return -ENOMEM;
	if (layout->rates && render_keys(&json->rate_key, layout, RECORD_RATE_SUFFIX) < 0)
		return -ENOMEM;
	json->group_max = pieces_longest(&json->group) + bound_values(json);
	return 0;
}

static void json_release(void *state)
{
	struct json *json = state;

	buf_free(&json->head);
	pieces_free(&json->domain);
	pieces_free(&json->group);
	pieces_free(&json->key);
	pieces_free(&json->rate_key);
}

static void put_text(struct buf *out, const char *text)
{
	buf_put(out, text, strlen(text));
}

static void put_head(const struct json *json, const struct record *r, struct buf *out)
{
	buf_put(out, json->head.data, json->head.len);
	buf_put_u64(out, r->seq);
	put_text(out, ",\"missed\":");
	buf_put_u64(out, r->missed);
}

/* Everything before the groups. */
static void put_domain(const struct json *json, const struct record *r, struct buf *out)
{
	const char *path = record_path_text(r->path);
	char time[RECORD_TIME_SIZE];

	put_head(json, r, out);
	put_text(out, ",\"time\":\"");
	record_time(r->pass->time_ns, time);
	buf_put(out, time, sizeof(time));
	put_text(out, "\",\"start_ns\":");
	buf_put_u64(out, r->pass->start_ns);
	put_text(out, ",\"end_ns\":");
	buf_put_u64(out, r->pass->end_ns);
	piece_put(out, &json->domain, r->i);
	if (r->cpu < 0)
		put_text(out, "null");
	else
		buf_put_u64(out, (uint64_t)r->cpu);
	put_text(out, ",\"path\":");
	if (path) {
		buf_put(out, "\"", 1);
		put_text(out, path);
		buf_put(out, "\"", 1);
	} else {
		put_text(out, "null");
	}
}

/* Room for one record's head: fixed text, five numbers, a name or two. */
static size_t head_bound(const struct json *json, size_t i)
{
	return json->head.len + piece_length(&json->domain, i) + RECORD_TIME_SIZE +
	       8 * DIGITS_MAX + 160;
}

static void put_count(const struct layout *layout, struct buf *out, uint64_t value)
{
	if (layout->u64_strings)
		buf_put(out, "\"", 1);
	buf_put_u64(out, value);
	if (layout->u64_strings)
		buf_put(out, "\"", 1);
}

/* "key":"word", with the comma that a key's piece begins with left out at first. */
static void put_word(struct buf *out, const struct pieces *keys, size_t column, bool *first,
		     const char *word)
{
	size_t skip = *first;

	if (*first)
		put_text(out, ",\"status\":{");
	buf_put(out, keys->text.data + piece_start(keys, column) + skip,
		piece_length(keys, column) - skip);
	*first = false;
	buf_put(out, "\"", 1);
	put_text(out, word);
	buf_put(out, "\"", 1);
}

static __attribute__((noinline)) void put_status(const struct json *json, const struct record *r,
						 size_t slot, struct buf *out)
{
	const struct mbmcat_plan_domain *d = r->domain;
	bool first = true;

	for (size_t e = 0; e < d->n_events; e++) {
		uint8_t status = r->pass->status[slot + e];

		if (status != MBMCAT_OK)
			put_word(out, &json->key, d->events[e], &first,
				 mbmcat_status_text(r->sample, r->i, status));
	}
	for (size_t e = 0; e < d->n_events && r->rate; e++) {
		const char *word = record_rate_text(r->why[slot + e]);

		if (word)
			put_word(out, &json->rate_key, d->events[e], &first, word);
	}
	if (!first)
		buf_put(out, "}", 1);
}

static void put_rates(const struct json *json, const struct record *r, size_t slot,
		      struct buf *out)
{
	const struct mbmcat_plan_domain *d = r->domain;

	for (size_t e = 0; e < d->n_events; e++) {
		piece_put(out, &json->rate_key, d->events[e]);
		if (r->why[slot + e] == MBMCAT_RATE_OK)
			buf_put_u64(out, r->rate[slot + e]);
		else
			buf_put(out, "null", 4);
	}
}

static void put_group(const struct json *json, const struct layout *layout, const struct record *r,
		      size_t g, struct buf *out)
{
	const struct mbmcat_plan_domain *d = r->domain;
	size_t slot = g * d->n_events;
	unsigned int odd = 0;

	piece_put(out, &json->group, d->groups[g]);
	for (size_t e = 0; e < d->n_events; e++) {
		piece_put(out, &json->key, d->events[e]);
		if (r->pass->status[slot + e] == MBMCAT_OK)
			put_count(layout, out, r->pass->value[slot + e]);
		else
			buf_put(out, "null", 4);
		odd |= r->pass->status[slot + e];
	}
	if (r->rate)
		put_rates(json, r, slot, out);
	if (odd || r->rate)
		put_status(json, r, slot, out);
	buf_put(out, "}", 1);
}

static void put_groups(const struct json *json, const struct layout *layout,
		       const struct record *r, size_t first, size_t last, struct buf *out)
{
	put_text(out, ",\"groups\":[");
	for (size_t g = first; g < last; g++) {
		if (g > first)
			buf_put(out, ",", 1);
		put_group(json, layout, r, g, out);
	}
	put_text(out, "]}");
}

static void json_begin(const void *state, const struct layout *layout, const struct record *first,
		       struct buf *out)
{
	const struct json *json = state;

	(void)layout;
	if (!buf_reserve(out, json->head.len + 2 * DIGITS_MAX + 64))
		return;
	put_head(json, first, out);
	put_text(out, ",\"domains\":[");
}

static void json_record(const void *state, const struct layout *layout, const struct record *r,
			struct buf *out)
{
	const struct json *json = state;

	if (!buf_reserve(out, head_bound(json, r->i) + r->domain->n_groups * json->group_max))
		return;
	if (r->i)
		buf_put(out, ",", 1);
	put_domain(json, r, out);
	put_groups(json, layout, r, 0, r->domain->n_groups, out);
}

static void json_end(const void *state, const struct layout *layout, struct buf *out)
{
	(void)state;
	(void)layout;
	buf_str(out, "]}\n");
}

/* How many groups fit on one line, whatever is read. */
static size_t groups_per_line(const struct json *json, size_t i)
{
	size_t head = head_bound(json, i);

	if (head + json->group_max >= LINE_MAX_BYTES)
		return 1;
	return (LINE_MAX_BYTES - head) / json->group_max;
}

static void put_line(const struct json *json, const struct layout *layout, const struct record *r,
		     size_t part, size_t parts, struct buf *out)
{
	size_t groups = r->domain->n_groups, per_line = groups;
	size_t first, last;

	if (parts > 1)
		per_line = groups_per_line(json, r->i);
	first = part * per_line;
	last = first + per_line < groups ? first + per_line : groups;
	if (!buf_reserve(out, head_bound(json, r->i) + (last - first) * json->group_max))
		return;
	put_domain(json, r, out);
	if (parts > 1) {
		put_text(out, ",\"part\":");
		buf_put_u64(out, part + 1);
		put_text(out, ",\"parts\":");
		buf_put_u64(out, parts);
	}
	put_groups(json, layout, r, first, last, out);
	buf_put(out, "\n", 1);
}

/* One line, unless it is longer than line readers take. */
static void ndjson_record(const void *state, const struct layout *layout, const struct record *r,
			  struct buf *out)
{
	const struct json *json = state;
	size_t start = out->len, per_line, parts;

	put_line(json, layout, r, 0, 1, out);
	if (out->failed || out->len - start <= LINE_MAX_BYTES)
		return;
	out->len = start;
	per_line = groups_per_line(json, r->i);
	parts = (r->domain->n_groups + per_line - 1) / per_line;
	for (size_t part = 0; part < parts; part++)
		put_line(json, layout, r, part, parts, out);
}

const struct format_ops format_json = {
	.name = "json",
	.help = "one JSON document per sample",
	.whole_sample = true,
	.in_pieces = true,
	.state_size = sizeof(struct json),
	.prepare = json_prepare,
	.release = json_release,
	.begin = json_begin,
	.record = json_record,
	.end = json_end,
};

const struct format_ops format_ndjson = {
	.name = "ndjson",
	.help = "one JSON object per line, domain and sample",
	.state_size = sizeof(struct json),
	.prepare = json_prepare,
	.release = json_release,
	.record = ndjson_record,
};

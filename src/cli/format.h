/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One output format each in fmt-*.c; the table in format.c lists them all.
 */
#ifndef CLI_FORMAT_H
#define CLI_FORMAT_H

#include "cli/record.h"

struct format;

/*
 * Bytes that are the same in every sample are rendered once per plan, in prepare;
 * after that a sample only copies them and appends digits. An append that finds no
 * memory marks the buffer as failed.
 */
struct format_ops {
	const char *name;
	const char *help;
	/* The output stands in the middle of a sample between two records, and only
	 * after end() is it a whole one. */
	bool whole_sample;
	/* Of such a sample what is there after a record may be written before the rest. */
	bool in_pieces;
	/* Each count is a series in somebody's database, and too many are a burden there. */
	bool is_series;
	/* A file holds one sample and no more. */
	bool is_alone;
	size_t state_size;
	/* 0 or -ENOMEM; a state that failed half-way is given to release(). */
	int (*prepare)(void *state, const struct layout *layout);
	void (*release)(void *state);
	/* Once per output: what stands at its top. May be NULL, as the next two. */
	void (*header)(const void *state, const struct layout *layout, struct buf *out);
	void (*begin)(const void *state, const struct layout *layout, const struct record *first,
		      struct buf *out);
	void (*record)(const void *state, const struct layout *layout, const struct record *record,
		       struct buf *out);
	void (*end)(const void *state, const struct layout *layout, struct buf *out);
};

extern const struct format_ops format_csv, format_influx, format_json, format_ndjson,
	format_openmetrics, format_prometheus, format_table;

/* All formats, ended by NULL. */
extern const struct format_ops *const formats[];
const struct format_ops *format_find(const char *name);

/* Strings that were rendered once, back to back. */
struct pieces {
	struct buf text;
	uint32_t *end; /* of piece i in text */
	size_t n;
};

/* Say that what was added to p->text since the last piece is one. 0 or -ENOMEM. */
int pieces_close(struct pieces *p);
void pieces_free(struct pieces *p);
size_t pieces_longest(const struct pieces *p);

static inline size_t piece_start(const struct pieces *p, size_t i)
{
	return i ? p->end[i - 1] : 0;
}

static inline size_t piece_length(const struct pieces *p, size_t i)
{
	return p->end[i] - piece_start(p, i);
}

static inline void piece_put(struct buf *out, const struct pieces *p, size_t i)
{
	buf_put(out, p->text.data + piece_start(p, i), piece_length(p, i));
}

#endif

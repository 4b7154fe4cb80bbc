// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/output.h"

#include <errno.h>

struct output {
	const struct format_ops *format;
	struct sink *sink;
	struct layout layout;
	void *state; /* of the format; NULL before the first plan */
	struct buf buf;
	struct buf header; /* as it would be written for this plan */
	uint64_t *rate; /* of one domain: as many as the largest has slots */
	uint8_t *why;
	struct reading *readings; /* one per domain */
	uint64_t max_rate;
	bool wants_header;
	bool one_write; /* a record is whole in the file, or not there yet */
};

/* Above it the start of a long record goes out while the rest is made. */
#define PIECE_BYTES 65536

int output_new(struct output **output, const struct options *o, struct sink *sink,
	       const char *host, bool color)
{
	struct output *out = calloc(1, sizeof(*out));

	if (!out)
		return -ENOMEM;
	out->format = o->format;
	out->sink = sink;
	out->max_rate = o->max_rate;
	out->one_write = o->output && options_repeat(o) && !o->replace;
	out->wants_header = sink_is_empty(sink);
	out->layout = (struct layout){
		.host = host,
		.rates = o->rates,
		.header = !o->no_header,
		.u64_strings = o->u64_strings,
		.color = color,
		.at_top = sink_is_empty(sink),
	};
	*output = out;
	return 0;
}

static void release(struct output *out)
{
	if (out->state)
		out->format->release(out->state);
	free(out->state);
	free(out->rate);
	free(out->why);
	free(out->readings);
	out->state = NULL;
	out->rate = NULL;
	out->why = NULL;
	out->readings = NULL;
}

void output_free(struct output *output)
{
	if (!output)
		return;
	release(output);
	buf_free(&output->buf);
	buf_free(&output->header);
	free(output);
}

/* Columns that come or go in a long run need a new header. */
static int set_header(struct output *out)
{
	struct buf header = { 0 };

	if (!out->format->header)
		return 0;
	out->format->header(out->state, &out->layout, &header);
	if (out->header.len && (out->header.len != header.len ||
				memcmp(out->header.data, header.data, header.len)))
		out->wants_header = true;
	buf_free(&out->header);
	out->header = header;
	return header.failed ? -ENOMEM : 0;
}

int output_set_plan(struct output *out, const struct mbmcat_plan *plan)
{
	size_t slots = 1;

	release(out);
	layout_init(&out->layout, plan);
	for (size_t i = 0; i < mbmcat_plan_domains(plan); i++) {
		const struct mbmcat_plan_domain *d = mbmcat_plan_domain(plan, i);

		if (d->n_groups * d->n_events > slots)
			slots = d->n_groups * d->n_events;
	}
	out->state = calloc(1, out->format->state_size);
	out->readings = calloc(mbmcat_plan_domains(plan) + 1, sizeof(*out->readings));
	if (out->layout.rates) {
		out->rate = calloc(slots, sizeof(*out->rate));
		out->why = calloc(slots, sizeof(*out->why));
	}
	if (!out->state || !out->readings || (out->layout.rates && (!out->rate || !out->why)))
		return -ENOMEM;
	if (out->format->prepare(out->state, &out->layout) < 0)
		return -ENOMEM;
	return set_header(out);
}

bool output_fits(const struct output *out)
{
	return !out->layout.header || !out->header.len ||
	       sink_begins_with(out->sink, out->header.data, out->header.len);
}

void output_restart(struct output *out)
{
	out->wants_header = sink_is_empty(out->sink);
	out->layout.at_top = out->wants_header;
}

static int flush(struct output *out)
{
	int ret;

	if (out->buf.failed)
		return -ENOMEM;
	ret = sink_write(out->sink, out->buf.data, out->buf.len);
	buf_reset(&out->buf);
	return ret;
}

static bool is_piece(const struct output *out)
{
	return out->format->in_pieces && !out->one_write && out->buf.len >= PIECE_BYTES;
}

int output_nothing(struct output *out, uint64_t seq, uint64_t missed)
{
	const struct record r = { .seq = seq, .missed = missed };

	if (out->wants_header && out->layout.header)
		buf_add(&out->buf, out->header.data, out->header.len);
	out->wants_header = false;
	if (out->format->begin)
		out->format->begin(out->state, &out->layout, &r, &out->buf);
	if (out->format->end)
		out->format->end(out->state, &out->layout, &out->buf);
	return flush(out);
}

void output_take_readings(struct output *out, const struct gather *gather)
{
	for (size_t i = 0; i < gather_domains(gather); i++)
		out->readings[i] = *gather_reading(gather, i);
}

int output_sample(struct output *out, const struct mbmcat_sample *before,
		  const struct mbmcat_sample *now, uint64_t seq, uint64_t missed)
{
	const struct format_ops *format = out->format;
	const struct mbmcat_plan *plan = out->layout.plan;
	struct record r = { .seq = seq, .missed = missed, .sample = now };
	int ret = 0;

	r.rate = out->rate;
	r.why = out->why;
	if (out->wants_header && out->layout.header)
		buf_add(&out->buf, out->header.data, out->header.len);
	out->wants_header = false;
	if (format->begin)
		format->begin(out->state, &out->layout, &r, &out->buf);
	out->layout.at_top = false;
	for (size_t i = 0; i < mbmcat_plan_domains(plan) && ret == 0; i++) {
		r.i = i;
		r.domain = mbmcat_plan_domain(plan, i);
		r.pass = mbmcat_sample_pass(now, i);
		r.cpu = out->readings[i].cpu;
		r.path = out->readings[i].path;
		if (out->rate)
			mbmcat_rates(plan, before, now, i, out->max_rate, out->rate, out->why);
		format->record(out->state, &out->layout, &r, &out->buf);
		if (!format->whole_sample || is_piece(out))
			ret = flush(out);
	}
	if (ret == 0 && format->end)
		format->end(out->state, &out->layout, &out->buf);
	return ret == 0 && out->buf.len ? flush(out) : ret;
}

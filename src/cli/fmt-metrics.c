// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * openmetrics, and prometheus, the older text format 0.0.4. They differ in the lines
 * that describe a family: OpenMetrics names a counter without _total there, and readers
 * of the older text would take such a family and its samples for two.
 */
#include "cli/metrics.h"

static int openmetrics_prepare(void *state, const struct layout *layout)
{
	return metrics_render(state, layout, false);
}

static int prometheus_prepare(void *state, const struct layout *layout)
{
	return metrics_render(state, layout, true);
}

static void metrics_release(void *state)
{
	metrics_free(state);
}

static void metrics_begin(const void *state, const struct layout *layout,
			  const struct record *first, struct buf *out)
{
	const struct metrics *m = state;
	struct buf *later = m->later;

	(void)layout;
	buf_add(out, m->head[BANDWIDTH].data, m->head[BANDWIDTH].len);
	buf_add(&later[MISSED], m->name[MISSED].data, m->name[MISSED].len);
	buf_char(&later[MISSED], ' ');
	buf_u64(&later[MISSED], first->missed);
	buf_char(&later[MISSED], '\n');
}

/* The labels of a group, without BANDWIDTH's name in front. */
static void put_labels(const struct metrics *m, size_t group, struct buf *out)
{
	size_t name = m->name[BANDWIDTH].len;

	buf_put(out, m->group.text.data + piece_start(&m->group, group) + name,
		piece_length(&m->group, group) - name);
}

/* Room for a line was made. */
static void put_value(const struct metrics *m, enum family f, size_t group, size_t tail,
		      uint64_t value, struct buf *out)
{
	if (f == BANDWIDTH) {
		piece_put(out, &m->group, group);
	} else {
		buf_put(out, m->name[f].data, m->name[f].len);
		put_labels(m, group, out);
	}
	piece_put(out, &m->tail, tail);
	buf_put_u64(out, value);
	buf_put(out, "\n", 1);
}

static __attribute__((noinline)) void add_status(const struct metrics *m, size_t i, size_t group,
						 const char *event, const char *suffix,
						 const char *word)
{
	struct buf *out = &m->later[STATUS];

	if (!buf_reserve(out, m->name[STATUS].len + m->line_max))
		return;
	buf_put(out, m->name[STATUS].data, m->name[STATUS].len);
	put_labels(m, group, out);
	piece_put(out, &m->domain, i);
	buf_str(out, ",event=\"");
	buf_str(out, event);
	buf_str(out, suffix);
	buf_str(out, "\",status=\"");
	buf_str(out, word);
	buf_str(out, "\"} 1\n");
}

static __attribute__((noinline)) void add_value(const struct metrics *m, enum family f,
						size_t group, size_t tail, uint64_t value)
{
	if (buf_reserve(&m->later[f], m->line_max))
		put_value(m, f, group, tail, value, &m->later[f]);
}

static void add_rate(const struct metrics *m, const struct layout *layout, const struct record *r,
		     size_t g, size_t e)
{
	const size_t slot = g * r->domain->n_events + e, c = r->domain->events[e];
	const char *word = record_rate_text(r->why[slot]);

	if (m->family[c] == BANDWIDTH && r->why[slot] == MBMCAT_RATE_OK)
		add_value(m, RATE, r->domain->groups[g], r->i * m->columns + c, r->rate[slot]);
	else if (word)
		add_status(m, r->i, r->domain->groups[g],
			   mbmcat_plan_column(layout->plan, c)->name, RECORD_RATE_SUFFIX, word);
}

/* {domain="6", after the name: the comma of the piece stays away. */
static void add_domain(const struct metrics *m, enum family f, size_t i)
{
	struct buf *out = &m->later[f];

	buf_add(out, m->name[f].data, m->name[f].len);
	buf_char(out, '{');
	buf_add(out, m->domain.text.data + piece_start(&m->domain, i) + 1,
		piece_length(&m->domain, i) - 1);
}

static void add_cost(const struct metrics *m, const struct record *r)
{
	const char *path = record_path_text(r->path);
	uint64_t took_ns = r->pass->end_ns - r->pass->start_ns;
	struct buf *out = &m->later[DURATION];
	char fraction[9];

	add_domain(m, DURATION, r->i);
	buf_str(out, "} ");
	buf_u64(out, took_ns / 1000000000);
	buf_char(out, '.');
	digits_put_padded(fraction, took_ns % 1000000000, sizeof(fraction));
	buf_add(out, fraction, sizeof(fraction));
	buf_char(out, '\n');
	if (!path)
		return;
	add_domain(m, DUMP_PATH, r->i);
	buf_str(&m->later[DUMP_PATH], ",path=\"");
	buf_str(&m->later[DUMP_PATH], path);
	buf_str(&m->later[DUMP_PATH], "\"} 1\n");
}

static void metrics_record(const void *state, const struct layout *layout, const struct record *r,
			   struct buf *out)
{
	const struct metrics *m = state;
	const struct mbmcat_plan_domain *d = r->domain;

	if (!buf_reserve(out, d->n_groups * d->n_events * m->line_max))
		return;
	for (size_t g = 0; g < d->n_groups; g++) {
		for (size_t e = 0; e < d->n_events; e++) {
			const size_t slot = g * d->n_events + e, c = d->events[e];
			const size_t tail = r->i * m->columns + c;
			uint8_t status = r->pass->status[slot];

			if (status != MBMCAT_OK)
				add_status(m, r->i, d->groups[g],
					   mbmcat_plan_column(layout->plan, c)->name, "",
					   mbmcat_status_text(r->sample, r->i, status));
			else if (m->family[c] == BANDWIDTH)
				put_value(m, BANDWIDTH, d->groups[g], tail, r->pass->value[slot], out);
			else
				add_value(m, m->family[c], d->groups[g], tail, r->pass->value[slot]);
			if (r->rate)
				add_rate(m, layout, r, g, e);
		}
	}
	add_cost(m, r);
}

static void metrics_end(const void *state, const struct layout *layout, struct buf *out)
{
	const struct metrics *m = state;

	(void)layout;
	for (enum family f = BANDWIDTH + 1; f < N_FAMILIES; f++) {
		buf_add(out, m->head[f].data, m->head[f].len);
		buf_add(out, m->later[f].data, m->later[f].len);
		out->failed |= m->later[f].failed;
		buf_reset(&m->later[f]);
	}
	if (!m->classic)
		buf_str(out, "# EOF\n");
}

const struct format_ops format_openmetrics = {
	.name = "openmetrics",
	.help = "OpenMetrics 1.0",
	.whole_sample = true,
	.in_pieces = true,
	.is_series = true,
	.is_alone = true,
	.state_size = sizeof(struct metrics),
	.prepare = openmetrics_prepare,
	.release = metrics_release,
	.begin = metrics_begin,
	.record = metrics_record,
	.end = metrics_end,
};

const struct format_ops format_prometheus = {
	.name = "prometheus",
	.help = "Prometheus' text format 0.0.4",
	.whole_sample = true,
	.in_pieces = true,
	.is_series = true,
	.is_alone = true,
	.state_size = sizeof(struct metrics),
	.prepare = prometheus_prepare,
	.release = metrics_release,
	.begin = metrics_begin,
	.record = metrics_record,
	.end = metrics_end,
};

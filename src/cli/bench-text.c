// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A result in a table.
 */
#include <stdio.h>

#include "cli/bench-sources.h"
#include "cli/grid.h"
#include "cli/stats.h"

/* Beyond this many times the distance of the quartiles from the nearer one. */
#define OUTLIER 3.0

struct summary {
	size_t n;
	double p10, p50, p90;
	size_t outliers;
	double drift; /* of the second half's median from the first's, relative */
	bool has_drift;
};

/* The values of rounds that count; how many. */
static size_t collect(const struct bench_iteration *its, size_t n, enum figure figure,
		      double *values)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++) {
		if (!its[i].warmup && iteration_has(&its[i], figure))
			values[count++] = (double)its[i].value[figure];
	}
	return count;
}

static void find_drift(struct summary *s, double *values)
{
	const size_t half = s->n / 2;
	double first, second;

	if (s->n < 4)
		return;
	first = stats_median(values, half);
	second = stats_median(values + s->n - half, half);
	if (first <= 0)
		return;
	s->drift = second / first - 1;
	s->has_drift = true;
}

static bool summarise(const struct bench_iteration *its, size_t n, enum figure figure,
		      struct summary *s)
{
	double *values = calloc(n + 1, sizeof(*values));
	double low, high;

	*s = (struct summary){ 0 };
	if (values)
		s->n = collect(its, n, figure, values);
	if (!s->n) {
		free(values);
		return false;
	}
	/* Halves of time first: the median sorts. */
	find_drift(s, values);
	s->p50 = stats_median(values, s->n);
	s->p10 = stats_quantile(values, s->n, 0.1);
	s->p90 = stats_quantile(values, s->n, 0.9);
	low = stats_quantile(values, s->n, 0.25);
	high = stats_quantile(values, s->n, 0.75);
	for (size_t i = 0; i < s->n; i++)
		s->outliers += values[i] < low - OUTLIER * (high - low) ||
			       values[i] > high + OUTLIER * (high - low);
	free(values);
	return true;
}

/* The best measure of cost that there is. */
static enum figure main_figure(const struct bench_result *r)
{
	static const enum figure by_worth[] = { FIGURE_CYCLES, FIGURE_TSC };

	for (size_t i = 0; i < ARRAY_SIZE(by_worth); i++) {
		if (r->sources[by_worth[i]].source)
			return by_worth[i];
	}
	return FIGURE_WALL;
}

static const char *figure_words(enum figure figure)
{
	switch (figure) {
	case FIGURE_CYCLES:
		return "cycles of the reading thread, user and kernel";
	case FIGURE_TSC:
		return "ticks of the TSC";
	default:
		return "wall time";
	}
}

/* Three digits and a unit: 5.72M; no locale. Each unit is 1000 of the one before. */
static void cell_scaled(struct grid *grid, double value, const char *const *units)
{
	const bool negative = value < 0;
	unsigned int decimals;
	unsigned int scale;
	char text[48];
	uint64_t n;

	if (negative)
		value = -value;
	for (; value >= 999.5 && units[1]; units++)
		value /= 1000;
	decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
	scale = decimals == 2 ? 100 : decimals == 1 ? 10 : 1;
	n = (uint64_t)(value * scale + 0.5);
	if (decimals && n)
		snprintf(text, sizeof(text), "%s%llu.%0*llu%s", negative ? "-" : "",
			 (unsigned long long)(n / scale), (int)decimals,
			 (unsigned long long)(n % scale), *units);
	else
		snprintf(text, sizeof(text), "%s%llu%s", negative && n ? "-" : "",
			 (unsigned long long)n, n ? *units : "");
	grid_cell(grid, text);
}

static void cell_count(struct grid *grid, double value)
{
	static const char *const units[] = { "", "k", "M", "G", "T", NULL };

	cell_scaled(grid, value, units);
}

static void cell_time(struct grid *grid, double ns)
{
	static const char *const units[] = { "ns", "us", "ms", "s", NULL };

	cell_scaled(grid, ns, units);
}

static void cell_percent(struct grid *grid, double part)
{
	static const char *const units[] = { "%", NULL };

	cell_scaled(grid, part * 100, units);
}

/* Of the figure that stands for the cost. */
static void cell_cost(struct grid *grid, enum figure figure, double value)
{
	if (figure == FIGURE_WALL)
		cell_time(grid, value);
	else
		cell_count(grid, value);
}

static void cell_domain(struct grid *grid, const struct bench_result *r, size_t i)
{
	char text[96];

	if (i == BENCH_NO_TARGET)
		snprintf(text, sizeof(text), "memory");
	else if (r->domains[i].sub_id == MBMCAT_NO_SUB)
		snprintf(text, sizeof(text), "%.40s:%llu", r->domains[i].resource,
			 (unsigned long long)r->domains[i].id);
	else
		snprintf(text, sizeof(text), "%.40s:%llu/%lld", r->domains[i].resource,
			 (unsigned long long)r->domains[i].id, (long long)r->domains[i].sub_id);
	grid_cell(grid, text);
}

static void dashes(struct grid *grid, size_t n)
{
	while (n--)
		grid_cell(grid, "-");
}

static void cell_name(struct grid *grid, const struct bench_result *r, const struct bench_cell *c)
{
	char kind[64];

	snprintf(kind, sizeof(kind), "%s%s%s", cell_kind_name(c->kind), c->toggle ? " " : "",
		 c->toggle ? cell_toggle_name(c->toggle) : "");
	grid_cell(grid, kind);
	cell_domain(grid, r, c->reader);
	cell_domain(grid, r, c->target);
}

static void cell_row(struct grid *grid, const struct bench_result *r, const struct bench_cell *c,
		     enum figure figure)
{
	const char *path = record_path_text(c->path);
	struct summary s, wall, other;

	cell_name(grid, r, c);
	grid_cell(grid, path ? path : "-");
	if (!summarise(c->iterations, c->n, figure, &s)) {
		dashes(grid, 9);
		return;
	}
	cell_cost(grid, figure, s.p10);
	cell_cost(grid, figure, s.p50);
	cell_cost(grid, figure, s.p90);
	cell_cost(grid, figure, c->reads ? s.p50 / (double)c->reads : 0);
	summarise(c->iterations, c->n, FIGURE_WALL, &wall);
	cell_time(grid, wall.p50);
	if (summarise(c->iterations, c->n, FIGURE_SYSTEM_CYCLES, &other))
		cell_count(grid, other.p50);
	else
		dashes(grid, 1);
	summarise(c->iterations, c->n, FIGURE_SWITCHES, &other);
	cell_count(grid, c->reads ? other.p50 / (double)c->reads : 0);
	grid_number(grid, s.outliers);
	if (s.has_drift)
		cell_percent(grid, s.drift);
	else
		dashes(grid, 1);
}

static void header(struct grid *grid, const char *const *names, size_t n)
{
	grid_init(grid, n);
	for (size_t i = 0; i < n; i++)
		grid_cell(grid, names[i]);
}

static void print_cells(const struct bench_result *r, struct buf *out)
{
	static const char *const names[] = { "CELL",    "READER",  "TARGET",   "PATH", "P10",
					     "P50",     "P90",     "PER READ", "WALL", "SYSTEM",
					     "SW/READ", "FAR OUT", "DRIFT" };
	struct grid grid;

	header(&grid, names, ARRAY_SIZE(names));
	for (size_t i = 0; i < r->n_cells; i++)
		cell_row(&grid, r, &r->cells[i], main_figure(r));
	grid_print(&grid, out);
	grid_free(&grid);
}

static void print_sweep(const struct bench_result *r, struct buf *out)
{
	static const char *const names[] = { "AT A TIME", "P10", "P50", "P90" };
	struct grid grid;
	struct summary s;

	if (!r->n_sweep)
		return;
	buf_str(out, "\nA whole dump, domains at a time (wall time)\n");
	header(&grid, names, ARRAY_SIZE(names));
	for (size_t i = 0; i < r->n_sweep; i++) {
		grid_number(&grid, r->sweep[i].parallel);
		if (!summarise(r->sweep[i].iterations, r->sweep[i].n, FIGURE_WALL, &s)) {
			dashes(&grid, 3);
			continue;
		}
		cell_time(&grid, s.p10);
		cell_time(&grid, s.p50);
		cell_time(&grid, s.p90);
	}
	grid_print(&grid, out);
	grid_free(&grid);
}

static double per_second(uint64_t n, uint64_t wall_ns)
{
	return wall_ns ? (double)n * 1e9 / (double)wall_ns : 0;
}

static void victim_side(struct grid *grid, const struct victim_side *s)
{
	cell_count(grid, per_second(s->gaps, s->wall_ns));
	cell_percent(grid, s->wall_ns ? (double)s->lost_ns / (double)s->wall_ns : 0);
	cell_time(grid, (double)s->p99_ns);
	cell_time(grid, (double)s->longest_ns);
}

static void print_victims(const struct bench_result *r, struct buf *out)
{
	static const char *const names[] = { "CELL",   "READER", "TARGET", "CPU",    "DUMPS",
					     "GAPS/s", "LOST",   "P99",    "LONGEST" };
	struct grid grid;

	if (!r->has_victims)
		return;
	buf_printf(out, "\nGaps of more than %llu ns in a program on another CPU of the target\n",
		   (unsigned long long)r->victim_threshold_ns);
	header(&grid, names, ARRAY_SIZE(names));
	for (size_t i = 0; i < r->n_victims; i++) {
		const struct victim_row *v = &r->victims[i];

		for (int on = 0; on < 2; on++) {
			cell_name(&grid, r, &r->cells[v->cell]);
			if (v->cpu >= 0)
				grid_number(&grid, (uint64_t)v->cpu);
			else
				grid_cell(&grid, "any");
			if (on)
				grid_number(&grid, v->on.dumps);
			else
				grid_cell(&grid, "none");
			victim_side(&grid, on ? &v->on : &v->off);
		}
	}
	grid_print(&grid, out);
	grid_free(&grid);
}

static void print_sources(const struct bench_result *r, struct buf *out)
{
	const enum figure figure = main_figure(r);
	struct buf missing = { 0 };
	size_t multiplexed = 0;

	buf_printf(out,
		   "\nP10 P50 P90: %s for one dump (%s). WALL: %s. SW: context switches (%s).\n",
		   figure_words(figure), r->sources[figure].source, r->sources[FIGURE_WALL].source,
		   r->sources[FIGURE_SWITCHES].source);
	buf_printf(out,
		   "SYSTEM: cycles of all that runs on the reader's and the target's CPUs, "
		   "less an idle window (%s).\n",
		   r->sources[FIGURE_SYSTEM_CYCLES].source ? r->sources[FIGURE_SYSTEM_CYCLES].source
							   : "not counted");
	if (sources_missing(r->sources, &missing))
		buf_printf(out, "Missing: %.*s.\n", (int)missing.len, missing.data);
	buf_free(&missing);
	for (size_t i = 0; i < r->n_cells; i++) {
		for (size_t k = 0; k < r->cells[i].n; k++)
			multiplexed += r->cells[i].iterations[k].multiplexed;
	}
	if (multiplexed)
		buf_printf(out,
			   "%zu dumps were counted part of the time only: others use the "
			   "PMU (marked, not scaled).\n",
			   multiplexed);
}

void bench_text(const struct bench_result *r, struct buf *out)
{
	const struct bench_options *o = &r->options->bench;
	const size_t done = r->n_cells ? r->cells[0].n : 0;
	const size_t warm = done < o->warmup ? done : (size_t)o->warmup;

	buf_printf(out,
		   "%zu rounds and %zu to warm up, %llu ms apart%s; %zu groups, %zu events, "
		   "%zu domains; %s, seed %llu%s\n\n",
		   done - warm, warm, (unsigned long long)(o->pace_ns / 1000000),
		   o->pace_ns ? "" : " (hot)", r->groups, r->n_events, r->n_domains,
		   r->pinned ? "readers bound" : "readers not bound", (unsigned long long)r->seed,
		   r->interrupted ? "; ended early" : "");
	print_cells(r, out);
	print_sweep(r, out);
	print_victims(r, out);
	print_sources(r, out);
}

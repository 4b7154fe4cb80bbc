// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/bench-run.h"

#include <errno.h>
#include <string.h>

#include "cli/bench-toggle.h"
#include "cli/bench-victim.h"
#include "cli/diag.h"
#include "cli/sig.h"
#include "host/counter.h"

/* How long to be idle before a cell's first dump, when nobody knows how long it takes. */
#define FIRST_IDLE_NS 1000000

static void make_job(void *arg, const struct bench_cell *cell, struct reader_job *job)
{
	struct bench_run *run = arg;
	const bool dry = cell->kind == CELL_DRY;

	*job = (struct reader_job){
		.reader = cell->reader,
		.plan = dry ? run->dry->plan : run->session->plan,
		.sample = dry ? run->dry->sample : run->session->now,
		.i = dry ? 0 : cell->target,
		.target = cell->target,
		.idle_ns = FIRST_IDLE_NS,
	};
	if (cell->n)
		job->idle_ns = (uint64_t)cell->iterations[cell->n - 1].value[FIGURE_WALL];
	job->evict = load_evict(run->load, &job->evict_size);
}

static int flip(struct bench_run *run, enum cell_toggle state)
{
	const struct bench_options *o = &run->result->options->bench;
	int ret;

	if (state == TOGGLE_NONE || state == run->state)
		return 0;
	ret = toggle_run(state == TOGGLE_ON ? o->toggle_on : o->toggle_off);
	if (ret == 0)
		run->state = state;
	return ret;
}

/* Cells of one state; 1: the end was asked for. */
static int run_cells(struct bench_run *run, enum cell_toggle state)
{
	struct bench_result *r = run->result;
	size_t n = 0;

	for (size_t i = 0; i < r->n_cells; i++) {
		if (r->cells[i].toggle == state)
			run->order[n++] = i;
	}
	bench_shuffle(&run->random, run->order, n);
	for (size_t i = 0; i < n; i++) {
		const size_t c = run->order[i];
		struct reader_job job;

		if (sig_stopped())
			return 1;
		make_job(run, &r->cells[c], &job);
		readers_dump(run->readers, &job, &run->pending[c], &run->notes[c]);
	}
	return 0;
}

static int run_sweep(struct bench_run *run)
{
	struct bench_result *r = run->result;

	for (size_t i = 0; i < r->n_sweep; i++)
		run->order[i] = i;
	bench_shuffle(&run->random, run->order, r->n_sweep);
	for (size_t i = 0; i < r->n_sweep; i++) {
		struct bench_iteration *it = &run->pending_sweep[run->order[i]];
		uint64_t begin;

		if (sig_stopped())
			return 1;
		gather_set_parallel(run->session->gather, (unsigned int)r->sweep[run->order[i]].parallel);
		begin = counter_wall_ns();
		gather_run(run->session->gather, run->session->plan, run->session->now);
		it->has = 0;
		iteration_set(it, FIGURE_WALL, (int64_t)(counter_wall_ns() - begin));
	}
	return 0;
}

/* 0, 1: the end was asked for, or a negative exit code. */
static int run_round(struct bench_run *run)
{
	enum cell_toggle states[] = { TOGGLE_OFF, TOGGLE_ON };
	const bool toggles = run->result->options->bench.toggle_on != NULL;
	int ret = 0;

	if (!toggles)
		states[0] = TOGGLE_NONE;
	else if (bench_random(&run->random) >> 63) {
		states[0] = TOGGLE_ON;
		states[1] = TOGGLE_OFF;
	}
	for (size_t i = 0; ret == 0 && i < (toggles ? 2u : 1u); i++) {
		ret = -flip(run, states[i]);
		if (ret == 0)
			ret = run_cells(run, states[i]);
	}
	if (ret == 0)
		ret = run_sweep(run);
	return ret;
}

static int push(struct bench_iteration **iterations, size_t *n, const struct bench_iteration *it)
{
	/* Room doubles whenever it is used up. */
	if ((*n & (*n - 1)) == 0) {
		size_t room = *n ? *n * 2 : 1;
		struct bench_iteration *more = realloc(*iterations, room * sizeof(*more));

		if (!more)
			return -ENOMEM;
		*iterations = more;
	}
	(*iterations)[(*n)++] = *it;
	return 0;
}

/* A round that was done to its end becomes part of the result. */
static int keep_round(struct bench_run *run, uint64_t round)
{
	struct bench_result *r = run->result;
	const bool warmup = round < r->options->bench.warmup;
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < r->n_cells; i++) {
		struct bench_cell *cell = &r->cells[i];

		run->pending[i].round = round;
		run->pending[i].warmup = warmup;
		cell->reads = run->notes[i].reads;
		cell->cpu = run->notes[i].cpu;
		run->outside[i] += run->notes[i].outside;
		ret = push(&cell->iterations, &cell->n, &run->pending[i]);
	}
	for (size_t i = 0; ret == 0 && i < r->n_sweep; i++) {
		run->pending_sweep[i].round = round;
		run->pending_sweep[i].warmup = warmup;
		ret = push(&r->sweep[i].iterations, &r->sweep[i].n, &run->pending_sweep[i]);
	}
	return ret;
}

/* A read that a kernel worker did cost the reader one switch to it; see gather.c. */
static void find_paths(struct bench_run *run)
{
	struct bench_result *r = run->result;

	for (size_t i = 0; i < r->n_cells; i++) {
		struct bench_cell *cell = &r->cells[i];
		uint64_t switches = 0;

		if (cell->kind == CELL_DRY || cell->cpu < 0 || !cell->n)
			continue;
		for (size_t k = 0; k < cell->n; k++)
			switches += (uint64_t)cell->iterations[k].value[FIGURE_SWITCHES];
		if (switches * 2 >= cell->reads * cell->n)
			cell->path = PATH_DEFERRED;
		else
			cell->path = run->outside[i] ? PATH_REMOTE : PATH_DIRECT;
	}
}

static void show_progress(const struct bench_run *run, uint64_t done, uint64_t total)
{
	const uint64_t taken_ns = counter_wall_ns() - run->start_ns;
	const uint64_t left = done ? taken_ns / done * (total - done) / 1000000000 : 0;

	diag_progress("round %llu of %llu, %llu:%02llu left", (unsigned long long)done,
		      (unsigned long long)total, (unsigned long long)(left / 60),
		      (unsigned long long)(left % 60));
}

/* 1: it is time; 0: the end was asked for; or a negative exit code. */
static int wait_for_turn(struct bench_run *run, uint64_t round)
{
	int ret = 1;

	if (sig_stopped())
		return 0;
	if (!run->timer.interval_ns || !round)
		return 1;
	timer_advance(&run->timer, timer_now());
	while (!sig_stopped()) {
		ret = timer_wait(&run->timer, sig_fd());
		if (ret < 0) {
			diag_error("the timer failed: %s", strerror(-ret));
			return -EXIT_NOTHING;
		}
		if (ret > 0)
			return 1;
		sig_take();
	}
	return 0;
}

static int out_of_memory(void)
{
	diag_error("out of memory");
	return -EXIT_NOTHING;
}

static int run_rounds(struct bench_run *run)
{
	const struct bench_options *o = &run->result->options->bench;
	const uint64_t total = o->warmup + o->rounds;

	for (uint64_t round = 0; round < total; round++) {
		int ret;

		show_progress(run, round, total);
		ret = wait_for_turn(run, round);
		if (ret <= 0)
			return ret < 0 ? ret : 1;
		ret = run_round(run);
		if (ret)
			return ret;
		if (keep_round(run, round) < 0)
			return out_of_memory();
	}
	return 0;
}

static int allocate(struct bench_run *run)
{
	const size_t cells = run->result->n_cells + 1, sweep = run->result->n_sweep + 1;

	run->order = calloc(cells + sweep, sizeof(*run->order));
	run->pending = calloc(cells, sizeof(*run->pending));
	run->pending_sweep = calloc(sweep, sizeof(*run->pending_sweep));
	run->notes = calloc(cells, sizeof(*run->notes));
	run->outside = calloc(cells, sizeof(*run->outside));
	return run->order && run->pending && run->pending_sweep && run->notes && run->outside
		       ? 0
		       : -ENOMEM;
}

static void release(struct bench_run *run)
{
	free(run->order);
	free(run->pending);
	free(run->pending_sweep);
	free(run->notes);
	free(run->outside);
}

static int start_timer(struct bench_run *run)
{
	const uint64_t pace_ns = run->result->options->bench.pace_ns;
	int ret = pace_ns ? timer_start(&run->timer, pace_ns) : 0;

	if (ret == 0)
		return 0;
	diag_error("can't make a timer: %s", strerror(-ret));
	return -EXIT_NOTHING;
}

int bench_run(struct bench_run *run)
{
	struct bench_result *r = run->result;
	int ret = 0;

	run->timer.fd = -1;
	run->random = r->seed;
	run->start_ns = counter_wall_ns();
	if (allocate(run) < 0)
		ret = out_of_memory();
	if (ret == 0)
		ret = start_timer(run);
	if (ret == 0)
		ret = run_rounds(run);
	/* As it was found, as far as anybody can tell. */
	if (run->state == TOGGLE_ON && flip(run, TOGGLE_OFF) && ret >= 0)
		ret = -EXIT_NOTHING;
	if (ret == 0 && r->options->bench.victim) {
		diag_progress("victim, %zu cells", r->n_cells);
		ret = victim_run(r, run->readers, make_job, run);
		if (ret < 0) {
			diag_error("the victim failed: %s", strerror(-ret));
			ret = -EXIT_NOTHING;
		}
	}
	diag_progress_end();
	if (run->timer.missed)
		diag_warn("a round takes longer than --pace: %llu turns were missed",
			  (unsigned long long)run->timer.missed);
	r->interrupted = ret == 1;
	find_paths(run);
	timer_end(&run->timer);
	release(run);
	return ret < 0 ? -ret : 0;
}

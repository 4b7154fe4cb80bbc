// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/bench-victim.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "cli/sig.h"
#include "cli/stats.h"
#include "host/counter.h"

/* Shorter ones are the loop itself, and the caches. */
#define THRESHOLD_NS 1000
#define BLOCK_NS     50000000
#define BLOCKS       5 /* of each side */
#define GAPS_MAX     65536

struct spinner {
	const struct topology *topology; /* NULL: anywhere */
	int cpu;
	struct victim_side *side;
	double *gaps; /* GAPS_MAX of them */
	size_t n;
};

static void *spin(void *arg)
{
	struct spinner *s = arg;
	struct victim_side *side = s->side;
	uint64_t begin, last, now;

	if (s->topology)
		topology_bind_cpu(s->topology, (unsigned int)s->cpu);
	begin = last = counter_wall_ns();
	do {
		now = counter_wall_ns();
		if (now - last > THRESHOLD_NS) {
			side->gaps++;
			side->lost_ns += now - last;
			if (now - last > side->longest_ns)
				side->longest_ns = now - last;
			if (s->n < GAPS_MAX)
				s->gaps[s->n++] = (double)(now - last);
		}
		last = now;
	} while (now - begin < BLOCK_NS);
	side->wall_ns += now - begin;
	return NULL;
}

static int block(struct spinner *s, struct readers *readers, const struct reader_job *job)
{
	const uint64_t end = counter_wall_ns() + BLOCK_NS;
	struct bench_iteration unused;
	struct reader_note note;
	sigset_t all, old;
	pthread_t thread;
	int ret;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	ret = pthread_create(&thread, NULL, spin, s);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (ret)
		return -ret;
	while (job && counter_wall_ns() < end && !sig_stopped()) {
		readers_dump(readers, job, &unused, &note);
		s->side->dumps++;
	}
	pthread_join(thread, NULL);
	return 0;
}

static uint64_t p99(struct spinner *s)
{
	if (!s->n)
		return 0;
	stats_median(s->gaps, s->n);
	return (uint64_t)stats_quantile(s->gaps, s->n, 0.99);
}

/* The last CPU of the target's that no reader of the cell runs on, or -1. */
static int choose_cpu(const struct readers *readers, const struct bench_cell *cell)
{
	const struct place *place = readers_place(readers, cell->target);
	int chosen = -1;

	for (int cpu = place ? place_next_cpu(place, -1) : -1; cpu >= 0;
	     cpu = place_next_cpu(place, cpu)) {
		if (cpu != cell->cpu)
			chosen = cpu;
	}
	return chosen;
}

static int run_cell(struct victim_row *row, const struct topology *topology,
		    struct readers *readers, const struct reader_job *job)
{
	struct spinner off = { .topology = topology, .cpu = row->cpu, .side = &row->off };
	struct spinner on = { .topology = topology, .cpu = row->cpu, .side = &row->on };
	int ret = 0;

	off.gaps = calloc(GAPS_MAX, sizeof(double));
	on.gaps = calloc(GAPS_MAX, sizeof(double));
	if (!off.gaps || !on.gaps)
		ret = -ENOMEM;
	for (size_t i = 0; ret == 0 && i < BLOCKS && !sig_stopped(); i++) {
		ret = block(&off, readers, NULL);
		if (ret == 0)
			ret = block(&on, readers, job);
	}
	if (ret == 0) {
		row->off.p99_ns = p99(&off);
		row->on.p99_ns = p99(&on);
	}
	free(off.gaps);
	free(on.gaps);
	return ret;
}

int victim_run(struct bench_result *r, struct readers *readers,
	       void (*make_job)(void *arg, const struct bench_cell *cell, struct reader_job *job),
	       void *arg)
{
	const bool pinned = readers_are_pinned(readers);

	r->has_victims = true;
	r->victim_threshold_ns = THRESHOLD_NS;
	r->victim_block_ns = BLOCK_NS;
	r->victims = calloc(r->n_cells + 1, sizeof(*r->victims));
	if (!r->victims)
		return -ENOMEM;
	for (size_t i = 0; i < r->n_cells; i++) {
		const struct bench_cell *cell = &r->cells[i];
		struct victim_row row = { .cell = i, .cpu = -1 };
		struct reader_job job;
		int ret;

		/* What is toggled is off now. */
		if (cell->kind == CELL_DRY || cell->toggle == TOGGLE_ON)
			continue;
		if (pinned)
			row.cpu = choose_cpu(readers, cell);
		if (pinned && row.cpu < 0)
			continue;
		make_job(arg, cell, &job);
		job.idle_ns = 0;
		job.evict = NULL;
		ret = run_cell(&row, pinned ? readers_topology(readers) : NULL, readers, &job);
		if (ret < 0)
			return ret;
		if (sig_stopped())
			return 1;
		r->victims[r->n_victims++] = row;
	}
	return 0;
}

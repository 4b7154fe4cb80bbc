// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/bench-readers.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <time.h>

#include "cli/bench-sources.h"
#include "host/counter.h"
#include "host/crew.h"
#include "host/privilege.h"

/* Two groups: where other users of the PMU leave no room for the first one, the
 * software events count all the same. */
static const enum perf_kind hardware[] = { PERF_CYCLES, PERF_INSTRUCTIONS };
static const enum perf_kind software[] = { PERF_TASK_CLOCK, PERF_SWITCHES, PERF_MIGRATIONS };

struct post {
	struct perf_group hardware, software;
	struct place *place;
	int bind_error;
} __attribute__((aligned(CACHE_LINE)));

struct readers {
	const struct topology *topology;
	enum cpu_choice choice;
	bool here; /* CPU numbers are this machine's */
	bool pin, drop, tsc;
	struct system_cycles system;
	struct crew *crew;
	struct post *posts;
	size_t n;
	/* Of the dump under way. */
	const struct reader_job *job;
	struct bench_iteration *iteration;
	struct reader_note *note;
};

static void start(void *arg, size_t i)
{
	struct readers *r = arg;
	struct post *post = &r->posts[i];
	bool kept;

	if (r->pin)
		post->bind_error =
			post->place ? place_bind(r->topology, post->place, r->choice) : -ENODEV;
	perf_open_thread(&post->hardware, hardware, ARRAY_SIZE(hardware));
	perf_open_thread(&post->software, software, ARRAY_SIZE(software));
	/* Each thread has capabilities of its own. */
	if (r->drop)
		privilege_drop(NULL, &kept);
}

static void sleep_ns(uint64_t ns)
{
	struct timespec left = { .tv_sec = (time_t)(ns / 1000000000),
				 .tv_nsec = (long)(ns % 1000000000) };

	while (clock_nanosleep(CLOCK_MONOTONIC, 0, &left, &left) == EINTR)
		;
}

static void evict(const struct reader_job *job)
{
	volatile unsigned char *byte = job->evict;

	for (size_t i = 0; byte && i < job->evict_size; i += CACHE_LINE)
		byte[i]++;
}

/* Readings that stand around a dump. */
struct bracket {
	struct counter_reading counter;
	struct perf_reading hardware, software;
	int error; /* of either group */
};

static void take(struct bench_iteration *it, enum figure figure, const struct perf_group *group,
		 enum perf_kind kind, const struct perf_reading *before,
		 const struct perf_reading *after)
{
	if (perf_has(group, kind))
		iteration_set(it, figure, (int64_t)(after->value[kind] - before->value[kind]));
}

static void fill(const struct readers *r, const struct post *post, const struct bracket *a,
		 const struct bracket *b, struct bench_iteration *it)
{
	const struct perf_reading *h0 = &a->hardware, *h1 = &b->hardware;
	const struct perf_reading *s0 = &a->software, *s1 = &b->software;
	const int64_t cpu_ns = (int64_t)(b->counter.cpu_ns - a->counter.cpu_ns);

	iteration_set(it, FIGURE_WALL, (int64_t)(b->counter.wall_ns - a->counter.wall_ns));
	iteration_set(it, FIGURE_THREAD_CPU, cpu_ns);
	iteration_set(it, FIGURE_TASK_CLOCK, cpu_ns);
	iteration_set(it, FIGURE_SWITCHES, (int64_t)(b->counter.switches - a->counter.switches));
	if (r->tsc)
		iteration_set(it, FIGURE_TSC, (int64_t)(b->counter.tsc - a->counter.tsc));
	it->enabled_ns = h1->enabled_ns - h0->enabled_ns;
	it->running_ns = h1->running_ns - h0->running_ns;
	it->multiplexed = post->hardware.n && it->running_ns < it->enabled_ns;
	if (a->error || b->error)
		return;
	/* Counted none of the time is no count. */
	if (it->running_ns) {
		take(it, FIGURE_CYCLES, &post->hardware, PERF_CYCLES, h0, h1);
		take(it, FIGURE_INSTRUCTIONS, &post->hardware, PERF_INSTRUCTIONS, h0, h1);
	}
	take(it, FIGURE_TASK_CLOCK, &post->software, PERF_TASK_CLOCK, s0, s1);
	take(it, FIGURE_CONTEXT_SWITCHES, &post->software, PERF_SWITCHES, s0, s1);
	take(it, FIGURE_MIGRATIONS, &post->software, PERF_MIGRATIONS, s0, s1);
}

static void measure(const struct readers *r, const struct post *post, const struct reader_job *job,
		    struct bench_iteration *it)
{
	struct bracket a = { .error = 0 }, b = { .error = 0 };

	a.error = perf_read(&post->software, &a.software);
	if (a.error == 0)
		a.error = perf_read(&post->hardware, &a.hardware);
	counter_begin(&a.counter, r->tsc);
	mbmcat_read(job->plan, job->sample, job->i);
	counter_end(&b.counter, r->tsc);
	b.error = perf_read(&post->hardware, &b.hardware);
	if (b.error == 0)
		b.error = perf_read(&post->software, &b.software);
	fill(r, post, &a, &b, it);
}

/* The rate of an idle window, over the time of the dump, is no part of its cost. */
static void fill_system(const struct system_reading at[3], struct bench_iteration *it)
{
	const double idle_ns = (double)(at[1].wall_ns - at[0].wall_ns);
	const double idle = (double)(at[1].cycles - at[0].cycles);
	const double window_ns = (double)(at[2].wall_ns - at[1].wall_ns);

	if (at[2].whole && idle_ns > 0)
		iteration_set(it, FIGURE_SYSTEM_CYCLES,
			      (int64_t)(at[2].cycles - at[1].cycles) -
				      (int64_t)(idle * window_ns / idle_ns));
}

static void work(void *arg, size_t i)
{
	struct readers *r = arg;
	const struct reader_job *job = r->job;
	const struct post *post = &r->posts[i];
	const struct place *target =
		job->target == BENCH_NO_TARGET ? NULL : r->posts[job->target].place;
	const bool system = !r->system.error && r->system.n && post->place;
	const int only = r->choice == CPU_ANY ? -1 : sched_getcpu();
	struct system_reading at[3] = { 0 };
	int ret = 0;

	if (system) {
		ret = system_read(&r->system, post->place, only, target, &at[0]);
		sleep_ns(job->idle_ns);
	}
	evict(job);
	if (system && ret == 0)
		ret = system_read(&r->system, post->place, only, target, &at[1]);
	measure(r, post, job, r->iteration);
	if (system && ret == 0)
		ret = system_read(&r->system, post->place, only, target, &at[2]);
	if (system && ret == 0)
		fill_system(at, r->iteration);
	r->note->reads = mbmcat_sample_pass(job->sample, job->i)->n_slots;
	/* The CPUs of a captured tree are not ours. */
	r->note->cpu = r->here ? sched_getcpu() : -1;
	r->note->outside = r->here && target && !place_has_cpu(target, (unsigned int)r->note->cpu);
}

static void open_system(struct readers *r)
{
	if (!r->pin) {
		r->system.error = -EXDEV;
		return;
	}
	for (size_t i = 0; i < r->n; i++) {
		if (r->posts[i].place)
			system_add(&r->system, r->posts[i].place);
	}
}

int readers_new(struct readers **readers, const struct session *s, bool drop)
{
	const size_t n = mbmcat_plan_domains(s->plan);
	struct readers *r = calloc(1, sizeof(*r));
	struct crew_task task = { .start = start, .work = work, .arg = r };
	int ret;

	if (!r)
		return -ENOMEM;
	r->posts = aligned_alloc(CACHE_LINE, (n + 1) * sizeof(*r->posts));
	if (!r->posts) {
		free(r);
		return -ENOMEM;
	}
	memset(r->posts, 0, (n + 1) * sizeof(*r->posts));
	r->n = n;
	r->topology = s->source->topology;
	r->choice = s->options->cpu;
	r->here = r->topology && topology_is_here(r->topology);
	r->pin = r->here && !s->options->no_pin;
	r->drop = drop;
	r->tsc = counter_has_tsc();
	for (size_t i = 0; i < n && r->topology; i++) {
		const struct mbmcat_domain *d = mbmcat_plan_domain(s->plan, i)->domain;

		r->posts[i].place = place_find(r->topology, d->resource, d->id, d->sub_id);
	}
	open_system(r);
	ret = crew_new(&r->crew, n, &task);
	if (ret < 0) {
		readers_free(r);
		return ret;
	}
	*readers = r;
	return 0;
}

void readers_free(struct readers *r)
{
	if (!r)
		return;
	crew_free(r->crew);
	system_close(&r->system);
	for (size_t i = 0; i < r->n; i++) {
		if (r->posts[i].hardware.n)
			perf_close(&r->posts[i].hardware);
		if (r->posts[i].software.n)
			perf_close(&r->posts[i].software);
		place_free(r->posts[i].place);
	}
	free(r->posts);
	free(r);
}

bool readers_are_pinned(const struct readers *r)
{
	return r->pin;
}

int readers_bind_error(const struct readers *r, size_t i)
{
	return r->posts[i].bind_error;
}

const struct place *readers_place(const struct readers *r, size_t i)
{
	return r->posts[i].place;
}

const struct topology *readers_topology(const struct readers *r)
{
	return r->topology;
}

void readers_sources(const struct readers *r, const struct machine *machine,
		     struct figure_source sources[FIGURES])
{
	const struct post *post = &r->posts[0];

	sources_perf(sources, FIGURE_CYCLES, post->hardware.error[PERF_CYCLES], machine);
	sources_perf(sources, FIGURE_INSTRUCTIONS, post->hardware.error[PERF_INSTRUCTIONS],
		     machine);
	sources_perf(sources, FIGURE_TASK_CLOCK, post->software.error[PERF_TASK_CLOCK], machine);
	sources_perf(sources, FIGURE_CONTEXT_SWITCHES, post->software.error[PERF_SWITCHES],
		     machine);
	sources_perf(sources, FIGURE_MIGRATIONS, post->software.error[PERF_MIGRATIONS], machine);
	sources_perf(sources, FIGURE_SYSTEM_CYCLES, r->system.error, machine);
	sources_other(sources, r->tsc);
}

void readers_dump(struct readers *r, const struct reader_job *job, struct bench_iteration *it,
		  struct reader_note *note)
{
	it->has = 0;
	r->job = job;
	r->iteration = it;
	r->note = note;
	crew_run(r->crew, job->reader, job->reader + 1, 1);
}

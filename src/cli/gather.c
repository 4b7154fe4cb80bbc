// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/gather.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/resource.h>

#include "cli/parallel.h"
#include "cli/timer.h"
#include "host/crew.h"

/* Switches and reads are added up until there are this many reads: one switch by
 * chance says nothing then. */
#define ENOUGH_READS 64
#define FEW_READS    8

struct post {
	/* Written by the domain's thread only. */
	struct reading reading;
	uint64_t sum_switches, sum_reads;
	bool roams; /* over the domain's CPUs */
	/* Constant. */
	struct place *place;
	uint64_t id;
	int64_t sub_id;
	char resource[32];
} __attribute__((aligned(CACHE_LINE)));

struct gather {
	const struct topology *topology;
	struct crew *crew;
	struct post *posts;
	size_t n;
	unsigned int asked; /* --parallel */
	struct parallel parallel;
	enum cpu_choice cpu;
	bool pin;
	/* Of the run under way. */
	const struct mbmcat_plan *plan;
	struct mbmcat_sample *sample;
};

static void start(void *arg, size_t i)
{
	struct gather *gather = arg;
	struct post *post = &gather->posts[i];

	if (gather->pin && post->place)
		post->reading.bind_error = place_bind(gather->topology, post->place, gather->cpu);
}

static uint64_t switches_so_far(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return (uint64_t)usage.ru_nvcsw + (uint64_t)usage.ru_nivcsw;
}

/*
 * A read that a kernel worker did for us cost one switch to it, voluntary or not;
 * one that we did ourselves cost none.
 */
static enum read_path find_path(const struct gather *gather, const struct post *post,
				size_t n_read)
{
	/* Without the domain's CPUs nobody can tell local from remote. */
	if (!post->place || !topology_is_here(gather->topology))
		return PATH_UNKNOWN;
	/* All of the domain is gone: nothing was read, from wherever. */
	if (!n_read)
		return PATH_UNKNOWN;
	if (!place_has_cpu(post->place, (unsigned int)post->reading.cpu))
		return PATH_REMOTE;
	/* Among a few reads one switch may be chance. */
	if (post->sum_reads < FEW_READS)
		return post->sum_switches >= post->sum_reads ? PATH_DEFERRED : PATH_DIRECT;
	return post->sum_switches * 2 >= post->sum_reads ? PATH_DEFERRED : PATH_DIRECT;
}

/* Where the thread itself reads, one CPU of the domain is as good as another: so let
 * the scheduler wake it up on an idle one. */
static void roam(const struct gather *gather, struct post *post)
{
	if (gather->cpu != CPU_AUTO || post->roams || !gather->pin || post->reading.bind_error ||
	    post->reading.path != PATH_DIRECT)
		return;
	post->roams = true;
	post->reading.bind_error = place_bind(gather->topology, post->place, CPU_COMMON);
}

static void work(void *arg, size_t i)
{
	struct gather *gather = arg;
	struct post *post = &gather->posts[i];
	uint64_t before;
	size_t n_read;

	roam(gather, post);
	before = switches_so_far();
	mbmcat_read(gather->plan, gather->sample, i);
	post->reading.switches = switches_so_far() - before;
	if (post->sum_reads >= ENOUGH_READS)
		post->sum_switches = post->sum_reads = 0;
	post->sum_switches += post->reading.switches;
	n_read = mbmcat_sample_pass(gather->sample, i)->n_read;
	post->sum_reads += n_read;
	post->reading.cpu = sched_getcpu();
	post->reading.path = find_path(gather, post, n_read);
	/* The CPUs of a captured tree are not ours. */
	if (!gather->topology || !topology_is_here(gather->topology))
		post->reading.cpu = -1;
}

int gather_new(struct gather **gather, const struct topology *topology, const struct options *o,
	       const struct mbmcat_plan *plan)
{
	struct gather *g = calloc(1, sizeof(*g));
	struct crew_task task = { .start = start, .work = work, .arg = g };
	int ret;

	if (!g)
		return -ENOMEM;
	g->topology = topology;
	g->n = mbmcat_plan_domains(plan);
	g->asked = o->parallel;
	parallel_reset(&g->parallel, g->n);
	g->cpu = o->cpu;
	g->pin = topology && topology_is_here(topology) && !o->no_pin;
	g->posts = aligned_alloc(CACHE_LINE, (g->n + 1) * sizeof(*g->posts));
	if (!g->posts) {
		free(g);
		return -ENOMEM;
	}
	memset(g->posts, 0, (g->n + 1) * sizeof(*g->posts));
	for (size_t i = 0; i < g->n; i++) {
		const struct mbmcat_domain *d = mbmcat_plan_domain(plan, i)->domain;
		struct post *post = &g->posts[i];

		post->id = d->id;
		post->sub_id = d->sub_id;
		strncpy(post->resource, d->resource, sizeof(post->resource) - 1);
		post->reading.cpu = -1;
		if (topology)
			post->place = place_find(topology, d->resource, d->id, d->sub_id);
	}
	ret = crew_new(&g->crew, g->n, &task);
	if (ret < 0) {
		gather_free(g);
		return ret;
	}
	*gather = g;
	return 0;
}

void gather_free(struct gather *gather)
{
	if (!gather)
		return;
	crew_free(gather->crew);
	for (size_t i = 0; i < gather->n; i++)
		place_free(gather->posts[i].place);
	free(gather->posts);
	free(gather);
}

bool gather_fits(const struct gather *gather, const struct mbmcat_plan *plan)
{
	if (gather->n != mbmcat_plan_domains(plan))
		return false;
	for (size_t i = 0; i < gather->n; i++) {
		const struct mbmcat_domain *d = mbmcat_plan_domain(plan, i)->domain;
		const struct post *post = &gather->posts[i];

		if (d->id != post->id || d->sub_id != post->sub_id ||
		    strncmp(d->resource, post->resource, sizeof(post->resource) - 1))
			return false;
	}
	return true;
}

/* The first domain alone tells by which path reads go here, and so what is best for
 * the others. */
static void run_first(struct gather *g)
{
	crew_run(g->crew, 0, 1, 1);
	crew_run(g->crew, 1, g->n, g->posts[0].reading.path == PATH_DIRECT ? g->n : 1);
}

static void run_and_learn(struct gather *g)
{
	size_t at_once = parallel_next(&g->parallel, g->posts[0].reading.path);
	uint64_t start_ns = timer_now();

	crew_run(g->crew, 0, g->n, at_once);
	parallel_learn(&g->parallel, at_once, timer_now() - start_ns);
}

void gather_run(struct gather *gather, const struct mbmcat_plan *plan, struct mbmcat_sample *sample)
{
	const struct mbmcat_plan *last = gather->plan;

	gather->plan = plan;
	gather->sample = sample;
	/* Each thread needs a file descriptor then, and there are none to spare. */
	if (mbmcat_plan_reopened(plan)) {
		crew_run(gather->crew, 0, gather->n, 1);
		return;
	}
	if (gather->asked != OPT_PARALLEL_AUTO) {
		crew_run(gather->crew, 0, gather->n, gather->asked);
	} else if (plan != last) {
		parallel_reset(&gather->parallel, gather->n);
		run_first(gather);
	} else {
		run_and_learn(gather);
	}
}

size_t gather_at_once(const struct gather *gather)
{
	return gather->asked != OPT_PARALLEL_AUTO ? gather->asked : gather->parallel.choice;
}

void gather_trials(const struct gather *gather, uint64_t *one_ns, uint64_t *all_ns)
{
	*one_ns = gather->parallel.best_ns[0];
	*all_ns = gather->parallel.best_ns[1];
}

void gather_set_parallel(struct gather *gather, unsigned int parallel)
{
	gather->asked = parallel;
}

size_t gather_domains(const struct gather *gather)
{
	return gather->n;
}

const struct reading *gather_reading(const struct gather *gather, size_t i)
{
	return &gather->posts[i].reading;
}

const struct place *gather_place(const struct gather *gather, size_t i)
{
	return gather->posts[i].place;
}

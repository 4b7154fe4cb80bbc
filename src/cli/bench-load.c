// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/bench-load.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

/* Where the machine does not say. */
#define L2_SIZE ((size_t)2 << 20)
#define L3_SIZE ((size_t)32 << 20)

struct walker {
	struct load *load;
	pthread_t thread;
	int cpu; /* -1: any */
	unsigned char *memory;
};

struct load {
	const struct topology *topology;
	atomic_bool stop;
	unsigned char *evict;
	size_t evict_size;
	size_t size; /* of each walker's memory */
	struct walker *walkers;
	size_t n;
};

static void *walk(void *arg)
{
	struct walker *w = arg;
	volatile unsigned char *byte = w->memory;

	if (w->cpu >= 0)
		topology_bind_cpu(w->load->topology, (unsigned int)w->cpu);
	while (!atomic_load_explicit(&w->load->stop, memory_order_relaxed)) {
		for (size_t i = 0; i < w->load->size; i += CACHE_LINE)
			byte[i]++;
	}
	return NULL;
}

static int last_cpu(const struct place *place)
{
	int last = -1;

	for (int cpu = place_next_cpu(place, -1); cpu >= 0; cpu = place_next_cpu(place, cpu))
		last = cpu;
	return last;
}

/* The CPU that domain @i's walker goes to, or -1: it has none. */
static int choose_cpu(const struct bench_result *r, const struct place *place)
{
	int first = place_next_cpu(place, -1);
	int cpu = r->options->bench.contention == CONTENTION_L2
			  ? machine_sibling(r->options->sysroot, (unsigned int)first)
			  : last_cpu(place);

	return cpu == first ? -1 : cpu;
}

static bool is_taken(const struct load *l, int cpu)
{
	for (size_t i = 0; i < l->n; i++) {
		if (l->walkers[i].cpu == cpu)
			return true;
	}
	return false;
}

static int add_walker(struct load *l, int cpu)
{
	struct walker *w = &l->walkers[l->n];
	sigset_t all, old;
	int ret;

	*w = (struct walker){ .load = l, .cpu = cpu, .memory = calloc(1, l->size) };
	if (!w->memory)
		return -ENOMEM;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	ret = pthread_create(&w->thread, NULL, walk, w);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (ret)
		free(w->memory);
	else
		l->n++;
	return -ret;
}

/* All walkers together leave most of the memory alone. */
static size_t bounded(size_t size, size_t walkers)
{
	const size_t memory = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);

	return size > memory / 4 / (walkers + 1) ? memory / 4 / (walkers + 1) : size;
}

static int add_walkers(struct load *l, const struct bench_result *r, const struct readers *readers)
{
	int ret = 0;

	if (!readers_are_pinned(readers))
		return add_walker(l, -1);
	for (size_t i = 0; ret == 0 && i < r->n_domains; i++) {
		const struct place *place = readers_place(readers, i);
		int cpu = place ? choose_cpu(r, place) : -1;

		if (cpu >= 0 && !is_taken(l, cpu))
			ret = add_walker(l, cpu);
	}
	return ret;
}

int load_start(struct load **load, const struct bench_result *r, const struct readers *readers)
{
	const bool l2 = r->options->bench.contention == CONTENTION_L2;
	const struct place *place = readers_place(readers, 0);
	const int cpu = place ? place_next_cpu(place, -1) : 0;
	struct load *l = calloc(1, sizeof(*l));
	size_t cache;
	int ret = -ENOMEM;

	if (!l)
		return -ENOMEM;
	cache = machine_cache_size(r->options->sysroot, (unsigned int)cpu, l2 ? 2 : 3);
	if (!cache)
		cache = l2 ? L2_SIZE : L3_SIZE;
	l->topology = readers_are_pinned(readers) ? readers_topology(readers) : NULL;
	l->size = bounded(l2 ? 4 * cache : 2 * cache, r->n_domains);
	l->walkers = calloc(r->n_domains + 1, sizeof(*l->walkers));
	if (l2) {
		l->evict_size = l->size;
		l->evict = calloc(1, l->size);
	}
	if (l->walkers && (l->evict || !l2))
		ret = add_walkers(l, r, readers);
	if (ret < 0) {
		load_stop(l);
		return ret;
	}
	*load = l;
	return 0;
}

void load_stop(struct load *l)
{
	if (!l)
		return;
	atomic_store(&l->stop, true);
	for (size_t i = 0; i < l->n; i++) {
		pthread_join(l->walkers[i].thread, NULL);
		free(l->walkers[i].memory);
	}
	free(l->walkers);
	free(l->evict);
	free(l);
}

size_t load_walkers(const struct load *l)
{
	return l->n;
}

void *load_evict(const struct load *l, size_t *size)
{
	*size = l ? l->evict_size : 0;
	return l ? l->evict : NULL;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One thread per domain, as dump has them, that reads any domain of any plan when
 * told to and counts what that took.
 */
#ifndef CLI_BENCH_READERS_H
#define CLI_BENCH_READERS_H

#include "cli/bench-system.h"
#include "cli/bench.h"

struct readers;

struct reader_job {
	size_t reader;
	const struct mbmcat_plan *plan;
	struct mbmcat_sample *sample;
	size_t i;         /* domain of @plan */
	size_t target;    /* the same of the session's plan, for system cycles; or none */
	uint64_t idle_ns; /* to be idle before, as what system cycles are compared with */
	void *evict;      /* memory to walk over before, or NULL */
	size_t evict_size;
};

struct reader_note {
	int cpu; /* -1: unknown */
	uint64_t reads;
	bool outside; /* it ran on no CPU of the target */
};

/* @drop: give up all capabilities in the threads, once their counters are open. 0 or a
 * negative errno. */
int readers_new(struct readers **readers, const struct session *session, bool drop);
void readers_free(struct readers *readers);

/* Threads stay on CPUs of their domains (but for those with an error). */
bool readers_are_pinned(const struct readers *readers);
/* 0, or why reader @i could not be bound: a negative errno. */
int readers_bind_error(const struct readers *readers, size_t i);
/* CPUs of domain @i, or NULL. */
const struct place *readers_place(const struct readers *readers, size_t i);

const struct topology *readers_topology(const struct readers *readers);

/* Where each figure comes from, or why there is none. */
void readers_sources(const struct readers *readers, const struct machine *machine,
		     struct figure_source sources[FIGURES]);

/* One dump of one domain. */
void readers_dump(struct readers *readers, const struct reader_job *job,
		  struct bench_iteration *iteration, struct reader_note *note);

#endif

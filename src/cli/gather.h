/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A plan read by a crew: each domain by a thread bound to it.
 */
#ifndef CLI_GATHER_H
#define CLI_GATHER_H

#include <mbmcat/mbmcat.h>

#include "cli/opt.h"
#include "cli/record.h"

struct gather;

/* What reading a domain was like. */
struct reading {
	int cpu;	     /* where the thread ran at its end; -1: unknown */
	enum read_path path;
	uint64_t switches;   /* of the thread in its last pass */
	int bind_error;	     /* 0, or why the thread could not be bound: negative errno */
};

/* Threads for the domains of @plan. @topology may be NULL. 0 or a negative errno. */
int gather_new(struct gather **gather, const struct topology *topology,
	       const struct options *options, const struct mbmcat_plan *plan);
void gather_free(struct gather *gather);

/* The plan has the same domains in the same order as the one given to gather_new(). */
bool gather_fits(const struct gather *gather, const struct mbmcat_plan *plan);

/* Read every domain of @plan, which fits, once. */
void gather_run(struct gather *gather, const struct mbmcat_plan *plan,
		struct mbmcat_sample *sample);

/* How many domains gather_run() reads at once from now on. */
void gather_set_parallel(struct gather *gather, unsigned int parallel);
/* How many domains are read at once; 0: not decided yet. */
size_t gather_at_once(const struct gather *gather);
/* Why so: the shortest sample of those read one domain at a time and of those read all at
 * once, or UINT64_MAX where that was not tried. */
void gather_trials(const struct gather *gather, uint64_t *one_ns, uint64_t *all_ns);

size_t gather_domains(const struct gather *gather);
const struct reading *gather_reading(const struct gather *gather, size_t i);

/* The CPUs that domain @i has, or NULL where that is not known. */
const struct place *gather_place(const struct gather *gather, size_t i);

#endif

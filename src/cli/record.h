/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a format sees: how a sample is made up (once per plan), and one record per
 * domain. No file, no path, no option.
 */
#ifndef CLI_RECORD_H
#define CLI_RECORD_H

#include <mbmcat/mbmcat.h>

#include "base/buf.h"

#define RECORD_SCHEMA "mbmcat.sample/1"
/* Behind an event's name: its rate. */
#define RECORD_RATE_SUFFIX "_per_second"
/* 2026-12-01T03:19:07.123456789Z */
#define RECORD_TIME_SIZE 30

/* How a domain's counters were read. */
enum read_path {
	PATH_UNKNOWN,  /* a captured tree: nothing was counted */
	PATH_DIRECT,   /* by the reading thread itself */
	PATH_DEFERRED, /* by a kernel worker that the thread waited for */
	PATH_REMOTE,   /* from a CPU outside the domain */
};

/* The word for it, or NULL for PATH_UNKNOWN. */
const char *record_path_text(enum read_path path);

/* What stays the same from sample to sample. */
struct layout {
	const struct mbmcat_plan *plan;
	const char *host;
	bool rates;
	bool header;
	bool u64_strings; /* counts as strings, for readers that know only doubles */
	bool color;
	bool at_top;	   /* nothing of this run is in the output yet */
	bool has_clusters; /* some domain is a sub-NUMA cluster */
};

void layout_init(struct layout *layout, const struct mbmcat_plan *plan);

struct record {
	uint64_t seq;
	uint64_t missed;
	size_t i; /* domain of the plan */
	const struct mbmcat_plan_domain *domain;
	const struct mbmcat_sample *sample;
	const struct mbmcat_pass *pass;
	const uint64_t *rate; /* one per slot; NULL without --rates */
	const uint8_t *why;   /* enum mbmcat_rate per slot */
	int cpu;	      /* where it was read; -1: unknown */
	enum read_path path;
};

/* Time of a pass in UTC, by RFC 3339 with nanoseconds; no NUL. */
void record_time(uint64_t time_ns, char text[RECORD_TIME_SIZE]);

/* The word beside a rate that is null for a reason worth telling, or NULL. */
const char *record_rate_text(uint8_t why);

#endif

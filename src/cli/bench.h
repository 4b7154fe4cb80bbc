/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What bench finds out, in memory: the document mbmcat.bench/1 is this and no more.
 */
#ifndef CLI_BENCH_H
#define CLI_BENCH_H

#include "cli/opt.h"
#include "cli/record.h"
#include "cli/session.h"
#include "host/machine.h"

#define BENCH_SCHEMA       "mbmcat.bench/1"
#define BENCH_SCHEMA_MINOR 0
/* Of the result's "dry" cell: there is no domain to read. */
#define BENCH_NO_TARGET SIZE_MAX
#define BENCH_REASON    160

/* Figures of an iteration, and "sources" of a document. */
enum figure {
	FIGURE_CYCLES,
	FIGURE_INSTRUCTIONS,
	FIGURE_TASK_CLOCK,
	FIGURE_TSC,
	FIGURE_WALL,
	FIGURE_SWITCHES,
	FIGURE_MIGRATIONS,
	FIGURE_CONTEXT_SWITCHES,
	FIGURE_THREAD_CPU,
	FIGURE_SYSTEM_CYCLES,
	FIGURES
};

/* "wall_ns"; the key in both places. */
const char *figure_name(enum figure figure);

struct figure_source {
	const char *source;        /* "perf"; NULL: there are no such figures */
	char reason[BENCH_REASON]; /* why not */
};

struct bench_iteration {
	uint64_t round;
	bool warmup;
	bool multiplexed; /* cycles and instructions were counted part of the time */
	uint32_t has;     /* bit per figure */
	int64_t value[FIGURES];
	/* How long the counters of cycles existed and counted. */
	uint64_t enabled_ns, running_ns;
};

enum cell_kind { CELL_LOCAL, CELL_REMOTE_SAME, CELL_REMOTE_OTHER, CELL_DRY };
enum cell_toggle { TOGGLE_NONE, TOGGLE_OFF, TOGGLE_ON };

const char *cell_kind_name(enum cell_kind kind);
const char *cell_toggle_name(enum cell_toggle toggle);

struct bench_cell {
	enum cell_kind kind;
	enum cell_toggle toggle;
	size_t reader; /* domains of the plan */
	size_t target; /* or BENCH_NO_TARGET */
	int cpu;       /* that the reader ran on; -1: unknown */
	uint64_t reads;
	enum read_path path;
	struct bench_iteration *iterations;
	size_t n;
};

struct bench_domain {
	char *resource;
	uint64_t id;
	int64_t sub_id;
	char *cpus; /* NULL: unknown */
	int package;
};

struct sweep_row {
	size_t parallel;
	struct bench_iteration *iterations; /* wall time only */
	size_t n;
};

/* What a spinner saw on its CPU. */
struct victim_side {
	uint64_t wall_ns;
	uint64_t gaps;    /* in which it did not run, above the threshold */
	uint64_t lost_ns; /* all of them together */
	uint64_t p99_ns;
	uint64_t longest_ns;
	uint64_t dumps;
};

struct victim_row {
	size_t cell; /* whose dumps */
	int cpu;
	struct victim_side off, on;
};

struct bench_result {
	const struct options *options;
	char tool[32];
	uint64_t time_ns; /* since 1970 */
	uint64_t seed;
	struct machine machine;
	char host[256];
	uint64_t num_rmids;
	bool has_rmids;
	double load_before[3], load_after[3];
	bool has_load_before, has_load_after;
	bool pinned;
	size_t groups;
	char **events;
	size_t n_events;
	struct bench_domain *domains;
	size_t n_domains;
	struct figure_source sources[FIGURES];
	struct bench_cell *cells;
	size_t n_cells;
	struct sweep_row *sweep; /* NULL: not asked for */
	size_t n_sweep;
	struct victim_row *victims;
	size_t n_victims;
	bool has_victims;
	uint64_t victim_threshold_ns, victim_block_ns;
	bool interrupted;
};

static inline bool iteration_has(const struct bench_iteration *it, enum figure figure)
{
	return it->has >> figure & 1;
}

static inline void iteration_set(struct bench_iteration *it, enum figure figure, int64_t value)
{
	it->has |= 1u << figure;
	it->value[figure] = value;
}

/* bench-result.c: everything that is known before the first round. 0 or -ENOMEM;
 * bench_result_free() in any case. */
int bench_result_init(struct bench_result *result, const struct options *options,
		      const struct session *session);
void bench_result_free(struct bench_result *result);

/* bench-cells.c: which readers with which targets. 0, or -ENOMEM. */
int bench_cells(struct bench_result *result, bool dry);

/* bench-json.c: the document, appended to @out. */
void bench_json(const struct bench_result *result, struct buf *out);
/* bench-text.c: for people. */
void bench_text(const struct bench_result *result, struct buf *out);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Results of mbmcat bench, read back: checked, and no JSON any more.
 */
#ifndef CLI_BENCH_FILE_H
#define CLI_BENCH_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct json_object;

/*
 * What is larger, deeper or of more parts is refused before it is in memory: a parsed
 * part takes up to some hundred bytes, and there is no use for that many.
 */
#define BENCH_BYTES_MAX	 (128u << 20)
#define BENCH_PARTS_MAX	 (4u << 20)
#define BENCH_NESTED_MAX (512u << 10)
#define BENCH_DEPTH_MAX	 16

#define BENCH_ERROR_SIZE 512

enum result_metric {
	METRIC_CYCLES,
	METRIC_INSTRUCTIONS,
	METRIC_TASK_CLOCK,
	METRIC_TSC,
	METRIC_WALL,
	METRIC_SWITCHES,
	METRIC_SYSTEM_CYCLES,
	METRICS
};

/* The name in the file, and the unit for people. */
extern const char *const result_metric_name[METRICS];
extern const char *const result_metric_unit[METRICS];

enum result_kind { KIND_LOCAL, KIND_SAME_PACKAGE, KIND_OTHER_PACKAGE, KIND_DRY, KINDS };
extern const char *const result_kind_name[KINDS];

enum result_toggle { SWITCH_NONE, SWITCH_OFF, SWITCH_ON };

struct result_cell {
	enum result_kind kind;
	enum result_toggle toggle;
	char *reader; /* "L3:0" or, with a cluster, "L3:0/1" */
	char *target; /* the same; "" for a dry run */
	char *path;   /* NULL: not known */
	double reads; /* per dump, > 0 */
	size_t n;     /* iterations but for warm-up */
	uint64_t *round;
	double *value[METRICS]; /* NAN where there is none */
};

/* What was measured on and how; for each there is a rule when two results differ. */
enum result_rule {
	RULE_SAME, /* not comparable */
	RULE_NOTE, /* say so */
};

struct result_fact {
	char *name;
	char *text; /* NULL: not known */
	enum result_rule rule;
};

struct bench_file {
	char *name;
	char *boot; /* NULL: not known */
	char *identity; /* the same for copies of one result; NULL: not known */
	char *kernel;	/* release; NULL: not known */
	double load;	/* of a minute, before the run; NAN: not known */
	bool interrupted;
	uint64_t multiplexed; /* iterations whose counters were not there all the time */
	struct result_fact *facts;
	size_t n_facts;
	struct result_cell *cells; /* sorted: result_cell_order() */
	size_t n_cells;
};

/* By kind, reader, target and toggle, as qsort() wants it. */
int result_cell_order(const void *left, const void *right);

/*
 * Read and check @path. 0 and a file to be freed; otherwise a negative errno and, in
 * @error, one line that doesn't name the file.
 */
int bench_file_read(const char *path, struct bench_file **file, char *error);
void bench_file_free(struct bench_file *file);

/* The steps of it, each in a source of its own. Objects are released with json_object_put(). */
int result_json_read(const char *path, struct json_object **doc, char *error);
int result_parse(struct json_object *doc, struct bench_file *file, char *error);
int result_parse_facts(struct json_object *doc, struct bench_file *file, char *error);

int result_fail(char *error, const char *format, ...) printf_like(2);

#endif

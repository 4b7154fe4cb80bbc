/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Two sets of bench results -> what can be said of them. Pure: reads no file, prints
 * nothing.
 *
 * A row's figure for one boot is the median over its cells of the median over each
 * cell's iterations, warm-up left out. A side's figure is the mean over its boots. The
 * boot is what is tested: iterations of one boot are no independent samples.
 */
#ifndef CLI_COMPARE_H
#define CLI_COMPARE_H

#include "base/buf.h"
#include "cli/bench-file.h"
#include "cli/stats.h"

/* Of the generator, for every row: the same files give the same figures. */
#define COMPARE_SEED  1
#define COMPARE_LEVEL 0.05

enum { BEFORE, AFTER, SIDES };

enum compare_mode {
	COMPARE_SIDES,
	COMPARE_SAME,	/* one side: how far apart are its boots */
	COMPARE_TOGGLE, /* one side: off against on, round by round */
};

struct compare_wish {
	enum compare_mode mode;
	int metric; /* enum result_metric; -1: the best that all have */
	bool per_domain;
};

struct bench_boot {
	const char *id; /* NULL: not known */
	const struct bench_file **files; /* owned array */
	size_t n;
};

struct bench_set {
	struct bench_file **files; /* owned */
	size_t n;
	struct bench_boot *boots; /* owned */
	size_t n_boots;
};

/*
 * @files -> boots. Those that name no boot are one together: were each its own, a boot
 * measured many times could pass for many. 0 or -ENOMEM.
 */
int bench_set_group(struct bench_set *set);
void bench_set_free(struct bench_set *set);

struct finding {
	char *name;
	char *text[SIDES]; /* NULL: does not apply */
	bool refuse;
};

struct compare_side {
	size_t n;      /* boots, or rounds with COMPARE_TOGGLE */
	double *value; /* of each */
	double mean;
	double spread;	 /* relative; between boots, or of the iterations of one */
	double per_read; /* NAN: unknown */
	char *paths;
	/* For pictures: every iteration, and the boot it is from. */
	double *point;
	size_t *point_boot;
	size_t n_points;
};

/* Tests that answer one question together. */
enum compare_family { FAMILY_READER, FAMILY_SYSTEM, FAMILY_DOMAINS, FAMILIES };

struct compare_row {
	char *label;
	enum result_kind kind;
	enum result_metric metric;
	enum compare_family family;
	size_t cells;
	struct compare_side side[SIDES];
	double change; /* after / before - 1; NAN: before is not above 0 */
	bool has_interval;
	double low, high;
	bool has_test;
	struct stats_test test;
	double p_holm;
	bool told; /* from noise */
	double floor; /* COMPARE_SAME: NAN: too few boots */
};

struct comparison {
	enum compare_mode mode;
	enum result_metric metric;
	char *why; /* this metric */
	struct compare_row *rows;
	size_t n_rows;
	const struct bench_set *set[SIDES];
	struct finding *findings;
	size_t n_findings;
	size_t left_out; /* cells that not every boot has */
	struct buf notes; /* lines, each with a NUL behind it */
	bool refused;
};

/*
 * @after is NULL but with COMPARE_SIDES. 0; -EINVAL with one line in @error; -ENOMEM.
 * Free in any case.
 */
int compare_sets(const struct bench_set *before, const struct bench_set *after,
		 const struct compare_wish *wish, struct comparison *c, char *error);
void comparison_free(struct comparison *c);

/* The steps of it. */
int compare_findings(struct comparison *c);
int compare_rows(struct comparison *c, const struct compare_wish *wish, char *error);
int compare_judge(struct comparison *c);
int compare_note(struct comparison *c, const char *format, ...) printf_like(2);
const char *compare_next_note(const struct comparison *c, const char *note);

/* All of it as text of one kind, appended to @out. */
void compare_text(const struct comparison *c, struct buf *out);
void compare_json(const struct comparison *c, struct buf *out);
void compare_csv(const struct comparison *c, struct buf *out);
void compare_markdown(const struct comparison *c, struct buf *out);
void compare_plot(const struct comparison *c, struct buf *out);

/* 5720000 -> "5.72M"; three digits. */
void compare_number(struct buf *out, double value);
/* 0.0079 -> "0.008", 0.0004 -> "<0.001". */
void compare_p(struct buf *out, double p);
/* "5.72M +-1%". */
void compare_side_text(struct buf *out, const struct compare_side *side);
/* How p came about, for a line below the table; "" where there was no test. */
void compare_method(const struct comparison *c, struct buf *out);
/* What an interval and "+-" are. */
void compare_legend(const struct comparison *c, struct buf *out);

#endif

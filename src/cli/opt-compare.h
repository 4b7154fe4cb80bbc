/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Options that only compare has.
 */
#ifndef CLI_OPT_COMPARE_H
#define CLI_OPT_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

enum compare_format { COMPARE_AS_TEXT, COMPARE_AS_JSON, COMPARE_AS_CSV, COMPARE_AS_MARKDOWN };

struct options_compare {
	enum compare_format format;
	int metric_chosen; /* enum bench_metric + 1; 0: the best there is */
	bool per_domain, force, same, toggle;
	bool has_limit;
	double limit; /* 0.05 for 5% */
	const char *plot;
	/* Operands, with the "--" between the sides. */
	char **words;
	int n_words;
};

struct options;

int set_compare_format(struct options *o, const char *value);
int set_compare_metric(struct options *o, const char *value);
int set_compare_limit(struct options *o, const char *value);
int set_compare_plot(struct options *o, const char *value);
/* What stands behind the options. */
int parse_compare_words(struct options *o, int n, char **words);

#endif

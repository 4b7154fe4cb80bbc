/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The table of options, from which parsing and help are made.
 */
#ifndef CLI_OPT_ROWS_H
#define CLI_OPT_ROWS_H

#include "cli/opt.h"

struct option_row {
	const char *name;
	char letter;	 /* 0: none */
	const char *arg; /* name of its value; NULL: a flag */
	const char *help;
	unsigned int commands;
	/* A flag sets the bool at @offset; others take their value. */
	size_t offset;
	int (*set)(struct options *options, const char *value);
};

/* More than there are: for arrays of one entry each. */
#define OPTION_ROWS_MAX 64

extern const struct option_row option_rows[];
extern const size_t n_option_rows;

/* Put one line into options->error; -EINVAL. */
int opt_fail(struct options *options, const char *format, ...) printf_like(2);

#endif

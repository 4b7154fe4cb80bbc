/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The table of options, from which parsing and help are made.
 */
#ifndef CLI_OPT_ROWS_H
#define CLI_OPT_ROWS_H

#include "cli/opt.h"

/* More than there are for a command: for arrays of one entry each. */
#define OPTION_ROWS_MAX 64

extern const struct option_row option_rows[];
extern const size_t n_option_rows;

#endif

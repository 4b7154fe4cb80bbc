/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One function per command in its cmd-*.c; the table is in commands.c. Each returns
 * an exit code.
 */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "cli/opt.h"

int cmd_compare(struct options *options);
int cmd_dump(struct options *options);
int cmd_list(struct options *options);
int cmd_bench(struct options *options);

/* Options that are bench's alone, and what they are together. */
#define BENCH_ROWS 13
extern const struct option_row bench_rows[BENCH_ROWS];
int bench_check(struct options *options);

#endif

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

#endif

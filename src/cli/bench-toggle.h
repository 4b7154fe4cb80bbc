/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CLI_BENCH_TOGGLE_H
#define CLI_BENCH_TOGGLE_H

/*
 * Run a command by the shell, with nothing to read and its output on stderr, in a
 * process group of its own: INT at the terminal is for us. 0 or an exit code after a
 * message.
 */
int toggle_run(const char *command);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Every word to the user that is not data: one line on stderr each.
 */
#ifndef CLI_DIAG_H
#define CLI_DIAG_H

#include <mbmcat/mbmcat.h>

#include "base/cleanup.h"

/* As documented in mbmcat(1). */
enum exit_code {
	EXIT_DONE = 0,
	EXIT_NOTHING = 1, /* nothing could be read, or output failed */
	EXIT_USAGE = 2,
	EXIT_PARTIAL = 3, /* with --strict or --require-local */
	EXIT_REGRESSION = 4, /* with --fail-over */
};

/* -q: errors only; -v: more. */
void diag_set_level(bool quiet, bool verbose);
bool diag_is_verbose(void);

void diag_error(const char *format, ...) printf_like(1);
/* Each different text once in a run: a flood says no more than one line. */
void diag_warn(const char *format, ...) printf_like(1);
void diag_info(const char *format, ...) printf_like(1);

/* A line on stderr that the next one replaces, for people at a terminal; not with -q. */
void diag_progress(const char *format, ...) printf_like(1);
void diag_progress_end(void);

/* For mbmcat_ctx_set_log(). */
void diag_from_library(void *arg, enum mbmcat_log_level level, const char *text);

#endif

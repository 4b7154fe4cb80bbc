/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Where figures come from, and in words why they don't.
 */
#ifndef CLI_BENCH_SOURCES_H
#define CLI_BENCH_SOURCES_H

#include "cli/bench.h"

/* A figure of perf; @error: 0, or the negative errno that stands in its way. */
void sources_perf(struct figure_source sources[FIGURES], enum figure figure, int error,
		  const struct machine *machine);
/* Those that every machine has; after the ones of perf. */
void sources_other(struct figure_source sources[FIGURES], bool tsc);

/* One line without an end: what is missing and how to get it. False: nothing is. */
bool sources_missing(const struct figure_source sources[FIGURES], struct buf *out);

#endif

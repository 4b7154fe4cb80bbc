/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the list command found out, for its two ways to say it.
 */
#ifndef CLI_LIST_H
#define CLI_LIST_H

#include "cli/source.h"
#include "host/limits.h"

struct listing {
	struct source *source;
	const struct mbmcat_snapshot *snapshot;
	struct place **place; /* per domain; NULL: CPUs unknown */
	int *bind;	      /* per domain: 0 or why this process may not run there */
	size_t counters;      /* with the default selection */
	struct fd_limits fds;
};

/* Whether this process may run on the CPUs of domain @i, in words. */
const char *list_may_run(const struct listing *listing, size_t i);

/* Append the document. */
void list_json(const struct listing *listing, struct buf *out);

#endif

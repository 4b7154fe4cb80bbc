/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What was lacking in a sample, in words: once each, however many samples.
 */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "cli/session.h"

struct verdict {
	bool partial;  /* some count is missing */
	bool remote;   /* some domain was read from elsewhere */
	uint64_t read; /* counters that gave some text, over the whole run */
	size_t at_once; /* domains, as was said last */
	uint32_t said; /* statuses that were reported: bits */
	char first_failure[MBMCAT_WORD_SIZE]; /* the word for it, if any */
};

/* Look at session->now. @follows: what is gone will be looked for again, and is no
 * lack. */
void report_sample(const struct session *session, bool follows, struct verdict *verdict);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Samples -> bytes of one format -> a sink.
 */
#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

#include "cli/gather.h"
#include "cli/opt.h"
#include "cli/sink.h"

struct output;

/* @sink stays the caller's. 0 or -ENOMEM. */
int output_new(struct output **output, const struct options *options, struct sink *sink,
	       const char *host, bool color);
void output_free(struct output *output);

/* Render what is constant for @plan, which must live until the next call. */
int output_set_plan(struct output *output, const struct mbmcat_plan *plan);

/* What is appended to has the header of the plan, or nothing in it. */
bool output_fits(const struct output *output);

/* The sink has begun with another file: what comes next stands at its top, if it is empty. */
void output_restart(struct output *output);

/* What reading the sample was like that comes next. */
void output_take_readings(struct output *output, const struct gather *gather);

/*
 * Write a sample; @before is the one of the same plan before it, or NULL. A record
 * is one write. 0, -ENOMEM, or what the sink said.
 */
int output_sample(struct output *output, const struct mbmcat_sample *before,
		  const struct mbmcat_sample *now, uint64_t seq, uint64_t missed);

/* A sample of nothing at all: what is wanted is not there now. Of the last plan only
 * what was rendered is used. */
int output_nothing(struct output *output, uint64_t seq, uint64_t missed);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What openmetrics and prometheus say in every sample, rendered once per plan.
 *
 * A family stands in one piece. The bandwidth comes first, so it is written as the
 * domains come; what the other families have to say is kept until the end.
 */
#ifndef CLI_METRICS_H
#define CLI_METRICS_H

#include "cli/format.h"

enum family {
	BANDWIDTH,
	OCCUPANCY,
	OTHER_EVENT,
	RATE,
	STATUS,
	DURATION,
	DUMP_PATH,
	MISSED,
	BUILD,
	N_FAMILIES,
};

struct metrics {
	bool classic;
	struct buf head[N_FAMILIES]; /* HELP, TYPE and UNIT; none: the family is left out */
	struct buf name[N_FAMILIES]; /* of its samples */
	struct pieces group;	     /* NAME{ctrl_group="",mon_group="web" with BANDWIDTH's name */
	struct pieces domain;	     /* ,domain="6" per domain of the plan */
	struct pieces tail;	     /* ,domain="6",scope="local"}␠ per domain and column */
	uint8_t *family;	     /* of each column */
	size_t columns;
	size_t line_max;
	/* What is to be said later on, per family; the memory is kept. */
	struct buf *later;
};

/* @classic: for readers of Prometheus' older text. As in struct format_ops. */
int metrics_render(struct metrics *metrics, const struct layout *layout, bool classic);
void metrics_free(struct metrics *metrics);

#endif

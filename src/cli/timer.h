/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A grid of points in time that does not drift.
 */
#ifndef CLI_TIMER_H
#define CLI_TIMER_H

#include <stdbool.h>
#include <stdint.h>

struct timer {
	int fd;
	uint64_t interval_ns;
	uint64_t next_ns; /* CLOCK_MONOTONIC */
	uint64_t missed;  /* points of the grid that went by without a sample */
};

/* The first point is now. 0 or a negative errno. */
int timer_start(struct timer *timer, uint64_t interval_ns);
void timer_end(struct timer *timer);

/*
 * Choose the next point after @now_ns; those that went by are counted as missed.
 */
void timer_advance(struct timer *timer, uint64_t now_ns);

/* Sleep until the next point, or until @wake_fd can be read. 1: the point is
 * there; 0: woken; or a negative errno. */
int timer_wait(const struct timer *timer, int wake_fd);

uint64_t timer_now(void);

#endif

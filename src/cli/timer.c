// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/timer.h"

#include <errno.h>
#include <poll.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

uint64_t timer_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

int timer_start(struct timer *timer, uint64_t interval_ns)
{
	*timer = (struct timer){ .interval_ns = interval_ns, .next_ns = timer_now() };
	timer->fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	return timer->fd < 0 ? -errno : 0;
}

void timer_end(struct timer *timer)
{
	if (timer->fd >= 0)
		close(timer->fd);
	timer->fd = -1;
}

void timer_advance(struct timer *timer, uint64_t now_ns)
{
	timer->next_ns += timer->interval_ns;
	if (now_ns >= timer->next_ns) {
		uint64_t late = (now_ns - timer->next_ns) / timer->interval_ns + 1;

		timer->missed += late;
		timer->next_ns += late * timer->interval_ns;
	}
}

int timer_wait(const struct timer *timer, int wake_fd)
{
	struct pollfd fds[] = {
		{ .fd = timer->fd, .events = POLLIN },
		{ .fd = wake_fd, .events = POLLIN },
	};
	struct itimerspec at = {
		.it_value.tv_sec = (time_t)(timer->next_ns / 1000000000),
		.it_value.tv_nsec = (long)(timer->next_ns % 1000000000),
	};

	/* Setting it anew also takes back what was ready. */
	if (timerfd_settime(timer->fd, TFD_TIMER_ABSTIME, &at, NULL) < 0)
		return -errno;
	while (poll(fds, 2, -1) < 0) {
		if (errno != EINTR)
			return -errno;
	}
	if (fds[1].revents)
		return 0;
	return 1;
}

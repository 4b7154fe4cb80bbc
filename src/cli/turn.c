// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/turn.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "cli/sig.h"

int turns_start(struct turns *turns, const struct options *o)
{
	*turns = (struct turns){ .trigger = o->trigger, .timer.fd = -1 };
	return o->trigger == TRIGGER_TIMER ? timer_start(&turns->timer, o->interval_ns) : 0;
}

void turns_finish(struct turns *turns)
{
	timer_end(&turns->timer);
}

/* Each line asks for one sample; the last one need not have its end. */
static int take_lines(struct turns *turns)
{
	char text[4096];
	ssize_t n = read(STDIN_FILENO, text, sizeof(text));

	if (n < 0)
		return errno == EINTR || errno == EAGAIN ? 0 : -errno;
	for (ssize_t i = 0; i < n; i++) {
		turns->begun = text[i] != '\n';
		turns->lines += !turns->begun;
	}
	turns->ended = n == 0;
	if (turns->ended && turns->begun)
		turns->lines++;
	return 0;
}

/* 1: a signal woke us; 0: there is something on stdin; or a negative errno. */
static int wait_for_input(bool from_stdin)
{
	struct pollfd fds[] = {
		{ .fd = sig_fd(), .events = POLLIN },
		{ .fd = from_stdin ? STDIN_FILENO : -1, .events = POLLIN },
	};

	while (poll(fds, 2, -1) < 0) {
		if (errno != EINTR)
			return -errno;
	}
	return fds[0].revents ? 1 : 0;
}

static int wait_for_line(struct turns *turns)
{
	int ret;

	if (turns->lines) {
		turns->lines--;
		return TURN_SAMPLE;
	}
	if (turns->ended)
		return TURN_END;
	ret = wait_for_input(true);
	if (ret == 0)
		ret = take_lines(turns);
	return ret < 0 ? ret : -EAGAIN;
}

static int wait_for_signal(void)
{
	int ret;

	if (sig_triggered())
		return TURN_SAMPLE;
	ret = wait_for_input(false);
	return ret < 0 ? ret : -EAGAIN;
}

static int wait_for_point(const struct turns *turns)
{
	int ret = timer_wait(&turns->timer, sig_fd());

	if (ret < 0)
		return ret;
	return ret > 0 ? TURN_SAMPLE : -EAGAIN;
}

int turns_wait(struct turns *turns)
{
	int ret = -EAGAIN;

	while (ret == -EAGAIN) {
		sig_take();
		if (sig_stopped() || (turns->failed && atomic_load(turns->failed)))
			return TURN_END;
		if (sig_reopen())
			return TURN_REOPEN;
		if (turns->trigger == TRIGGER_STDIN)
			ret = wait_for_line(turns);
		else if (turns->trigger == TRIGGER_TIMER)
			ret = wait_for_point(turns);
		else
			ret = wait_for_signal();
	}
	return ret;
}

void turns_advance(struct turns *turns)
{
	if (turns->trigger == TRIGGER_TIMER)
		timer_advance(&turns->timer, timer_now());
}

// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/sig.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stddef.h>
#include <sys/eventfd.h>
#include <unistd.h>

static volatile sig_atomic_t stopped, hung_up;
static bool hup_is_reopen;
static int event_fd = -1;

static void on_signal(int number)
{
	const uint64_t one = 1;
	int saved = errno;

	if (number == SIGHUP && hup_is_reopen)
		hung_up = 1;
	else
		stopped = 1;
	if (write(event_fd, &one, sizeof(one)) < 0) {
		/* Full: it is readable already. */
	}
	errno = saved;
}

static void catch(int number, int flags, bool even_if_ignored)
{
	struct sigaction old, action = { .sa_handler = on_signal, .sa_flags = flags };

	sigaction(number, NULL, &old);
	if (old.sa_handler != SIG_IGN || even_if_ignored)
		sigaction(number, &action, NULL);
}

int sig_setup(bool hup_reopens)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };

	event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (event_fd < 0)
		return -errno;
	hup_is_reopen = hup_reopens;
	/* RESETHAND: the next one is the system's default, the end. */
	catch(SIGINT, (int)SA_RESETHAND, false);
	catch(SIGTERM, (int)SA_RESETHAND, false);
	catch(SIGHUP, hup_reopens ? SA_RESTART : (int)SA_RESETHAND, hup_reopens);
	sigaction(SIGPIPE, &ignore, NULL);
	return 0;
}

int sig_fd(void)
{
	return event_fd;
}

void sig_take(void)
{
	uint64_t count;

	while (read(event_fd, &count, sizeof(count)) > 0)
		;
}

bool sig_stopped(void)
{
	return stopped;
}

bool sig_reopen(void)
{
	bool asked = hung_up;

	hung_up = 0;
	return asked;
}

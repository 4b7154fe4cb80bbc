// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/sig.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stddef.h>
#include <sys/eventfd.h>
#include <unistd.h>

static volatile sig_atomic_t stopped, reopen, triggered;
static enum sig_use hup_use, usr1_use;
static int event_fd = -1;

/* The next one, be it the same or another, is the system's default: the end. */
static void stop(void)
{
	stopped = 1;
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	if (hup_use == SIG_USE_NONE)
		signal(SIGHUP, SIG_DFL);
}

void sig_wake(void)
{
	const uint64_t one = 1;

	if (write(event_fd, &one, sizeof(one)) < 0) {
		/* Full: it is readable already. */
	}
}

static void on_signal(int number)
{
	enum sig_use use = number == SIGHUP ? hup_use : number == SIGUSR1 ? usr1_use : SIG_USE_NONE;
	int saved = errno;

	if (use == SIG_USE_REOPEN)
		reopen = 1;
	else if (use == SIG_USE_TRIGGER)
		triggered = 1;
	else
		stop();
	sig_wake();
	errno = saved;
}

static void catch(int number, enum sig_use use)
{
	struct sigaction old, action = { .sa_handler = on_signal };

	action.sa_flags = use == SIG_USE_NONE ? 0 : SA_RESTART;
	sigaction(number, NULL, &old);
	if (old.sa_handler != SIG_IGN || use != SIG_USE_NONE)
		sigaction(number, &action, NULL);
}

int sig_setup(enum sig_use hup, enum sig_use usr1)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };

	event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (event_fd < 0)
		return -errno;
	hup_use = hup;
	usr1_use = usr1;
	catch(SIGINT, SIG_USE_NONE);
	catch(SIGTERM, SIG_USE_NONE);
	catch(SIGHUP, hup);
	if (usr1 != SIG_USE_NONE)
		catch(SIGUSR1, usr1);
	sigaction(SIGPIPE, &ignore, NULL);
	/* The same for a file at its largest: write(2) tells. */
	sigaction(SIGXFSZ, &ignore, NULL);
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

/* The flag is cleared before what it asks for is done: one that comes meanwhile is
 * for the next time. */
static bool take(volatile sig_atomic_t *flag)
{
	bool asked = *flag;

	*flag = 0;
	return asked;
}

bool sig_reopen(void)
{
	return take(&reopen);
}

bool sig_triggered(void)
{
	return take(&triggered);
}

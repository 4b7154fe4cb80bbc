// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/writer.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>

#include "cli/diag.h"
#include "cli/sig.h"
#include "cli/timer.h"

/* So long, one hand-over after the other, before a reader is called slow. */
#define PATIENCE_NS 1000000000u

struct writer {
	struct output *output;
	struct sink *sink;
	struct delivery delivery;
	atomic_int error;
	/* Of the caller's thread. */
	bool running, busy, said;
	uint64_t waited_ns; /* in a row of hand-overs that all had to wait */
	pthread_t thread;
	sem_t go, done;
	bool quit;
};

static int deliver(struct writer *w)
{
	const struct delivery *d = &w->delivery;
	int ret;

	if (d->now)
		ret = output_sample(w->output, d->before, d->now, d->seq, d->missed);
	else
		ret = output_nothing(w->output, d->seq, d->missed);
	if (ret < 0 || !d->commit)
		return ret;
	ret = sink_commit(w->sink);
	output_restart(w->output);
	return ret;
}

static void wait_for(sem_t *sem)
{
	while (sem_wait(sem) < 0 && errno == EINTR)
		;
}

static void *live(void *arg)
{
	struct writer *w = arg;

	for (;;) {
		int ret;

		wait_for(&w->go);
		if (w->quit)
			return NULL;
		ret = deliver(w);
		if (ret < 0) {
			atomic_store(&w->error, ret);
			sig_wake();
		}
		sem_post(&w->done);
	}
}

int writer_new(struct writer **writer, struct output *output, struct sink *sink)
{
	struct writer *w = calloc(1, sizeof(*w));

	if (!w)
		return -ENOMEM;
	w->output = output;
	w->sink = sink;
	sem_init(&w->go, 0, 0);
	sem_init(&w->done, 0, 0);
	*writer = w;
	return 0;
}

int writer_start(struct writer *w)
{
	sigset_t all, old;
	int ret;

	/* Signals are for the thread that takes the samples. */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	ret = pthread_create(&w->thread, NULL, live, w);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	w->running = ret == 0;
	return -ret;
}

static void take_back(struct writer *w)
{
	if (w->busy)
		wait_for(&w->done);
	w->busy = false;
}

void writer_free(struct writer *w)
{
	if (!w)
		return;
	if (w->running) {
		take_back(w);
		w->quit = true;
		sem_post(&w->go);
		pthread_join(w->thread, NULL);
	}
	sem_destroy(&w->go);
	sem_destroy(&w->done);
	free(w);
}

int writer_settle(struct writer *w)
{
	take_back(w);
	return atomic_load(&w->error);
}

const atomic_int *writer_error(const struct writer *w)
{
	return &w->error;
}

/* Only what somebody reads can be read too slowly. */
static void say_slow(struct writer *w)
{
	w->said = true;
	if (sink_is_read(w->sink))
		diag_warn("what reads %s is slower than the samples come, and they wait for it; "
			  "take a longer interval",
			  sink_name(w->sink));
}

static int wait_until_late(struct writer *w)
{
	uint64_t left = w->waited_ns < PATIENCE_NS ? PATIENCE_NS - w->waited_ns : 0;
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	left += (uint64_t)until.tv_nsec;
	until.tv_sec += (time_t)(left / 1000000000);
	until.tv_nsec = (long)(left % 1000000000);
	while (sem_timedwait(&w->done, &until) < 0) {
		if (errno != EINTR)
			return -errno;
	}
	return 0;
}

/* As writer_settle(), but the next sample is there already. */
static int hand_over(struct writer *w)
{
	uint64_t start_ns;

	if (!w->busy || w->said)
		return writer_settle(w);
	start_ns = timer_now();
	if (sem_trywait(&w->done) == 0) {
		w->waited_ns = 0;
		w->busy = false;
	} else if (wait_until_late(w) == 0) {
		w->waited_ns += timer_now() - start_ns;
		w->busy = false;
	} else {
		say_slow(w);
	}
	return writer_settle(w);
}

int writer_give(struct writer *w, const struct gather *gather, const struct delivery *delivery)
{
	int ret = hand_over(w);

	if (ret < 0)
		return ret;
	if (delivery->now)
		output_take_readings(w->output, gather);
	w->delivery = *delivery;
	if (!w->running)
		return deliver(w);
	w->busy = true;
	sem_post(&w->go);
	return 0;
}

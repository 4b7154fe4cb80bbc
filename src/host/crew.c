// SPDX-License-Identifier: LGPL-2.1-or-later
#include "host/crew.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/cleanup.h"

/* The loop needs a few hundred bytes; the slow path a few paths of a KiB each. */
#define STACK_SIZE ((size_t)128 * 1024)

struct member {
	sem_t go;
	pthread_t thread;
	struct crew *crew;
	size_t i;
} __attribute__((aligned(CACHE_LINE)));

struct crew {
	struct crew_task task;
	size_t n;
	size_t last; /* behind the last one of this run */
	bool quit;
	sem_t done;
	atomic_size_t next __attribute__((aligned(CACHE_LINE))); /* not started in this run */
	atomic_size_t left;					 /* not finished in this run */
	struct member member[];
};

static void wait_for(sem_t *sem)
{
	while (sem_wait(sem) < 0 && errno == EINTR)
		;
}

static void *live(void *arg)
{
	struct member *m = arg;
	struct crew *crew = m->crew;

	crew->task.start(crew->task.arg, m->i);
	sem_post(&crew->done);
	for (;;) {
		size_t next;

		wait_for(&m->go);
		if (crew->quit)
			return NULL;
		crew->task.work(crew->task.arg, m->i);
		next = atomic_fetch_add(&crew->next, 1);
		if (next < crew->last)
			sem_post(&crew->member[next].go);
		if (atomic_fetch_sub(&crew->left, 1) == 1)
			sem_post(&crew->done);
	}
}

static int start_thread(struct member *m)
{
	size_t stack = STACK_SIZE;
	pthread_attr_t attr;
	int ret;

	ret = pthread_attr_init(&attr);
	if (ret)
		return -ret;
	/* Less than the system's minimum is refused: then the default it is. */
	if (stack < (size_t)PTHREAD_STACK_MIN)
		stack = (size_t)PTHREAD_STACK_MIN;
	pthread_attr_setstacksize(&attr, stack);
	ret = pthread_create(&m->thread, &attr, live, m);
	pthread_attr_destroy(&attr);
	return -ret;
}

int crew_new(struct crew **crew, size_t n, const struct crew_task *task)
{
	size_t size = sizeof(struct crew) + n * sizeof(struct member);
	sigset_t all, old;
	struct crew *c;
	int ret = 0;

	c = aligned_alloc(CACHE_LINE, (size + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE);
	if (!c)
		return -ENOMEM;
	*c = (struct crew){ .task = *task };
	sem_init(&c->done, 0, 0);
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	while (c->n < n) {
		struct member *m = &c->member[c->n];

		*m = (struct member){ .crew = c, .i = c->n };
		sem_init(&m->go, 0, 0);
		ret = start_thread(m);
		if (ret < 0) {
			sem_destroy(&m->go);
			break;
		}
		c->n++;
	}
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	for (size_t i = 0; i < c->n; i++)
		wait_for(&c->done);
	if (ret < 0) {
		crew_free(c);
		return ret;
	}
	*crew = c;
	return 0;
}

void crew_free(struct crew *crew)
{
	if (!crew)
		return;
	crew->quit = true;
	for (size_t i = 0; i < crew->n; i++) {
		sem_post(&crew->member[i].go);
		pthread_join(crew->member[i].thread, NULL);
		sem_destroy(&crew->member[i].go);
	}
	sem_destroy(&crew->done);
	free(crew);
}

void crew_run(struct crew *crew, size_t first, size_t last, size_t parallel)
{
	if (first >= last)
		return;
	if (parallel < 1)
		parallel = 1;
	if (parallel > last - first)
		parallel = last - first;
	crew->last = last;
	atomic_store(&crew->next, first + parallel);
	atomic_store(&crew->left, last - first);
	for (size_t i = 0; i < parallel; i++)
		sem_post(&crew->member[first + i].go);
	wait_for(&crew->done);
}

// SPDX-License-Identifier: LGPL-2.1-or-later
#include "unit.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

#include "host/crew.h"

#define MEMBERS 24

static atomic_uint at_once, most;
static unsigned int started[MEMBERS], worked[MEMBERS];
static pthread_t thread[MEMBERS];

static void start(void *arg, size_t i)
{
	sigset_t blocked;

	ck_assert_ptr_eq(arg, started);
	pthread_sigmask(SIG_SETMASK, NULL, &blocked);
	ck_assert_int_eq(sigismember(&blocked, SIGTERM), 1);
	thread[i] = pthread_self();
	started[i]++;
}

static void work(void *arg, size_t i)
{
	unsigned int n = atomic_fetch_add(&at_once, 1) + 1, old = atomic_load(&most);

	ck_assert_ptr_eq(arg, started);
	ck_assert(pthread_equal(thread[i], pthread_self()));
	while (n > old && !atomic_compare_exchange_weak(&most, &old, n))
		;
	sched_yield();
	worked[i]++;
	atomic_fetch_sub(&at_once, 1);
}

/* Each works once in each run, in its own thread, at most so many at a time. */
START_TEST(test_runs)
{
	static const size_t parallel[] = { 1, 2, 7, MEMBERS, 0, 1000 };
	const struct crew_task task = { .start = start, .work = work, .arg = started };
	struct crew *crew;
	unsigned int runs = 0;

	ck_assert_int_eq(crew_new(&crew, MEMBERS, &task), 0);
	for (size_t i = 0; i < MEMBERS; i++) {
		ck_assert_uint_eq(started[i], 1);
		ck_assert(!pthread_equal(thread[i], pthread_self()));
		for (size_t j = 0; j < i; j++)
			ck_assert(!pthread_equal(thread[i], thread[j]));
	}
	for (size_t p = 0; p < sizeof(parallel) / sizeof(parallel[0]); p++) {
		size_t limit = parallel[p] ? parallel[p] : 1;

		atomic_store(&most, 0);
		for (int round = 0; round < 50; round++) {
			crew_run(crew, 0, MEMBERS, parallel[p]);
			runs++;
			ck_assert_uint_eq(atomic_load(&at_once), 0);
			for (size_t i = 0; i < MEMBERS; i++)
				ck_assert_uint_eq(worked[i], runs);
		}
		ck_assert_uint_ge(atomic_load(&most), 1);
		ck_assert_uint_le(atomic_load(&most), limit);
	}
	crew_free(crew);
	for (size_t i = 0; i < MEMBERS; i++)
		ck_assert_uint_eq(started[i], 1);
}
END_TEST

/* A part of them: the others sleep on. */
START_TEST(test_part)
{
	const struct crew_task task = { .start = start, .work = work, .arg = started };
	unsigned int before[MEMBERS];
	struct crew *crew;

	memcpy(before, worked, sizeof(before));
	ck_assert_int_eq(crew_new(&crew, MEMBERS, &task), 0);
	crew_run(crew, 0, 1, 5);
	crew_run(crew, 3, 9, 2);
	crew_run(crew, MEMBERS - 1, MEMBERS, 1);
	crew_run(crew, 4, 4, 1);
	for (size_t i = 0; i < MEMBERS; i++)
		ck_assert_uint_eq(worked[i] - before[i],
				  i == 0 || (i >= 3 && i < 9) || i == MEMBERS - 1);
	crew_free(crew);
}
END_TEST

START_TEST(test_nobody)
{
	const struct crew_task task = { .start = start, .work = work, .arg = started };
	struct crew *crew;

	ck_assert_int_eq(crew_new(&crew, 0, &task), 0);
	crew_run(crew, 0, 0, 1);
	crew_free(crew);
	crew_free(NULL);
}
END_TEST

UNIT_CASE(crew_tests)
{
	TCase *tc = tcase_create("crew");

	tcase_add_test(tc, test_runs);
	tcase_add_test(tc, test_part);
	tcase_add_test(tc, test_nobody);
	return tc;
}

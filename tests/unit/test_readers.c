// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A dump between readings of perf that are made up: what becomes of them.
 */
#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bench-readers.h"
#include "fakefs.h"

/* What the hardware group gives at the next reading, and by how much that grows. */
static struct perf_reading now, step;
static int read_error, open_error;

void __wrap_perf_open_thread(struct perf_group *group, const enum perf_kind *kinds, size_t n);
void __wrap_perf_close(struct perf_group *group);
int __wrap_perf_read(const struct perf_group *group, struct perf_reading *reading);

void __wrap_perf_open_thread(struct perf_group *group, const enum perf_kind *kinds, size_t n)
{
	*group = (struct perf_group){ 0 };
	for (size_t i = 0; i < PERF_KINDS; i++)
		group->fd[i] = -1;
	for (size_t i = 0; i < n; i++) {
		if (open_error) {
			group->error[kinds[i]] = open_error;
			continue;
		}
		group->fd[kinds[i]] = 1000;
		group->kind[group->n++] = (unsigned char)kinds[i];
	}
}

void __wrap_perf_close(struct perf_group *group)
{
	group->n = 0;
}

int __wrap_perf_read(const struct perf_group *group, struct perf_reading *reading)
{
	if (!group->n) {
		*reading = (struct perf_reading){ 0 };
		return 0;
	}
	*reading = now;
	if (!perf_has(group, PERF_CYCLES))
		return read_error;
	now.enabled_ns += step.enabled_ns;
	now.running_ns += step.running_ns;
	for (size_t i = 0; i < PERF_KINDS; i++)
		now.value[i] += step.value[i];
	return read_error;
}

static char tree[256], dir[300];
static struct options options;
static struct source source;
static struct session session;
static struct readers *readers;

static void setup(void)
{
	char err[256];

	read_error = open_error = 0;
	now = (struct perf_reading){ .enabled_ns = 100, .running_ns = 50, .value = { 7, 8, 9 } };
	step = (struct perf_reading){ .enabled_ns = 1000,
				      .running_ns = 1000,
				      .value = { 5000, 6000, 70 } };
	ck_assert_int_eq(fakefs_tmp(tree, sizeof(tree)), 0);
	ck_assert_int_eq(fakefs_build(tree, "machine l3=0,1 packages=2\nmon \"\" web\n", err,
				      sizeof(err)),
			 0);
	snprintf(dir, sizeof(dir), "%s", tree);
	options = (struct options){ .sysroot = dir, .wish = mbmcat_wish_new() };
	ck_assert_int_eq(source_open(&source, &options), 0);
	ck_assert_int_eq(session_open(&session, &options, &source, false), 0);
	readers = NULL;
}

static void teardown(void)
{
	readers_free(readers);
	session_close(&session);
	source_close(&source);
	options_free(&options);
	fakefs_remove(tree);
}

static void dump(struct bench_iteration *it, struct reader_note *note)
{
	const struct reader_job job = {
		.reader = 1, .plan = session.plan, .sample = session.now, .i = 0, .target = 0
	};

	ck_assert_int_eq(readers_new(&readers, &session, false), 0);
	memset(it, 0xff, sizeof(*it));
	readers_dump(readers, &job, it, note);
}

START_TEST(test_differences)
{
	struct bench_iteration it;
	struct reader_note note;

	dump(&it, &note);
	ck_assert(iteration_has(&it, FIGURE_CYCLES));
	ck_assert_int_eq(it.value[FIGURE_CYCLES], 5000);
	ck_assert_int_eq(it.value[FIGURE_INSTRUCTIONS], 6000);
	/* Between the readings of the software events the hardware's were read twice. */
	ck_assert_int_eq(it.value[FIGURE_TASK_CLOCK], 140);
	ck_assert(!it.multiplexed);
	ck_assert_uint_eq(it.enabled_ns, 1000);
	ck_assert(iteration_has(&it, FIGURE_WALL));
	ck_assert(iteration_has(&it, FIGURE_THREAD_CPU));
	ck_assert(!iteration_has(&it, FIGURE_SYSTEM_CYCLES));
	ck_assert_uint_eq(note.reads, 4);
	ck_assert_int_eq(note.cpu, -1);
	/* It is the plan of dump that was read. */
	ck_assert_uint_eq(mbmcat_sample_pass(session.now, 0)->n_ok, 4);
	ck_assert_uint_eq(mbmcat_sample_pass(session.now, 1)->start_ns, 0);
}
END_TEST

START_TEST(test_multiplexed)
{
	struct bench_iteration it;
	struct reader_note note;

	step.running_ns = 400;
	dump(&it, &note);
	ck_assert(it.multiplexed);
	/* As it was counted. */
	ck_assert_int_eq(it.value[FIGURE_CYCLES], 5000);
	ck_assert_uint_eq(it.enabled_ns, 1000);
	ck_assert_uint_eq(it.running_ns, 400);
}
END_TEST

START_TEST(test_never_counted)
{
	struct bench_iteration it;
	struct reader_note note;

	step.running_ns = 0;
	dump(&it, &note);
	ck_assert(it.multiplexed);
	ck_assert(!iteration_has(&it, FIGURE_CYCLES));
	ck_assert(!iteration_has(&it, FIGURE_INSTRUCTIONS));
	ck_assert(iteration_has(&it, FIGURE_TASK_CLOCK));
}
END_TEST

START_TEST(test_read_fails)
{
	struct bench_iteration it;
	struct reader_note note;

	read_error = -EIO;
	dump(&it, &note);
	ck_assert(!iteration_has(&it, FIGURE_CYCLES));
	ck_assert(!iteration_has(&it, FIGURE_MIGRATIONS));
	ck_assert(iteration_has(&it, FIGURE_TASK_CLOCK));
	ck_assert_int_eq(it.value[FIGURE_TASK_CLOCK], it.value[FIGURE_THREAD_CPU]);
}
END_TEST

START_TEST(test_not_permitted)
{
	struct machine machine = { .perf_event_paranoid = (char *)"3" };
	struct figure_source sources[FIGURES] = { 0 };
	struct bench_iteration it;
	struct reader_note note;

	open_error = -EACCES;
	dump(&it, &note);
	readers_sources(readers, &machine, sources);
	for (size_t i = 0; i < FIGURES; i++)
		ck_assert_int_eq(sources[i].source != NULL, iteration_has(&it, (enum figure)i));
	ck_assert_ptr_null(sources[FIGURE_CYCLES].source);
	ck_assert_ptr_nonnull(strstr(sources[FIGURE_CYCLES].reason, "CAP_PERFMON"));
	ck_assert_str_eq(sources[FIGURE_TASK_CLOCK].source, "clock_thread_cputime");
	ck_assert(!it.multiplexed);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("readers");
	TCase *tc = tcase_create("readers");
	SRunner *runner;
	int failed;

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, test_differences);
	tcase_add_test(tc, test_multiplexed);
	tcase_add_test(tc, test_never_counted);
	tcase_add_test(tc, test_read_fails);
	tcase_add_test(tc, test_not_permitted);
	suite_add_tcase(suite, tc);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

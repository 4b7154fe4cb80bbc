// SPDX-License-Identifier: LGPL-2.1-or-later
#include <check.h>
#include <errno.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bench-run.h"
#include "cli/bench-sources.h"
#include "cli/stats.h"

static struct options options;
static struct bench_result result;
static struct bench_domain domains[4];

/* Two packages of two domains each. */
static void setup(void)
{
	options = (struct options){ .sysroot = "", .bench = { .rounds = 4, .warmup = 1 } };
	result = (struct bench_result){ .options = &options, .domains = domains, .n_domains = 4 };
	for (size_t i = 0; i < 4; i++)
		domains[i] = (struct bench_domain){ .resource = (char *)"L3",
						    .id = i * 3,
						    .sub_id = MBMCAT_NO_SUB,
						    .cpus = (char *)"0-1",
						    .package = (int)i / 2 };
}

static void teardown(void)
{
	for (size_t i = 0; i < result.n_cells; i++)
		free(result.cells[i].iterations);
	free(result.cells);
}

static size_t count(enum cell_kind kind)
{
	size_t n = 0;

	for (size_t i = 0; i < result.n_cells; i++)
		n += result.cells[i].kind == kind;
	return n;
}

START_TEST(test_cells)
{
	ck_assert_int_eq(bench_cells(&result, true), 0);
	ck_assert_uint_eq(result.n_cells, 13);
	ck_assert_uint_eq(count(CELL_LOCAL), 4);
	ck_assert_uint_eq(count(CELL_REMOTE_SAME), 4);
	ck_assert_uint_eq(count(CELL_REMOTE_OTHER), 4);
	ck_assert_uint_eq(count(CELL_DRY), 1);
	for (size_t i = 0; i < result.n_cells; i++) {
		const struct bench_cell *c = &result.cells[i];

		ck_assert_int_eq(c->toggle, TOGGLE_NONE);
		if (c->kind == CELL_DRY)
			ck_assert_uint_eq(c->target, BENCH_NO_TARGET);
		else
			ck_assert_int_eq(c->reader == c->target, c->kind == CELL_LOCAL);
	}
}
END_TEST

START_TEST(test_matrix)
{
	options.bench.matrix = true;
	ck_assert_int_eq(bench_cells(&result, false), 0);
	ck_assert_uint_eq(result.n_cells, 16);
	ck_assert_uint_eq(count(CELL_LOCAL), 4);
	ck_assert_uint_eq(count(CELL_REMOTE_SAME), 4);
	ck_assert_uint_eq(count(CELL_REMOTE_OTHER), 8);
}
END_TEST

START_TEST(test_one_domain)
{
	result.n_domains = 1;
	ck_assert_int_eq(bench_cells(&result, true), 0);
	ck_assert_uint_eq(result.n_cells, 2);
}
END_TEST

/* Nobody knows where they are: no claim of near or far. */
START_TEST(test_unknown_packages)
{
	for (size_t i = 0; i < 4; i++)
		domains[i].package = -1;
	ck_assert_int_eq(bench_cells(&result, false), 0);
	ck_assert_uint_eq(result.n_cells, 4);
	ck_assert_uint_eq(count(CELL_LOCAL), 4);
}
END_TEST

START_TEST(test_other_resource)
{
	domains[3].resource = (char *)"PERF_PKG";
	ck_assert_int_eq(bench_cells(&result, false), 0);
	for (size_t i = 0; i < result.n_cells; i++)
		ck_assert_int_eq(result.cells[i].reader == 3, result.cells[i].target == 3);
}
END_TEST

START_TEST(test_toggle_doubles)
{
	options.bench.toggle_on = "true";
	options.bench.toggle_off = "true";
	result.n_domains = 1;
	ck_assert_int_eq(bench_cells(&result, false), 0);
	ck_assert_uint_eq(result.n_cells, 2);
	ck_assert_int_eq(result.cells[0].toggle, TOGGLE_OFF);
	ck_assert_int_eq(result.cells[1].toggle, TOGGLE_ON);
}
END_TEST

START_TEST(test_shuffle)
{
	size_t a[100], b[100];
	bool seen[100] = { false };
	uint64_t x = 42, y = 42, z = 0;
	size_t moved = 0;

	for (size_t i = 0; i < 100; i++)
		a[i] = b[i] = i;
	bench_shuffle(&x, a, 100);
	bench_shuffle(&y, b, 100);
	ck_assert_mem_eq(a, b, sizeof(a));
	for (size_t i = 0; i < 100; i++) {
		ck_assert_uint_lt(a[i], 100);
		ck_assert(!seen[a[i]]);
		seen[a[i]] = true;
		moved += a[i] != i;
	}
	ck_assert_uint_gt(moved, 80);
	/* The published first number of SplitMix64 from 0. */
	ck_assert_uint_eq(bench_random(&z), 0xe220a8397b1dcdafu);
	bench_shuffle(&x, a, 0);
	bench_shuffle(&x, a, 1);
}
END_TEST

static json_object *member(json_object *object, const char *path)
{
	char *copy = strdup(path), *rest = copy, *key;

	while ((key = strsep(&rest, "."))) {
		json_object *next;

		if (json_object_is_type(object, json_type_array))
			next = json_object_array_get_idx(object, strtoul(key, NULL, 10));
		else
			ck_assert_msg(json_object_object_get_ex(object, key, &next), "%s of %s",
				      key, path);
		object = next;
	}
	free(copy);
	return object;
}

#define ck_text(path, text) ck_assert_str_eq(json_object_get_string(member(doc, path)), text)
#define ck_number(path, n)  ck_assert_int_eq(json_object_get_int64(member(doc, path)), n)
#define ck_null(path)       ck_assert_ptr_null(member(doc, path))

static json_object *round_trip(void)
{
	struct buf out = { 0 };
	json_object *doc;

	bench_json(&result, &out);
	ck_assert(!out.failed);
	ck_assert_int_eq(out.data[out.len - 1], '\n');
	out.data[out.len - 1] = '\0';
	doc = json_tokener_parse(out.data);
	ck_assert_ptr_nonnull(doc);
	buf_free(&out);
	return doc;
}

static void fill(void)
{
	static struct machine_mitigation mitigation = { (char *)"meltdown", (char *)"Not \"so\"" };
	static char *argv[] = { (char *)"mbmcat", (char *)"bench", (char *)"-g", (char *)"se\xff" };
	static char *events[] = { (char *)"mbm_total_bytes" };
	struct bench_iteration *it = calloc(2, sizeof(*it));

	options.argc = 4;
	options.argv = argv;
	options.cpu = CPU_ANY;
	ck_assert_int_eq(bench_cells(&result, true), 0);
	strcpy(result.tool, "0.1.0");
	strcpy(result.host, "node1");
	result.time_ns = 1796097547123456789u;
	result.seed = 9007199254740991u;
	result.machine.boot_id = (char *)"0c7e";
	result.machine.cmdline = (char *)"quiet";
	result.machine.perf_event_paranoid = (char *)"-1";
	result.machine.mitigations = &mitigation;
	result.machine.n_mitigations = 1;
	result.load_before[1] = 1.25;
	result.has_load_before = true;
	result.events = events;
	result.n_events = 1;
	result.groups = 250;
	domains[0].sub_id = 2;
	domains[1].package = -1;
	sources_perf(result.sources, FIGURE_CYCLES, -EACCES, &result.machine);
	sources_perf(result.sources, FIGURE_TASK_CLOCK, -EACCES, &result.machine);
	sources_other(result.sources, true);
	it[0].warmup = true;
	it[1].round = 1;
	it[1].multiplexed = true;
	it[1].enabled_ns = 10;
	it[1].running_ns = 7;
	iteration_set(&it[1], FIGURE_WALL, 5000000000000);
	iteration_set(&it[1], FIGURE_SYSTEM_CYCLES, -3);
	result.cells[0].iterations = it;
	result.cells[0].n = 2;
	result.cells[0].reads = 500;
	result.cells[0].cpu = 24;
	result.cells[0].path = PATH_DEFERRED;
}

START_TEST(test_json)
{
	json_object *doc;

	fill();
	doc = round_trip();
	ck_text("schema", "mbmcat.bench/1");
	ck_number("schema_minor", 0);
	ck_text("tool", "0.1.0");
	ck_text("argv.3", "se\xef\xbf\xbd"
			  "ff");
	ck_number("seed", 9007199254740991);
	ck_text("time", "2026-12-01T03:59:07.123456789Z");
	ck_text("machine.host", "node1");
	ck_text("machine.boot_id", "0c7e");
	ck_text("machine.mitigations.meltdown", "Not \"so\"");
	ck_null("machine.num_rmids");
	ck_number("machine.perf_event_paranoid", -1);
	ck_text("machine.load_before.1", "1.25");
	ck_null("machine.load_after");
	ck_number("method.rounds", 4);
	ck_number("method.warmup", 1);
	ck_number("method.pace_ns", 0);
	ck_text("method.cpu", "any");
	ck_text("method.contention", "none");
	ck_number("method.groups", 250);
	ck_text("method.events.0", "mbm_total_bytes");
	ck_number("method.domains.0.sub_domain", 2);
	ck_number("method.domains.3.domain", 9);
	ck_number("method.domains.3.package", 1);
	ck_null("method.domains.1.package");
	ck_null("sources.cycles.source");
	ck_text("sources.task_clock_ns.source", "clock_thread_cputime");
	ck_null("sources.task_clock_ns.reason");
	ck_text("cells.0.kind", "local");
	ck_text("cells.0.path", "deferred");
	ck_number("cells.0.reads", 500);
	ck_number("cells.0.reader.cpu", 24);
	ck_null("cells.0.toggle");
	ck_number("cells.0.iterations.1.round", 1);
	ck_number("cells.0.iterations.1.wall_ns", 5000000000000);
	ck_number("cells.0.iterations.1.system_cycles", -3);
	ck_number("cells.0.iterations.1.time_running_ns", 7);
	ck_null("cells.0.iterations.1.cycles");
	ck_assert(json_object_get_boolean(member(doc, "cells.0.iterations.0.warmup")));
	ck_assert(json_object_get_boolean(member(doc, "cells.0.iterations.1.multiplexed")));
	ck_assert(!json_object_get_boolean(member(doc, "interrupted")));
	ck_null("sweep");
	ck_null("victim");
	json_object_put(doc);
}
END_TEST

START_TEST(test_anonymous)
{
	json_object *doc;
	char kept[64];

	fill();
	options.bench.anonymize = true;
	doc = round_trip();
	ck_null("machine.host");
	ck_null("machine.cmdline");
	ck_assert_uint_eq(json_object_array_length(member(doc, "argv")), 0);
	snprintf(kept, sizeof(kept), "%s", json_object_get_string(member(doc, "machine.boot_id")));
	ck_assert_ptr_null(strstr(kept, "0c7e"));
	json_object_put(doc);
	doc = round_trip();
	ck_text("machine.boot_id", kept);
	json_object_put(doc);
	result.machine.boot_id = (char *)"0c7f";
	doc = round_trip();
	ck_assert_str_ne(json_object_get_string(member(doc, "machine.boot_id")), kept);
	json_object_put(doc);
}
END_TEST

static bool says(const struct buf *out, const char *text)
{
	return memmem(out->data, out->len, text, strlen(text)) != NULL;
}

START_TEST(test_missing)
{
	struct figure_source sources[FIGURES] = { 0 };
	struct machine machine = { .perf_event_paranoid = (char *)"3" };
	struct buf out = { 0 };

	for (size_t i = 0; i < FIGURES; i++)
		sources_perf(sources, (enum figure)i, -EACCES, &machine);
	sources_other(sources, true);
	ck_assert(sources_missing(sources, &out));
	ck_assert(says(&out, "no cycles, instructions"));
	ck_assert(says(&out, "CAP_PERFMON"));
	ck_assert(says(&out, "perf_event_paranoid at most 1 (it is 3)"));
	/* Whole CPUs take more. */
	ck_assert(says(&out, "perf_event_paranoid at most 0 (it is 3)"));
	ck_assert(!says(&out, "task_clock_ns"));
	buf_reset(&out);
	for (size_t i = 0; i < FIGURES; i++)
		sources_perf(sources, (enum figure)i, i == FIGURE_CYCLES ? -ENOENT : 0, &machine);
	sources_other(sources, false);
	ck_assert(sources_missing(sources, &out));
	ck_assert(says(&out, "no cycles (no PMU"));
	ck_assert(says(&out, "no tsc"));
	buf_reset(&out);
	sources_perf(sources, FIGURE_CYCLES, 0, &machine);
	sources_other(sources, true);
	ck_assert(!sources_missing(sources, &out));
	ck_assert_uint_eq(out.len, 0);
	buf_free(&out);
}
END_TEST

START_TEST(test_text)
{
	struct buf out = { 0 };

	fill();
	sources_other(result.sources, false);
	bench_text(&result, &out);
	ck_assert(says(&out, "1 rounds and 1 to warm up"));
	ck_assert(says(&out, "deferred"));
	ck_assert(says(&out, "5000s"));
	ck_assert(says(&out, "wall time for one dump"));
	ck_assert(says(&out, "1 dumps were counted part of the time"));
	buf_free(&out);
}
END_TEST

START_TEST(test_stats)
{
	double values[] = { 4, 1, 3, 2 };
	const double one[] = { 7 };

	ck_assert_double_eq_tol(stats_median(values, 4), 2.5, 1e-12);
	/* R: quantile(1:4, c(.1, .9), type = 7) */
	ck_assert_double_eq_tol(stats_quantile(values, 4, 0.1), 1.3, 1e-12);
	ck_assert_double_eq_tol(stats_quantile(values, 4, 0.9), 3.7, 1e-12);
	ck_assert_double_eq_tol(stats_quantile(values, 4, 0), 1, 1e-12);
	ck_assert_double_eq_tol(stats_quantile(values, 4, 1), 4, 1e-12);
	ck_assert_double_eq_tol(stats_quantile(one, 1, 0.9), 7, 1e-12);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("bench");
	TCase *tc = tcase_create("bench");
	SRunner *runner;
	int failed;

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, test_cells);
	tcase_add_test(tc, test_matrix);
	tcase_add_test(tc, test_one_domain);
	tcase_add_test(tc, test_unknown_packages);
	tcase_add_test(tc, test_other_resource);
	tcase_add_test(tc, test_toggle_doubles);
	tcase_add_test(tc, test_shuffle);
	tcase_add_test(tc, test_json);
	tcase_add_test(tc, test_anonymous);
	tcase_add_test(tc, test_missing);
	tcase_add_test(tc, test_text);
	tcase_add_test(tc, test_stats);
	suite_add_tcase(suite, tc);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

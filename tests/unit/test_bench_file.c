// SPDX-License-Identifier: LGPL-2.1-or-later
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "cli/bench-file.h"
#include "unit.h"

static char path[64];

static void make_file(const char *text)
{
	FILE *file = fopen(path, "w");

	ck_assert_ptr_nonnull(file);
	ck_assert_int_ge(fputs(text, file), 0);
	ck_assert_int_eq(fclose(file), 0);
}

static void setup(void)
{
	int fd;

	strcpy(path, "/tmp/test_bench_file-XXXXXX");
	fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	close(fd);
}

static void teardown(void)
{
	unlink(path);
}

#define METHOD "\"method\":{\"groups\":2,\"events\":[\"e\"],\"domains\":[],\"pace_ns\":0,\"pinned\":true}"
#define HEAD   "{\"schema\":\"mbmcat.bench/1\",\"machine\":{\"boot_id\":\"b\"}," METHOD ","
#define CELL                                                                                \
	"{\"kind\":\"local\",\"reader\":{\"resource\":\"L3\",\"domain\":1,\"cpu\":0},"       \
	"\"target\":{\"resource\":\"L3\",\"domain\":1,\"sub_domain\":3},\"reads\":4,"        \
	"\"path\":\"direct\",\"iterations\":["
#define WARM   "{\"round\":0,\"warmup\":true,\"wall_ns\":99,\"cycles\":9}"
#define FIRST  "{\"round\":1,\"warmup\":false,\"wall_ns\":10,\"cycles\":null,\"tsc\":5}"
#define SECOND "{\"round\":2,\"wall_ns\":20.5,\"system_cycles\":-3,\"multiplexed\":true}"

static struct bench_file *read_text(const char *text)
{
	char error[BENCH_ERROR_SIZE] = "";
	struct bench_file *file = NULL;

	make_file(text);
	ck_assert_msg(bench_file_read(path, &file, error) == 0, "%s", error);
	return file;
}

static void refuse(const char *text, const char *word)
{
	char error[BENCH_ERROR_SIZE] = "";
	struct bench_file *file = NULL;

	make_file(text);
	ck_assert_int_eq(bench_file_read(path, &file, error), -EINVAL);
	ck_assert_ptr_null(file);
	ck_assert_msg(strstr(error, word) != NULL, "\"%s\" has no \"%s\"", error, word);
}

START_TEST(reads_a_result)
{
	struct bench_file *f = read_text(HEAD "\"cells\":[" CELL WARM "," FIRST "," SECOND "]}]}\n");
	const struct result_cell *c = &f->cells[0];

	ck_assert_str_eq(f->boot, "b");
	ck_assert_uint_eq(f->n_cells, 1);
	ck_assert_str_eq(c->reader, "L3:1");
	ck_assert_str_eq(c->target, "L3:1/3");
	ck_assert_str_eq(c->path, "direct");
	ck_assert_double_eq(c->reads, 4);
	ck_assert_uint_eq(c->n, 2);
	ck_assert_uint_eq(c->round[0], 1);
	ck_assert_double_eq(c->value[METRIC_WALL][0], 10);
	ck_assert_double_eq(c->value[METRIC_WALL][1], 20.5);
	ck_assert_double_nan(c->value[METRIC_CYCLES][0]);
	ck_assert_double_nan(c->value[METRIC_CYCLES][1]);
	ck_assert_double_eq(c->value[METRIC_TSC][0], 5);
	ck_assert_double_eq(c->value[METRIC_SYSTEM_CYCLES][1], -3);
	ck_assert_uint_eq(f->multiplexed, 1);
	bench_file_free(f);
}
END_TEST

START_TEST(sorts_cells)
{
	struct bench_file *f = read_text(
		HEAD "\"cells\":["
		     "{\"kind\":\"dry\",\"reader\":{\"resource\":\"L3\",\"domain\":0},\"target\":null,"
		     "\"reads\":1,\"iterations\":[" FIRST "]},"
		     "{\"kind\":\"local\",\"reader\":{\"resource\":\"L3\",\"domain\":10},\"target\":"
		     "{\"resource\":\"L3\",\"domain\":10},\"reads\":1,\"iterations\":[" FIRST "]},"
		CELL FIRST "]}]}");

	ck_assert_str_eq(f->cells[0].reader, "L3:1");
	ck_assert_str_eq(f->cells[1].reader, "L3:10");
	ck_assert_int_eq(f->cells[2].kind, KIND_DRY);
	ck_assert_str_eq(f->cells[2].target, "");
	bench_file_free(f);
}
END_TEST

START_TEST(refuses_what_is_no_result)
{
	refuse("", "empty");
	refuse(" ", "ends in the middle");
	refuse("{", "ends in the middle");
	refuse("{}", "no schema");
	refuse("[]", "no result");
	refuse("nonsense", "no JSON");
	refuse("{\"schema\":\"mbmcat.sample/1\"}", "mbmcat.sample/1");
	refuse("{\"schema\":\"mbmcat.bench/1\"}", "machine is no object");
	refuse(HEAD "\"cells\":[]}", "no round");
	refuse(HEAD "\"cells\":[" CELL WARM "]}]}", "no round");
	refuse(HEAD "\"cells\":[" CELL FIRST "]}]} {}", "behind its end");
	refuse(HEAD "\"cells\":[" CELL "{\"round\":1}]}]}", "iterations[0].wall_ns is missing");
	refuse(HEAD "\"cells\":[" CELL FIRST ",{\"round\":1,\"wall_ns\":NaN}]}]}", "");
	refuse(HEAD "\"cells\":[" CELL "{\"round\":1,\"wall_ns\":-1}]}]}", "negative");
	refuse(HEAD "\"cells\":[" CELL "{\"round\":1,\"wall_ns\":\"1\"}]}]}", "no number");
}
END_TEST

START_TEST(every_truncation_is_refused)
{
	static const char whole[] = HEAD "\"cells\":[" CELL FIRST "," SECOND "]}]}";
	char part[sizeof(whole)];

	for (size_t n = 1; n < sizeof(whole) - 1; n++) {
		memcpy(part, whole, n);
		part[n] = '\0';
		refuse(part, "");
	}
}
END_TEST

UNIT_CASE(bench_file_tests)
{
	TCase *tc = tcase_create("bench_file");

	tcase_set_timeout(tc, 120);
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, reads_a_result);
	tcase_add_test(tc, sorts_cells);
	tcase_add_test(tc, refuses_what_is_no_result);
	tcase_add_test(tc, every_truncation_is_refused);
	return tc;
}

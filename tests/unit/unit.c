// SPDX-License-Identifier: LGPL-2.1-or-later
#include "unit.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fakefs.h"

static char root[256];

static void setup(void)
{
	ck_assert_int_eq(fakefs_tmp(root, sizeof(root)), 0);
}

static void teardown(void)
{
	ck_assert_int_eq(fakefs_remove(root), 0);
}

void unit_fixture(TCase *tc)
{
	tcase_add_checked_fixture(tc, setup, teardown);
}

void unit_build(const char *spec)
{
	char err[512];
	int ret = fakefs_build(unit_path(""), spec, err, sizeof(err));

	ck_assert_msg(ret == 0, "%d: %s", ret, err);
}

const char *unit_path(const char *below)
{
	static char paths[8][1024];
	static unsigned int next;
	char *path = paths[next++ % 8];

	snprintf(path, sizeof(paths[0]), "%s/tree%s%s", root, *below ? "/" : "", below);
	return path;
}

void unit_write(const char *below, const void *bytes, size_t len)
{
	FILE *file = fopen(unit_path(below), "w");

	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(bytes, 1, len, file), len);
	ck_assert_int_eq(fclose(file), 0);
}

void unit_remove(const char *below)
{
	ck_assert_int_eq(fakefs_remove(unit_path(below)), 0);
}

int main(void)
{
	Suite *suite = suite_create(unit_name);
	SRunner *runner;
	int failed;

	for (size_t i = 0; unit_cases[i]; i++) {
		TCase *tc = unit_cases[i]();

		tcase_set_timeout(tc, 120);
		suite_add_tcase(suite, tc);
	}
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}

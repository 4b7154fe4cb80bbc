// SPDX-License-Identifier: LGPL-2.1-or-later
#include "test_fakefs.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[256];
char tree[280], err[512];

static void setup(void)
{
	ck_assert_int_eq(fakefs_tmp(root, sizeof(root)), 0);
	snprintf(tree, sizeof(tree), "%s/tree", root);
}

static void teardown(void)
{
	ck_assert_int_eq(fakefs_remove(root), 0);
	ck_assert_int_eq(access(root, F_OK), -1);
}

void build(const char *spec)
{
	const int rc = fakefs_build(tree, spec, err, sizeof(err));
	ck_assert_msg(rc == 0, "%d: %s", rc, err);
	ck_assert_str_eq(err, "");
}

const char *path_of(const char *name)
{
	static char path[4096];
	snprintf(path, sizeof(path), "%s/%s", tree, name);
	return path;
}

bool there(const char *name)
{
	struct stat st;
	return lstat(path_of(name), &st) == 0;
}

void expect_bytes(const char *name, const char *bytes, size_t len)
{
	char buf[4096];
	FILE *f = fopen(path_of(name), "r");
	ck_assert_msg(f, "%s: %s", name, strerror(errno));
	const size_t got = fread(buf, 1, sizeof(buf), f);
	fclose(f);
	ck_assert_msg(got == len && !memcmp(buf, bytes, len), "%s: '%.*s'", name, (int)got, buf);
}

void expect(const char *name, const char *text)
{
	expect_bytes(name, text, strlen(text));
}

int main(void)
{
	Suite *suite = suite_create("fakefs");
	TCase *tc = tcase_create("fakefs");

	suite_add_tcase(suite, tc);
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_set_timeout(tc, 300);
	add_tree_tests(tc);
	add_refused_tests(tc);
	add_machine_tests(tc);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	const int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}

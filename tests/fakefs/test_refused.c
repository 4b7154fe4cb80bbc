// SPDX-License-Identifier: LGPL-2.1-or-later
#include "test_fakefs.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static const struct {
	const char *spec, *message;
} refused[] = {
	{ "frobnicate\n", "line 1: unknown directive 'frobnicate'" },
	{ "\n# x\n  ctrl\n", "line 3: usage: ctrl NAME" },
	{ "ctrl a b\n", "line 1: usage: ctrl NAME" },
	{ "ctrl \"a\n", "line 1: quote is not closed" },
	{ "ctrl a\\q\n", "line 1: unknown escape" },
	{ "ctrl a\\x1", "line 1: unknown escape" },
	{ "ctrl a\\", "line 1: unknown escape" },
	{ "ctrl a/b", "line 1: 'a/b' can't be a name" },
	{ "ctrl \"a\\nb\"", "line 1: 'a\nb' can't be a name" },
	{ "ctrl \"a\\0b\"", "line 1: 'a' can't be a name" },
	{ "ctrl \"\"", "line 1: '' can't be a name" },
	{ "ctrl ..", "line 1: '..' can't be a name" },
	{ "ctrl info", "line 1: 'info' is a name of resctrl's own" },
	{ "ctrl a\nctrl a", "line 2: group 'a/' twice" },
	{ "mon a web", "line 1: no control group 'a'" },
	{ "nomon\nmon \"\" web", "line 2: there is no monitoring" },
	{ "mononly\nctrl a", "line 2: a machine with monitoring only has no control groups" },
	{ "groups 70000", "line 1: '70000' is no number from 0 to 65535" },
	{ "groups 2 suffix=x", "line 1: unknown key in 'suffix=x'" },
	{ "mode a shareable", "line 1: no group 'a' in an earlier line" },
	{ "mon \"\" w\nmode /w shareable", "line 2: a monitoring group has no mode" },
	{ "tasks \"\" x", "line 1: 'x' is no number from 0 to 4194304" },
	{ "machine cpus=3", "line 1: unknown key 'cpus'" },
	{ "machine packages", "line 1: 'packages' is not KEY=VALUE" },
	{ "machine packages=0", "line 1: packages=0 is below 1" },
	{ "machine packages=2 l3=0-2", "line 1: 3 L3 caches can't be split over 2 packages" },
	{ "machine cpus-per-l3=3 threads=2", "line 1: cpus-per-l3=3 is no multiple of threads=2" },
	{ "machine l3=3-1", "line 1: '3-1' is no list like 0-7,16-23" },
	{ "machine l3=1,,2", "line 1: '1,,2' is no list like 0-7,16-23" },
	{ "machine l3=1,0-1", "line 1: 1 twice in '1,0-1'" },
	{ "machine l3=65536", "line 1: '65536' is no list like 0-7,16-23" },
	{ "machine vendor=x", "line 1: vendor is amd or intel" },
	{ "machine\nmachine", "line 2: second machine" },
	{ "machine offline=9", "there is no CPU 9" },
	{ "cpus \"\" 9", "there is no CPU 9" },
	{ "l3 3 cores=1", "line 1: no L3 3 in an earlier machine line" },
	{ "value \"\" x mbm_local_bytes 1", "line 1: 'x' is no domain like 3, 0/1 or PERF_PKG:0" },
	{ "\nvalue \"\" 4 mbm_local_bytes 1", "line 2: matches nothing" },
	{ "missing \"\" 0 mbm_local_byte", "line 1: matches nothing" },
	{ "nodomain \"\" 0/1", "line 1: matches nothing" },
	{ "value /x 0 mbm_local_bytes 1", "line 1: no group '/x' in an earlier line" },
	{ "file x 1", "line 1: 'x' is no path that starts with /" },
	{ "file /a/../../x 1", "line 1: '/a/../../x' leads out of the tree" },
	{ "dir /..", "line 1: '/..' leads out of the tree" },
	{ "chmod /sys 888", "line 1: '888' is no mode like 0444" },
	{ "\nrm /nowhere", "line 2: nowhere: No such file or directory" },
	{ "features a b c d e f g h i j k l m n o p q", "more than 16 events" },
};

START_TEST(test_refused)
{
	const int rc = fakefs_build(tree, refused[_i].spec, err, sizeof(err));
	ck_assert_str_eq(err, refused[_i].message);
	ck_assert_int_eq(rc, strstr(err, "nowhere") ? -ENOENT : -EINVAL);
	char small[8];
	if (!access(tree, F_OK))
		ck_assert_int_eq(fakefs_remove(tree), 0);
	fakefs_build(tree, refused[_i].spec, small, sizeof(small));
	ck_assert_int_eq(strncmp(small, err, 7), 0);
}
END_TEST

START_TEST(test_removal)
{
	build("machine\n");
	ck_assert_int_eq(fakefs_build(tree, "machine\n", err, sizeof(err)), -ENOTEMPTY);
	ck_assert_ptr_nonnull(strstr(err, "is not empty"));
	ck_assert_int_eq(fakefs_remove("/"), -EINVAL);
	ck_assert_int_eq(fakefs_remove(path_of("nothing")), -ENOENT);
	ck_assert_int_eq(fakefs_remove(path_of("proc/version")), -ENOTDIR);
	ck_assert_int_eq(symlink("tree", path_of("../link")), 0);
	ck_assert_int_eq(fakefs_remove(path_of("../link")), -ENOTDIR);
	ck_assert(there("proc/version"));
}
END_TEST

void add_refused_tests(TCase *tc)
{
	tcase_add_loop_test(tc, test_refused, 0, sizeof(refused) / sizeof(refused[0]));
	tcase_add_test(tc, test_removal);
}

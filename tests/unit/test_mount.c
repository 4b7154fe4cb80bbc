// SPDX-License-Identifier: LGPL-2.1-or-later
#include "unit.h"

#include <errno.h>
#include <string.h>

#include "host/mount.h"

static char path[MOUNT_PATH_SIZE];

#define MOUNTS(text) unit_write("proc/mounts", text, sizeof(text) - 1)

static int find(void)
{
	return mount_find(unit_path(""), path);
}

static void expect(const char *below)
{
	ck_assert_int_eq(find(), 0);
	ck_assert_str_eq(path, unit_path(below));
}

START_TEST(test_find)
{
	unit_build("mount /mnt/elsewhere\n");
	expect("mnt/elsewhere");
	unit_remove("proc");
	ck_assert_int_eq(find(), -ENOENT);
}
END_TEST

START_TEST(test_table)
{
	unit_build("");
	expect("sys/fs/resctrl");
	/* The type counts, not the name; blanks are written in octal. */
	MOUNTS("resctrl /resctrl tmpfs rw 0 0\n"
	       "none /with\\040blank resctrl rw 0 0\n"
	       "resctrl /later resctrl rw 0 0\n");
	expect("with blank");
	MOUNTS("proc /proc proc rw 0 0\nresctrl /x resctrl2 rw 0 0\n");
	ck_assert_int_eq(find(), -ENOENT);
	MOUNTS("");
	ck_assert_int_eq(find(), -ENOENT);
	MOUNTS("\n#\nresctrl\n/ resctrl\nresctrl /ok resctrl");
	expect("ok");
}
END_TEST

START_TEST(test_support)
{
	struct mount_support support;

	unit_build("");
	mount_support(unit_path(""), &support);
	ck_assert(support.known && support.kernel && support.cpu);
	unit_write("proc/filesystems", "nodev\tresctrlx\n\text4\n", 21);
	mount_support(unit_path(""), &support);
	ck_assert(support.known && !support.kernel && support.cpu);
	unit_write("proc/cpuinfo", "model name\t: cqm_mbm_total\nflags\t\t: fpu cqm_mbm_totals\n", 54);
	mount_support(unit_path(""), &support);
	ck_assert(support.known && !support.cpu);
	unit_write("proc/cpuinfo", "flags\t\t: fpu cqm_mbm_local\n", 27);
	mount_support(unit_path(""), &support);
	ck_assert(support.known && support.cpu);
	unit_remove("proc");
	mount_support(unit_path(""), &support);
	ck_assert(!support.known && !support.kernel && !support.cpu);
}
END_TEST

UNIT_CASE(mount_tests)
{
	TCase *tc = tcase_create("mount");

	unit_fixture(tc);
	tcase_add_test(tc, test_find);
	tcase_add_test(tc, test_table);
	tcase_add_test(tc, test_support);
	return tc;
}

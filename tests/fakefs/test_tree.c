// SPDX-License-Identifier: LGPL-2.1-or-later
#include "test_fakefs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

START_TEST(test_groups)
{
	build("machine packages=2 l3=0-1,16-17\n"
	      "ctrl p0\n"
	      "mon \"\" web # a comment\n"
	      "mon p0 web\n"
	      "groups 11 prefix=x ctrl=p0\n"
	      "tasks p0/web 12 13\n"
	      "cpus p0 2-3,7\n"
	      "mode p0 exclusive\n");
	expect(RESCTRL "/mode", "shareable\n");
	expect(RESCTRL "/tasks", "1\n");
	expect(RESCTRL "/cpus", "ff\n");
	expect(RESCTRL "/cpus_list", "0-7\n");
	expect(RESCTRL "/schemata", "    L3:0=ffff;1=ffff;16=ffff;17=ffff\n");
	expect(RESCTRL "/p0/mode", "exclusive\n");
	expect(RESCTRL "/p0/cpus", "8c\n");
	expect(RESCTRL "/p0/cpus_list", "2-3,7\n");
	expect(RESCTRL "/p0/mon_groups/web/tasks", "12\n13\n");
	expect(RESCTRL "/mon_groups/web/cpus_list", "\n");
	ck_assert(!there(RESCTRL "/mon_groups/web/mode"));
	ck_assert(there(RESCTRL "/p0/mon_groups/x00/mon_data/mon_L3_17/llc_occupancy"));
	ck_assert(there(RESCTRL "/p0/mon_groups/x10"));
	ck_assert(!there(RESCTRL "/p0/mon_groups/x11"));
	ck_assert(!there(RESCTRL "/p0/mon_data/mon_L3_02"));
	expect(RESCTRL "/info/L3_MON/mon_features",
	       "llc_occupancy\nmbm_total_bytes\nmbm_local_bytes\n");
	expect(RESCTRL "/info/L3_MON/num_rmids", "256\n");
	expect(RESCTRL "/info/last_cmd_status", "ok\n");
}
END_TEST

START_TEST(test_values)
{
	char text[32];

	build("machine l3=0,7\n"
	      "features mbm_total_bytes mbm_total_bytes_config mbm_local_bytes\n"
	      "mon \"\" web\n"
	      "mon \"\" db\n"
	      "value /web * mbm_local_bytes \"Error\\n\"\n"
	      "value /web 7 mbm_local_bytes \"1\\02\\xff\"\n"
	      "missing /db 0 mbm_total_bytes\n"
	      "nodomain /db 7\n");
	snprintf(text, sizeof(text), "%" PRIu64 "\n", fakefs_value(1, 7, 0));
	expect(RESCTRL "/mon_groups/web/mon_data/mon_L3_07/mbm_total_bytes", text);
	snprintf(text, sizeof(text), "%" PRIu64 "\n", fakefs_value(2, 0, 1));
	expect(RESCTRL "/mon_groups/db/mon_data/mon_L3_00/mbm_local_bytes", text);
	expect(RESCTRL "/mon_groups/web/mon_data/mon_L3_00/mbm_local_bytes", "Error\n");
	expect_bytes(RESCTRL "/mon_groups/web/mon_data/mon_L3_07/mbm_local_bytes", "1\0002\xff", 4);
	ck_assert(!there(RESCTRL "/mon_groups/db/mon_data/mon_L3_00/mbm_total_bytes"));
	ck_assert(!there(RESCTRL "/mon_groups/db/mon_data/mon_L3_07"));
	ck_assert(!there(RESCTRL "/mon_data/mon_L3_00/mbm_total_bytes_config"));
	expect(RESCTRL "/info/L3_MON/mbm_total_bytes_config", "0=0x7f;7=0x7f\n");
}
END_TEST

static int by_value(const void *a, const void *b)
{
	uint64_t x, y;
	memcpy(&x, a, sizeof(x));
	memcpy(&y, b, sizeof(y));
	return x < y ? -1 : x > y;
}

START_TEST(test_formula)
{
	static uint64_t all[250 * 32 * 3];
	bool width[21] = { false };
	size_t n = 0, big = 0;

	for (unsigned g = 0; g < 250; g++) {
		for (unsigned d = 0; d < 32; d++) {
			for (unsigned e = 0; e < 3; e++)
				all[n++] = fakefs_value(g, d, e);
		}
	}
	qsort(all, n, sizeof(all[0]), by_value);
	for (size_t i = 0; i < n; i++) {
		char text[32];
		ck_assert(i == 0 || all[i] != all[i - 1]);
		width[snprintf(text, sizeof(text), "%" PRIu64, all[i])] = true;
		big += all[i] > 1ull << 53;
	}
	for (size_t w = 1; w <= 17; w++)
		ck_assert_msg(width[w], "no value of %zu digits", w);
	ck_assert_uint_gt(big, n / 20);
	ck_assert_uint_eq(fakefs_value(0, 0, 0), 1);
	ck_assert_uint_eq(fakefs_value(1, 2, 3), (2 * (1048576 + 32 + 3) + 1) * 64u);
	ck_assert_uint_gt(fakefs_value(65535, 65535, 15), UINT64_C(1) << 36);
}
END_TEST

START_TEST(test_snc)
{
	char text[32];

	build("machine packages=2 l3=0,1 cpus-per-l3=8 threads=2 numa-per-l3=2\n"
	      "value \"\" 1/2 mbm_total_bytes \"Unavailable\\n\"\n"
	      "nodomain \"\" 0/1\n");
	expect(RESCTRL "/mon_data/mon_L3_01/mon_sub_L3_02/mbm_total_bytes", "Unavailable\n");
	snprintf(text, sizeof(text), "%" PRIu64 "\n", fakefs_value(0, 3, 1));
	expect(RESCTRL "/mon_data/mon_L3_01/mon_sub_L3_03/mbm_total_bytes", text);
	snprintf(text, sizeof(text), "%" PRIu64 "\n",
		 fakefs_value(0, 2, 1) + fakefs_value(0, 3, 1));
	expect(RESCTRL "/mon_data/mon_L3_01/mbm_total_bytes", text);
	ck_assert(there(RESCTRL "/mon_data/mon_L3_00/mon_sub_L3_00"));
	ck_assert(!there(RESCTRL "/mon_data/mon_L3_00/mon_sub_L3_01"));
	expect("sys/devices/system/node/node1/cpulist", "2-3,10-11\n");
	expect("sys/devices/system/node/online", "0-3\n");
}
END_TEST

START_TEST(test_kinds_of_machine)
{
	build("mononly\nmon \"\" web\nresource PERF_PKG 0,3 core_energy\n");
	ck_assert(!there(RESCTRL "/mode"));
	ck_assert(!there(RESCTRL "/schemata"));
	ck_assert(!there(RESCTRL "/info/L3"));
	expect(RESCTRL "/mon_data/mon_PERF_PKG_03/core_energy", "0.006592\n");
	ck_assert_int_eq(fakefs_remove(tree), 0);

	build("nomon\nctrl p0\n");
	ck_assert(there(RESCTRL "/p0/schemata"));
	ck_assert(!there(RESCTRL "/mon_data"));
	ck_assert(!there(RESCTRL "/p0/mon_groups"));
	ck_assert(!there(RESCTRL "/info/L3_MON"));
	ck_assert_int_eq(fakefs_remove(tree), 0);

	build("unmounted\n");
	ck_assert(there(RESCTRL));
	ck_assert(!there(RESCTRL "/info"));
	expect("proc/filesystems", "nodev\tsysfs\nnodev\tproc\nnodev\tresctrl\n\text4\n");
	ck_assert_int_eq(fakefs_remove(tree), 0);

	build("noresctrl\n");
	ck_assert(!there(RESCTRL));
	expect("proc/filesystems", "nodev\tsysfs\nnodev\tproc\n\text4\n");
	ck_assert_int_eq(fakefs_remove(tree), 0);

	build("machine\nmount \"/mnt/my res\" ro,mba_MBps\n");
	ck_assert(there("mnt/my res/mon_data/mon_L3_00"));
	ck_assert(!there(RESCTRL "/info"));
	expect("proc/mounts", "sysfs /sys sysfs rw,nosuid,nodev,noexec,relatime 0 0\n"
			      "proc /proc proc rw,nosuid,nodev,noexec,relatime 0 0\n"
			      "resctrl /mnt/my\\040res resctrl ro,mba_MBps 0 0\n");
}
END_TEST

START_TEST(test_files)
{
	struct stat st;
	char target[8];

	build("mon \"\" a\n"
	      "file /sys/fs/resctrl/new/deep/file \"a\\0b\\n\"\n"
	      "dir /x/y\n"
	      "symlink /x/link ../y\n"
	      "chmod /sys/fs/resctrl/mon_data/mon_L3_00/mbm_local_bytes 0000\n"
	      "chmod /sys/fs/resctrl/mon_groups/a 0\n"
	      "chmod /x/y 0\n"
	      "rm /sys/fs/resctrl/info\n");
	expect_bytes(RESCTRL "/new/deep/file", "a\0b\n", 4);
	ck_assert_int_eq(readlink(path_of("x/link"), target, sizeof(target)), 4);
	ck_assert_int_eq(memcmp(target, "../y", 4), 0);
	ck_assert(!there(RESCTRL "/info"));
	ck_assert_int_eq(stat(path_of(RESCTRL "/mon_data/mon_L3_00/mbm_local_bytes"), &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0);
	ck_assert_int_eq(stat(path_of(RESCTRL "/mon_data/mon_L3_00/llc_occupancy"), &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0444);
	ck_assert_int_eq(stat(path_of(RESCTRL "/mon_groups/a"), &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0);
}
END_TEST

START_TEST(test_umask)
{
	struct stat st;
	const mode_t old = umask(0777);

	build("machine\n");
	umask(old);
	ck_assert_int_eq(stat(path_of(RESCTRL "/mon_data"), &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0755);
	ck_assert_int_eq(stat(path_of(RESCTRL "/mon_data/mon_L3_00/llc_occupancy"), &st), 0);
	ck_assert_uint_eq(st.st_mode & 07777, 0444);
}
END_TEST

void add_tree_tests(TCase *tc)
{
	tcase_add_test(tc, test_groups);
	tcase_add_test(tc, test_values);
	tcase_add_test(tc, test_formula);
	tcase_add_test(tc, test_snc);
	tcase_add_test(tc, test_kinds_of_machine);
	tcase_add_test(tc, test_files);
	tcase_add_test(tc, test_umask);
}

// SPDX-License-Identifier: LGPL-2.1-or-later
#include "test_fakefs.h"

#include <dirent.h>
#include <errno.h>
#include <hwloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static hwloc_topology_t load(void)
{
	hwloc_topology_t topology;

	setenv("HWLOC_FSROOT", tree, 1);
	setenv("HWLOC_COMPONENTS", "linux,stop", 1);
	ck_assert_int_eq(hwloc_topology_init(&topology), 0);
	ck_assert_int_eq(hwloc_topology_load(topology), 0);
	return topology;
}

static void expect_l3(hwloc_topology_t topology, unsigned nth, unsigned id, const char *cpus,
		      const char *nodes)
{
	char text[256];
	const hwloc_obj_t l3 = hwloc_get_obj_by_type(topology, HWLOC_OBJ_L3CACHE, nth);

	ck_assert_ptr_nonnull(l3);
	ck_assert_uint_eq(l3->os_index, id);
	hwloc_bitmap_list_snprintf(text, sizeof(text), l3->cpuset);
	ck_assert_str_eq(text, cpus);
	hwloc_bitmap_list_snprintf(text, sizeof(text), l3->nodeset);
	ck_assert_str_eq(text, nodes);
}

START_TEST(test_hwloc_ids)
{
	build("machine packages=2 l3=0-7,16-22,300 cpus-per-l3=4 threads=2\n");
	hwloc_topology_t topology = load();
	ck_assert_int_eq(hwloc_topology_is_thissystem(topology), 0);
	ck_assert_int_eq(hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_L3CACHE), 16);
	ck_assert_int_eq(hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PACKAGE), 2);
	ck_assert_int_eq(hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE), 32);
	ck_assert_int_eq(hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU), 64);
	expect_l3(topology, 0, 0, "0-1,32-33", "0");
	expect_l3(topology, 7, 7, "14-15,46-47", "0");
	expect_l3(topology, 8, 16, "16-17,48-49", "1");
	expect_l3(topology, 15, 300, "30-31,62-63", "1");
	hwloc_topology_destroy(topology);
}
END_TEST

START_TEST(test_hwloc_snc)
{
	build("machine packages=2 l3=0,1 cpus-per-l3=8 threads=2 numa-per-l3=2\n");
	hwloc_topology_t topology = load();
	ck_assert_int_eq(hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_NUMANODE), 4);
	expect_l3(topology, 0, 0, "0-3,8-11", "0-1");
	expect_l3(topology, 1, 1, "4-7,12-15", "2-3");
	hwloc_topology_destroy(topology);
}
END_TEST

START_TEST(test_hwloc_hybrid)
{
	build("machine l3=0,4 numbering=adjacent loose=2 offline=0\n"
	      "l3 0 cores=2 threads=2\nl3 4 cores=0 atoms=4\n");
	hwloc_topology_t topology = load();
	ck_assert_int_eq(hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_L3CACHE), 2);
	ck_assert_int_eq(hwloc_cpukinds_get_nr(topology, 0), 2);
	ck_assert_int_eq(hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU), 9);
	expect_l3(topology, 0, 0, "1-3", "0");
	expect_l3(topology, 1, 4, "4-7", "0");
	expect("sys/devices/cpu_atom/cpus", "4-9\n");
	hwloc_topology_destroy(topology);
}
END_TEST

static char *slurp(const char *path)
{
	static char text[65536];
	FILE *f = fopen(path, "r");
	ck_assert_msg(f, "%s: %s", path, strerror(errno));
	text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
	fclose(f);
	return text;
}

START_TEST(test_fixtures)
{
	DIR *dir = opendir(FIXTURES);
	const struct dirent *d;
	int n = 0;

	ck_assert_msg(dir, FIXTURES ": %s", strerror(errno));
	while ((d = readdir(dir))) {
		char path[4096];
		const size_t len = strlen(d->d_name);
		if (len < 5 || strcmp(d->d_name + len - 5, ".spec") != 0)
			continue;
		snprintf(path, sizeof(path), FIXTURES "/%s", d->d_name);
		const char *text = slurp(path);
		ck_assert_msg(strstr(text, "\n# Stands for:") && strstr(text, "\n# Right answer:"),
			      "%s says neither what it stands for nor what is right", path);
		const int rc = fakefs_build(tree, text, err, sizeof(err));
		ck_assert_msg(rc == 0, "%s: %s", path, err);
		ck_assert_int_eq(fakefs_remove(tree), 0);
		n++;
	}
	closedir(dir);
	ck_assert_int_gt(n, 30);
}
END_TEST

void add_machine_tests(TCase *tc)
{
	tcase_add_test(tc, test_hwloc_ids);
	tcase_add_test(tc, test_hwloc_snc);
	tcase_add_test(tc, test_hwloc_hybrid);
	tcase_add_test(tc, test_fixtures);
}

// SPDX-License-Identifier: LGPL-2.1-or-later
#include "unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/topology.h"

static struct topology *topology;

static void open_tree(const char *spec)
{
	unit_build(spec);
	ck_assert_int_eq(topology_open(&topology, unit_path("")), 0);
	ck_assert(!topology_is_here(topology));
}

static void expect(uint64_t id, int64_t sub_id, const char *cpus, int package, const char *nodes)
{
	struct place *place = place_find(topology, "L3", id, sub_id);
	char *text;

	if (!cpus) {
		ck_assert_ptr_null(place);
		return;
	}
	ck_assert_msg(place != NULL, "no place for %llu", (unsigned long long)id);
	text = place_cpu_list(place);
	ck_assert_str_eq(text, cpus);
	free(text);
	ck_assert_int_eq(place_package(topology, place), package);
	text = place_node_list(topology, place);
	ck_assert_str_eq(text, nodes);
	free(text);
	place_free(place);
}

/* The ids of the caches, not their positions. */
START_TEST(test_gaps)
{
	open_tree("machine packages=2 l3=0-7,16-23 cpus-per-l3=2\n");
	for (uint64_t n = 0; n < 16; n++) {
		char cpus[16];

		snprintf(cpus, sizeof(cpus), "%u-%u", (unsigned int)n * 2, (unsigned int)n * 2 + 1);
		expect(n < 8 ? n : n + 8, -1, cpus, n >= 8, n < 8 ? "0" : "1");
	}
	expect(8, -1, NULL, 0, NULL);
	expect(15, -1, NULL, 0, NULL);
	expect(24, -1, NULL, 0, NULL);
	/* The number of an unknown one must not wrap around to a known one. */
	expect(1ull << 32, -1, NULL, 0, NULL);
	expect(UINT64_MAX, -1, NULL, 0, NULL);
	topology_close(topology);
}
END_TEST

START_TEST(test_three_digits)
{
	open_tree("machine packages=1 l3=7,100,255 cpus-per-l3=4 threads=2\n");
	expect(7, -1, "0-1,6-7", 0, "0");
	expect(100, -1, "2-3,8-9", 0, "0");
	expect(255, -1, "4-5,10-11", 0, "0");
	expect(10, -1, NULL, 0, NULL);
	topology_close(topology);
}
END_TEST

START_TEST(test_clusters)
{
	open_tree("machine packages=2 l3=0,1 cpus-per-l3=8 threads=2 numa-per-l3=2\n");
	expect(0, -1, "0-3,8-11", 0, "0-1");
	expect(0, 0, "0-1,8-9", 0, "0");
	expect(0, 1, "2-3,10-11", 0, "1");
	expect(1, 2, "4-5,12-13", 1, "2");
	expect(1, 3, "6-7,14-15", 1, "3");
	/* A node of another cache. */
	expect(1, 0, NULL, 0, NULL);
	expect(0, 4, NULL, 0, NULL);
	topology_close(topology);
}
END_TEST

START_TEST(test_offline)
{
	open_tree("machine l3=0-3 cpus-per-l3=2 offline=2,4,5\n");
	expect(0, -1, "0-1", 0, "0");
	expect(1, -1, "3", 0, "0");
	expect(2, -1, NULL, 0, NULL);
	expect(3, -1, "6-7", 0, "0");
	topology_close(topology);
}
END_TEST

/* All that a small machine can have, as one text. */
static void describe(char *text, size_t size)
{
	static const char *const resources[] = { "L3", "L2", "NODE", "PERF_PKG" };
	size_t len = 0;

	ck_assert_int_eq(topology_open(&topology, unit_path("")), 0);
	text[0] = '\0';
	for (size_t r = 0; r < 4; r++) {
		for (int id = 0; id < 40; id++) {
			for (int sub = -1; sub < 5; sub++) {
				struct place *place =
					place_find(topology, resources[r], (uint64_t)id, sub);
				char *cpus = place ? place_cpu_list(place) : NULL;

				if (cpus)
					len += (size_t)snprintf(text + len, size - len, "%s:%d/%d=%s ",
								resources[r], id, sub, cpus);
				ck_assert_uint_lt(len, size);
				free(cpus);
				place_free(place);
			}
		}
	}
	topology_close(topology);
}

/* The few files of sysfs say the same as all of them to hwloc, which is asked where the
 * list of online CPUs is not there. */
START_TEST(test_both_ways)
{
	static const char *const specs[] = {
		"machine packages=2 l3=0-7,16-23 cpus-per-l3=2\n",
		"machine packages=2 l3=0,1 cpus-per-l3=8 threads=2 numa-per-l3=2\n",
		"machine l3=0-3 cpus-per-l3=2 offline=2,4,5\n",
		"machine packages=2 l3=0,39 cpus-per-l3=4 threads=2\n",
	};
	static char light[32768], full[32768];

	unit_build(specs[_i]);
	describe(light, sizeof(light));
	ck_assert_int_eq(unlink(unit_path("sys/devices/system/cpu/online")), 0);
	describe(full, sizeof(full));
	ck_assert_ptr_nonnull(strstr(light, "L3:0/"));
	ck_assert_str_eq(light, full);
}
END_TEST

START_TEST(test_places)
{
	struct place *place;

	open_tree("machine l3=0,1 cpus-per-l3=2\n");
	place = place_find(topology, "L3", 1, -1);
	ck_assert_uint_eq(place_cpus(place), 2);
	ck_assert(!place_has_cpu(place, 1));
	ck_assert(place_has_cpu(place, 2));
	ck_assert(place_has_cpu(place, 3));
	ck_assert(!place_has_cpu(place, 4));
	/* Nothing is bound on another machine's tree. */
	ck_assert_int_eq(place_bind(topology, place, CPU_AUTO), -EXDEV);
	place_free(place);
	place_free(NULL);
	ck_assert_ptr_null(place_find(topology, "L9", 0, -1));
	ck_assert_ptr_null(place_find(topology, "", 0, -1));
	ck_assert_ptr_null(getenv("HWLOC_FSROOT"));
	topology_close(topology);
	topology_close(NULL);
}
END_TEST

START_TEST(test_nothing_there)
{
	topology = NULL;
	if (topology_open(&topology, "/nonexistent") == 0) {
		expect(0, -1, NULL, 0, NULL);
		topology_close(topology);
	}
}
END_TEST

UNIT_CASE(topology_tests)
{
	TCase *tc = tcase_create("topology");

	unit_fixture(tc);
	tcase_add_test(tc, test_gaps);
	tcase_add_test(tc, test_three_digits);
	tcase_add_test(tc, test_clusters);
	tcase_add_test(tc, test_offline);
	tcase_add_loop_test(tc, test_both_ways, 0, 4);
	tcase_add_test(tc, test_places);
	tcase_add_test(tc, test_nothing_there);
	return tc;
}

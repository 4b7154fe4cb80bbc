// SPDX-License-Identifier: LGPL-2.1-or-later
#include "unit.h"

#include "lib/snapshot.h"

static struct mbmcat_snapshot *snap;

static void setup(void)
{
	snap = calloc(1, sizeof(*snap));
}

static void teardown(void)
{
	mbmcat_snapshot_free(snap);
}

START_TEST(test_groups_in_order)
{
	static const char *const in[][2] = {
		{ "p1", "" }, { "p0", "z" }, { "", "web" }, { "p0", "" }, { "", "" },
		{ "p0", "a" }, { "", "-x" }, { "P", "" }, { "\xff", "" },
	};
	static const char *const out[][2] = {
		{ "", "" }, { "", "-x" }, { "", "web" }, { "P", "" }, { "p0", "" },
		{ "p0", "a" }, { "p0", "z" }, { "p1", "" }, { "\xff", "" },
	};
	size_t i;

	for (size_t n = 0; n < ARRAY_SIZE(in); n++) {
		ck_assert_int_eq(snapshot_add_group(snap, in[n][0], in[n][1], "shareable", n, &i), 0);
		ck_assert_uint_eq(i, n);
	}
	ck_assert_int_eq(snapshot_finish(snap), 0);
	ck_assert_uint_eq(mbmcat_snapshot_groups(snap), ARRAY_SIZE(out));
	for (size_t n = 0; n < ARRAY_SIZE(out); n++) {
		ck_assert_str_eq(mbmcat_snapshot_group(snap, n)->ctrl_group, out[n][0]);
		ck_assert_str_eq(mbmcat_snapshot_group(snap, n)->mon_group, out[n][1]);
	}
	ck_assert_uint_eq(mbmcat_snapshot_group(snap, 0)->inode, 4);
	ck_assert_str_eq(snap->groups[0].path, ".");
	ck_assert_str_eq(snap->groups[2].path, "mon_groups/web");
	ck_assert_str_eq(snap->groups[4].path, "p0");
	ck_assert_str_eq(snap->groups[5].path, "p0/mon_groups/a");
}
END_TEST

START_TEST(test_pseudo_locked)
{
	static const struct {
		const char *mode;
		bool locked;
	} modes[] = {
		{ "", false },		       { "shareable", false },	  { "exclusive", false },
		{ "pseudo-locksetup", true },  { "pseudo-locked", true }, { "pseudo", false },
	};
	size_t i;

	for (size_t n = 0; n < ARRAY_SIZE(modes); n++) {
		ck_assert_int_eq(snapshot_add_group(snap, "g", "", modes[n].mode, 0, &i), 0);
		ck_assert_int_eq(mbmcat_snapshot_group(snap, i)->pseudo_locked, modes[n].locked);
		ck_assert_str_eq(mbmcat_snapshot_group(snap, i)->mode, modes[n].mode);
	}
	snapshot_drop_last_group(snap);
	ck_assert_uint_eq(mbmcat_snapshot_groups(snap), ARRAY_SIZE(modes) - 1);
}
END_TEST

/* Found in any order, with clusters: sorted, and every index still means the same. */
START_TEST(test_domains_in_order)
{
	size_t l3_10, l3_9, mb, sum, g, h;

	ck_assert_int_eq(snapshot_add_group(snap, "", "", "", 1, &g), 0);
	ck_assert_int_eq(snapshot_add_group(snap, "", "x", "", 2, &h), 0);
	ck_assert_int_eq(snapshot_add_domain(snap, "MB_", 2, 0, "mon_MB_00", &mb), 0);
	ck_assert_int_eq(snapshot_add_domain(snap, "L3_", 2, 10, "mon_L3_10", &l3_10), 0);
	ck_assert_int_eq(snapshot_add_domain(snap, "L3", 2, 3, "mon_L3_03", &sum), 0);
	ck_assert_int_eq(snapshot_add_cluster(snap, sum, 7, "mon_sub_L3_07"), 0);
	ck_assert_int_eq(snapshot_add_domain(snap, "L3", 2, 9, "mon_L3_09", &l3_9), 0);
	ck_assert_int_eq(snapshot_add_cluster(snap, sum, 6, "mon_sub_L3_06"), 0);
	ck_assert_uint_eq(snapshot_find_domain(snap, "mon_L3_09", 0), l3_9);
	ck_assert_uint_eq(snapshot_find_domain(snap, "mon_L3_09", 5), l3_9);
	ck_assert_uint_eq(snapshot_find_domain(snap, "mon_L3_09", 6), l3_9);
	ck_assert_uint_eq(snapshot_find_domain(snap, "mon_L3_11", 3), SIZE_MAX);
	ck_assert_uint_eq(snapshot_find_domain(snap, "mon_L3_03/mon_sub_L3_06", 0), SIZE_MAX);
	ck_assert_int_eq(snapshot_add_presence(snap, g, l3_10), 0);
	ck_assert_int_eq(snapshot_add_presence(snap, g, sum), 0);
	ck_assert_int_eq(snapshot_add_presence(snap, g, mb), 0);
	ck_assert_int_eq(snapshot_add_presence(snap, h, l3_9), 0);
	ck_assert_int_eq(snapshot_finish(snap), 0);

	ck_assert_uint_eq(mbmcat_snapshot_domains(snap), 6);
	ck_assert_str_eq(snap->domains[0].path, "mon_L3_03");
	ck_assert_str_eq(snap->domains[1].path, "mon_L3_03/mon_sub_L3_06");
	ck_assert_str_eq(snap->domains[2].path, "mon_L3_03/mon_sub_L3_07");
	ck_assert_str_eq(snap->domains[3].path, "mon_L3_09");
	ck_assert_str_eq(snap->domains[4].path, "mon_L3_10");
	ck_assert_str_eq(snap->domains[5].path, "mon_MB_00");
	ck_assert(mbmcat_snapshot_domain(snap, 0)->is_sum);
	ck_assert(!mbmcat_snapshot_domain(snap, 1)->is_sum);
	ck_assert_int_eq(mbmcat_snapshot_domain(snap, 0)->sub_id, MBMCAT_NO_SUB);
	ck_assert_int_eq(mbmcat_snapshot_domain(snap, 2)->sub_id, 7);
	ck_assert_uint_eq(mbmcat_snapshot_domain(snap, 2)->id, 3);
	ck_assert_uint_eq(snap->domains[1].parent, 0);
	ck_assert_uint_eq(snap->domains[2].parent, 0);
	ck_assert_uint_eq(snap->domains[3].parent, SIZE_MAX);
	/* The clusters are where their sum is. */
	ck_assert_uint_eq(snap->groups[0].n_domains, 5);
	for (uint32_t i = 0; i < 3; i++)
		ck_assert_uint_eq(snap->groups[0].domains[i], i);
	ck_assert_uint_eq(snap->groups[0].domains[3], 4);
	ck_assert_uint_eq(snap->groups[0].domains[4], 5);
	ck_assert_uint_eq(snap->groups[1].n_domains, 1);
	ck_assert_uint_eq(snap->groups[1].domains[0], 3);
}
END_TEST

START_TEST(test_events)
{
	ck_assert_int_eq(snapshot_add_event(snap, "L3", "mbm_total_bytesX", 15, true, false), 0);
	ck_assert_int_eq(snapshot_add_event(snap, "L3", "llc_occupancy", 13, false, true), 0);
	ck_assert_int_eq(snapshot_add_event(snap, "L3", "mbm_total_bytes", 15, false, true), 0);
	ck_assert_int_eq(snapshot_add_event(snap, "A", "z", 1, true, false), 0);
	ck_assert_int_eq(snapshot_add_event(snap, "L3", "mbm_total", 9, true, false), 0);
	snapshot_sort_events(snap);
	ck_assert_uint_eq(mbmcat_snapshot_events(snap), 4);
	ck_assert_str_eq(mbmcat_snapshot_event(snap, 0)->resource, "A");
	ck_assert_str_eq(mbmcat_snapshot_event(snap, 1)->name, "llc_occupancy");
	ck_assert(!mbmcat_snapshot_event(snap, 1)->is_counter);
	ck_assert(!mbmcat_snapshot_event(snap, 1)->in_files);
	ck_assert_str_eq(mbmcat_snapshot_event(snap, 2)->name, "mbm_total");
	ck_assert_str_eq(mbmcat_snapshot_event(snap, 3)->name, "mbm_total_bytes");
	ck_assert(mbmcat_snapshot_event(snap, 3)->in_files);
	ck_assert(mbmcat_snapshot_event(snap, 3)->in_features);
	ck_assert(mbmcat_snapshot_event(snap, 3)->is_counter);
}
END_TEST

START_TEST(test_nothing)
{
	ck_assert_int_eq(snapshot_finish(snap), 0);
	snapshot_sort_events(snap);
	ck_assert_uint_eq(snapshot_find_domain(snap, "x", 0), SIZE_MAX);
	ck_assert_uint_eq(mbmcat_snapshot_omitted(snap), 0);
	mbmcat_snapshot_free(NULL);
}
END_TEST

UNIT_CASE(snapshot_tests)
{
	TCase *tc = tcase_create("snapshot");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, test_groups_in_order);
	tcase_add_test(tc, test_pseudo_locked);
	tcase_add_test(tc, test_domains_in_order);
	tcase_add_test(tc, test_events);
	tcase_add_test(tc, test_nothing);
	return tc;
}

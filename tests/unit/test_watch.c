// SPDX-License-Identifier: LGPL-2.1-or-later
#include "unit.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rig.h"

static struct rig rig;
static struct mbmcat_watch *watch;

static void rescan(void)
{
	mbmcat_snapshot_free(rig.snap);
	rig_scan(&rig);
}

START_TEST(test_changes)
{
	rig_open(&rig, "ctrl p0\nmon \"\" a\n");
	rig_scan(&rig);
	ck_assert_int_eq(mbmcat_watch_new(rig.ctx, &watch), 0);
	/* The mount point, its mon_groups, those of p0. */
	ck_assert_int_eq(mbmcat_watch_add(watch, rig.snap), 3);
	ck_assert_int_eq(mbmcat_watch_add(watch, rig.snap), 0);
	ck_assert(!mbmcat_watch_changed(watch));

	ck_assert_int_eq(mkdir(unit_path(RESCTRL "/mon_groups/b"), 0755), 0);
	ck_assert(mbmcat_watch_changed(watch));
	ck_assert(!mbmcat_watch_changed(watch));
	unit_remove(RESCTRL "/mon_groups/a");
	ck_assert(mbmcat_watch_changed(watch));
	ck_assert_int_eq(rename(unit_path(RESCTRL "/mon_groups/b"),
				unit_path(RESCTRL "/mon_groups/c")), 0);
	ck_assert(mbmcat_watch_changed(watch));
	ck_assert_int_eq(mkdir(unit_path(RESCTRL "/p0/mon_groups/x"), 0755), 0);
	ck_assert(mbmcat_watch_changed(watch));
	/* Reading changes nothing. */
	rescan();
	ck_assert(!mbmcat_watch_changed(watch));
	mbmcat_watch_free(watch);
	rig_close(&rig);
}
END_TEST

/* A control group that comes is a place to watch; its successor of that name as well. */
START_TEST(test_new_places)
{
	rig_open(&rig, "");
	rig_scan(&rig);
	ck_assert_int_eq(mbmcat_watch_new(rig.ctx, &watch), 0);
	ck_assert_int_eq(mbmcat_watch_add(watch, rig.snap), 2);
	for (int round = 0; round < 2; round++) {
		ck_assert_int_eq(mkdir(unit_path(RESCTRL "/p1"), 0755), 0);
		ck_assert_int_eq(mkdir(unit_path(RESCTRL "/p1/mon_groups"), 0755), 0);
		ck_assert(mbmcat_watch_changed(watch));
		rescan();
		ck_assert_int_eq(mbmcat_watch_add(watch, rig.snap), 1);
		ck_assert_int_eq(mbmcat_watch_add(watch, rig.snap), 0);
		ck_assert(!mbmcat_watch_changed(watch));
		ck_assert_int_eq(mkdir(unit_path(RESCTRL "/p1/mon_groups/x"), 0755), 0);
		ck_assert(mbmcat_watch_changed(watch));
		unit_remove(RESCTRL "/p1");
		ck_assert(mbmcat_watch_changed(watch));
		ck_assert(!mbmcat_watch_changed(watch));
	}
	/* Its name is still in the snapshot: no error. */
	ck_assert_int_eq(mbmcat_watch_add(watch, rig.snap), 0);
	mbmcat_watch_free(watch);
	mbmcat_watch_free(NULL);
	rig_close(&rig);
}
END_TEST

UNIT_CASE(watch_tests)
{
	TCase *tc = tcase_create("watch");

	unit_fixture(tc);
	tcase_add_test(tc, test_changes);
	tcase_add_test(tc, test_new_places);
	return tc;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/internal.h"
#include "rig.h"

static struct rig rig;

START_TEST(test_all)
{
	static const unsigned int wanted[] = { 1, 0, 0, 3 };

	rig_open(&rig, "machine l3=0,7\nctrl p0\nmon \"\" web\nmon p0 web\nmode p0 exclusive\n"
		       "tasks p0/web 5 6 7\n");
	rig_scan(&rig);
	ck_assert_uint_eq(mbmcat_snapshot_groups(rig.snap), 4);
	ck_assert_uint_eq(mbmcat_snapshot_domains(rig.snap), 2);
	ck_assert_uint_eq(mbmcat_snapshot_events(rig.snap), 3);
	ck_assert_uint_eq(mbmcat_snapshot_omitted(rig.snap), 0);
	ck_assert_uint_eq(mbmcat_snapshot_domain(rig.snap, 1)->id, 7);
	for (size_t g = 0; g < 4; g++) {
		const struct mbmcat_group *group = mbmcat_snapshot_group(rig.snap, g);
		uint64_t tasks;

		ck_assert_str_eq(group->mode, g < 2 ? "shareable" : "exclusive");
		ck_assert_int_eq(mbmcat_group_tasks(rig.ctx, group, &tasks), 0);
		ck_assert_uint_eq(tasks, wanted[g]);
		ck_assert_uint_eq(rig.snap->groups[g].n_domains, 2);
	}
	ck_assert_uint_eq(rig.warnings, 0);
	rig_close(&rig);
}
END_TEST

START_TEST(test_info)
{
	uint64_t number = 7;

	rig_open(&rig, "num_rmids 123\ninfo bad \"12 \\n\"\ninfo empty \"\"\ninfo bare \"9\"\n");
	ck_assert_int_eq(mbmcat_info_number(rig.ctx, "L3", "num_rmids", &number), 0);
	ck_assert_uint_eq(number, 123);
	ck_assert_int_eq(mbmcat_info_number(rig.ctx, "L3", "bare", &number), 0);
	ck_assert_uint_eq(number, 9);
	ck_assert_int_eq(mbmcat_info_number(rig.ctx, "L3", "bad", &number), -EINVAL);
	ck_assert_int_eq(mbmcat_info_number(rig.ctx, "L3", "empty", &number), -EINVAL);
	ck_assert_int_eq(mbmcat_info_number(rig.ctx, "L3", "none", &number), -ENOENT);
	ck_assert_int_eq(mbmcat_info_number(rig.ctx, "L2", "num_rmids", &number), -ENOENT);
	ck_assert_uint_eq(number, 9);
	rig_close(&rig);
}
END_TEST

/* What is a directory but no group, and a file but no event. */
START_TEST(test_left_alone)
{
	rig_open(&rig, "mon \"\" web\n"
		       "file /" RESCTRL "/mon_groups/file x\n"
		       "symlink /" RESCTRL "/mon_groups/link web\n"
		       "symlink /" RESCTRL "/ctrl mon_groups/web\n"
		       "dir /" RESCTRL "/mon_data/other\n"
		       "dir /" RESCTRL "/mon_data/mon_L3\n"
		       "file /" RESCTRL "/mon_data/mon_L3_09 5\n"
		       "dir /" RESCTRL "/mon_data/mon_L3_00/dir\n"
		       "file /" RESCTRL "/mon_data/mon_L3_00/.hidden 1\n");
	rig_scan(&rig);
	ck_assert_uint_eq(mbmcat_snapshot_groups(rig.snap), 2);
	ck_assert_uint_eq(mbmcat_snapshot_domains(rig.snap), 1);
	ck_assert_uint_eq(mbmcat_snapshot_events(rig.snap), 3);
	ck_assert_uint_eq(rig.warnings, 0);
	ck_assert_uint_eq(rig.infos, 4);
	rig_close(&rig);
}
END_TEST

/* An event file that the first group lacks is still there in the others. */
START_TEST(test_event_in_later_groups)
{
	rig_open(&rig, "mon \"\" web\nctrl p0\nmissing \"\" 0 mbm_total_bytes\n");
	rig_scan(&rig);
	ck_assert(mbmcat_snapshot_event(rig.snap, rig_event(&rig, "mbm_total_bytes"))->in_files);
	rig_close(&rig);
}
END_TEST

START_TEST(test_domain_in_one_group)
{
	rig_open(&rig, "machine l3=0,1\nmon \"\" a\nmon \"\" b\nnodomain \"\" 1\nnodomain /b 1\n");
	rig_scan(&rig);
	ck_assert_uint_eq(mbmcat_snapshot_domains(rig.snap), 2);
	ck_assert_uint_eq(rig.snap->groups[0].n_domains, 1);
	ck_assert_uint_eq(rig.snap->groups[rig_group(&rig, "", "a")].n_domains, 2);
	ck_assert_uint_eq(rig.snap->groups[rig_group(&rig, "", "b")].n_domains, 1);
	rig_close(&rig);
}
END_TEST

START_TEST(test_missing_parts)
{
	rig_open(&rig, "ctrl p0\nctrl p1\nrm /" RESCTRL "/p0/mon_data\nrm /" RESCTRL
		       "/p1/mon_groups\nrm /" RESCTRL "/info\nrm /" RESCTRL "/p1/mode\n");
	rig_scan(&rig);
	ck_assert_uint_eq(mbmcat_snapshot_groups(rig.snap), 3);
	ck_assert_uint_eq(mbmcat_snapshot_omitted(rig.snap), 1);
	ck_assert_uint_eq(rig.warnings, 1);
	ck_assert_str_eq(rig.last_warning, "1 of 3 groups have no mon_data: left out");
	ck_assert_str_eq(mbmcat_snapshot_group(rig.snap, rig_group(&rig, "p1", ""))->mode, "");
	ck_assert(!mbmcat_snapshot_event(rig.snap, 0)->in_features);
	rig_close(&rig);
}
END_TEST

START_TEST(test_features_only)
{
	const struct mbmcat_event *event;

	rig_open(&rig, "info mon_features \"llc_occupancy\\nmbm_new_bytes\\nmbm_x_config\\n\"\n");
	rig_scan(&rig);
	event = mbmcat_snapshot_event(rig.snap, rig_event(&rig, "mbm_new_bytes"));
	ck_assert(!event->in_files && event->in_features);
	event = mbmcat_snapshot_event(rig.snap, rig_event(&rig, "mbm_total_bytes"));
	ck_assert(event->in_files && !event->in_features);
	ck_assert_uint_eq(mbmcat_snapshot_events(rig.snap), 4);
	rig_close(&rig);
}
END_TEST

START_TEST(test_errors)
{
	struct mbmcat_snapshot *snap = NULL;

	rig_open(&rig, "nomon\n");
	ck_assert_int_eq(mbmcat_scan(rig.ctx, &snap), -ENODATA);
	unit_remove(RESCTRL);
	/* Some file systems list a directory that was removed as an empty one. */
	ck_assert(mbmcat_scan(rig.ctx, &snap) < 0);
	ck_assert_ptr_null(snap);
	rig_close(&rig);
}
END_TEST

START_TEST(test_open)
{
	struct mbmcat_ctx *ctx = NULL;

	unit_build("");
	ck_assert_int_eq(mbmcat_ctx_open(&ctx, unit_path(RESCTRL), 0), -EMEDIUMTYPE);
	ck_assert_int_eq(mbmcat_ctx_open(&ctx, unit_path(RESCTRL "/tasks"), 0), -ENOTDIR);
	ck_assert_int_eq(mbmcat_ctx_open(&ctx, unit_path("nothing"), MBMCAT_OPEN_ANY), -ENOENT);
	ck_assert_int_eq(mbmcat_ctx_open(&ctx, "", MBMCAT_OPEN_ANY), -ENOENT);
	ck_assert_ptr_null(ctx);
	mbmcat_ctx_close(NULL);
}
END_TEST

/* Locked by somebody else: looked at all the same, with a warning; unlocked after. */
START_TEST(test_lock)
{
	int fd;

	rig_open(&rig, "");
	fd = open(unit_path(RESCTRL), O_RDONLY);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(flock(fd, LOCK_EX), 0);
	rig_scan(&rig);
	ck_assert_uint_eq(rig.warnings, 1);
	mbmcat_snapshot_free(rig.snap);
	ck_assert_int_eq(flock(fd, LOCK_SH), 0);
	rig_scan(&rig);
	ck_assert_uint_eq(rig.warnings, 1);
	ck_assert_int_eq(flock(fd, LOCK_EX | LOCK_NB), 0);
	close(fd);
	rig_close(&rig);
}
END_TEST

START_TEST(test_denied)
{
	rig_open(&rig, "ctrl p0\nctrl p1\nmon \"\" m\nchmod /" RESCTRL "/p0 0000\nchmod /" RESCTRL
		       "/mon_groups/m/mon_data 0000\n");
	/* root may look everywhere. */
	if (geteuid() == 0) {
		ck_assert_int_eq(chmod(unit_path("../"), 0755), 0);
		ck_assert_int_eq(seteuid(65534), 0);
	}
	rig_scan(&rig);
	ck_assert_uint_eq(mbmcat_snapshot_omitted(rig.snap), 2);
	ck_assert_uint_eq(rig.warnings, 2);
	ck_assert_uint_eq(mbmcat_snapshot_groups(rig.snap), 3);
	rig_group(&rig, "p1", "");
	rig_close(&rig);
	ck_assert_int_eq(seteuid(getuid()), 0);
}
END_TEST

UNIT_CASE(scan_tests)
{
	TCase *tc = tcase_create("scan");

	unit_fixture(tc);
	tcase_add_test(tc, test_all);
	tcase_add_test(tc, test_info);
	tcase_add_test(tc, test_left_alone);
	tcase_add_test(tc, test_event_in_later_groups);
	tcase_add_test(tc, test_domain_in_one_group);
	tcase_add_test(tc, test_missing_parts);
	tcase_add_test(tc, test_features_only);
	tcase_add_test(tc, test_errors);
	tcase_add_test(tc, test_open);
	tcase_add_test(tc, test_lock);
	tcase_add_test(tc, test_denied);
	return tc;
}

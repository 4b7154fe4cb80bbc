// SPDX-License-Identifier: LGPL-2.1-or-later
#include "unit.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "lib/dir.h"
#include "lib/internal.h"
#include "rig.h"

static struct rig rig;

static size_t open_fds(void)
{
	DIR *dir = opendir("/proc/self/fd");
	size_t n = 0;

	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

START_TEST(test_layout)
{
	const struct mbmcat_plan_domain *d;

	rig_open(&rig, "machine l3=0,5\nctrl p0\nmon p0 web\nmon \"\" db\n"
		       "resource MB 1 mbm_total_bytes a_event\nnodomain p0/web 5\n");
	mbmcat_wish_event(rig.wish, "*");
	rig_plan(&rig, SIZE_MAX);
	ck_assert_uint_eq(mbmcat_plan_domains(rig.plan), 3);
	ck_assert_ptr_eq(mbmcat_plan_snapshot(rig.plan), rig.snap);
	/* One column per name, whatever the number of resources, sorted. */
	ck_assert_uint_eq(mbmcat_plan_columns(rig.plan), 4);
	ck_assert_str_eq(mbmcat_plan_column(rig.plan, 0)->name, "a_event");
	ck_assert_str_eq(mbmcat_plan_column(rig.plan, 1)->name, "llc_occupancy");
	ck_assert_str_eq(mbmcat_plan_column(rig.plan, 2)->name, "mbm_local_bytes");
	ck_assert_str_eq(mbmcat_plan_column(rig.plan, 3)->name, "mbm_total_bytes");
	d = mbmcat_plan_domain(rig.plan, 0);
	ck_assert_uint_eq(d->domain->id, 0);
	ck_assert_uint_eq(d->n_groups, 4);
	ck_assert_uint_eq(d->n_events, 3);
	for (uint32_t i = 0; i < 3; i++)
		ck_assert_uint_eq(d->events[i], i + 1);
	d = mbmcat_plan_domain(rig.plan, 1);
	ck_assert_uint_eq(d->domain->id, 5);
	ck_assert_uint_eq(d->n_groups, 3);
	ck_assert_uint_eq(d->groups[0], 0);
	ck_assert_uint_eq(d->groups[1], rig_group(&rig, "", "db"));
	ck_assert_uint_eq(d->groups[2], rig_group(&rig, "p0", ""));
	d = mbmcat_plan_domain(rig.plan, 2);
	ck_assert_str_eq(d->domain->resource, "MB");
	ck_assert_uint_eq(d->n_events, 2);
	ck_assert_uint_eq(d->events[0], 0);
	ck_assert_uint_eq(d->events[1], 3);
	ck_assert_uint_eq(mbmcat_plan_counters(rig.plan), 4 * 3 + 3 * 3 + 4 * 2);
	ck_assert_uint_eq(mbmcat_plan_counters(rig.plan), mbmcat_subset_counters(rig.subset));
	ck_assert_uint_eq(mbmcat_plan_reopened(rig.plan), 0);
	rig_close(&rig);
}
END_TEST

/* A domain that none of the groups is in, or with none of the events, is no part. */
START_TEST(test_empty_domains)
{
	rig_open(&rig, "machine l3=0,1,2\nmon \"\" a\nmon \"\" b\nnodomain /a 1\n"
		       "resource MB 0 a_event\n");
	mbmcat_wish_group(rig.wish, "a");
	rig_plan(&rig, SIZE_MAX);
	ck_assert_uint_eq(mbmcat_plan_domains(rig.plan), 2);
	ck_assert_uint_eq(mbmcat_plan_domain(rig.plan, 0)->domain->id, 0);
	ck_assert_uint_eq(mbmcat_plan_domain(rig.plan, 1)->domain->id, 2);
	ck_assert_uint_eq(mbmcat_plan_columns(rig.plan), 2);
	ck_assert_uint_eq(mbmcat_plan_counters(rig.plan), 4);
	rig_close(&rig);
}
END_TEST

/* Those that are named and none between them, in whatever order. */
START_TEST(test_close_many)
{
	int fd[8], named[8];

	for (int i = 0; i < 8; i++)
		fd[i] = open("/dev/null", O_RDONLY);
	memcpy(named, (int[]){ fd[0], fd[1], fd[2], -1, fd[4], fd[6], fd[5], FD_REOPEN }, sizeof(named));
	dir_close_many(named, 8);
	dir_close_many(named, 0);
	for (int i = 0; i < 8; i++) {
		ck_assert_int_eq(fcntl(fd[i], F_GETFD) >= 0, i == 3 || i == 7);
		if (i == 3 || i == 7)
			close(fd[i]);
	}
}
END_TEST

START_TEST(test_few_fds)
{
	static const size_t limits[] = { 0, 1, 5, 11, 12, 13, 100 };

	rig_open(&rig, "machine l3=0,1\ngroups 2\n");
	rig_select(&rig);
	for (size_t i = 0; i < ARRAY_SIZE(limits); i++) {
		size_t before = open_fds(), open = limits[i] < 12 ? limits[i] : 12;

		rig_plan(&rig, limits[i]);
		ck_assert_uint_eq(open_fds() - before, open);
		ck_assert_uint_eq(mbmcat_plan_reopened(rig.plan), 12 - open);
		mbmcat_plan_close(rig.plan);
		rig.plan = NULL;
		ck_assert_uint_eq(open_fds(), before);
	}
	rig_close(&rig);
}
END_TEST

/* The kernel says so before the number given does. */
START_TEST(test_emfile)
{
	struct rlimit old, low;
	struct mbmcat_sample *sample;

	rig_open(&rig, "machine l3=0,1\ngroups 2\n");
	rig_select(&rig);
	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &old), 0);
	low = old;
	low.rlim_cur = (rlim_t)dup(0) + 6;
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &low), 0);
	rig_plan(&rig, SIZE_MAX);
	ck_assert_uint_gt(mbmcat_plan_reopened(rig.plan), 0);
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &old), 0);
	ck_assert_int_eq(mbmcat_sample_new(rig.plan, &sample), 0);
	for (size_t i = 0; i < 2; i++) {
		mbmcat_read(rig.plan, sample, i);
		ck_assert_uint_eq(mbmcat_sample_pass(sample, i)->n_ok, 6);
	}
	mbmcat_sample_free(sample);
	rig_close(&rig);
}
END_TEST

/* What can't be opened has its status from the start. */
START_TEST(test_dead_slots)
{
	const struct plan_domain *pd;

	rig_open(&rig, "mon \"\" a\nmon \"\" b\nmon \"\" c\nmon \"\" d\n"
		       "missing /a 0 mbm_total_bytes\n"
		       "rm /" RESCTRL "/mon_groups/d/mon_data/mon_L3_00/mbm_local_bytes\n"
		       "symlink /" RESCTRL "/mon_groups/d/mon_data/mon_L3_00/mbm_local_bytes "
		       "mbm_total_bytes\n");
	rig_select(&rig);
	unit_remove(RESCTRL "/mon_groups/b");
	unit_remove(RESCTRL "/mon_groups/c/mon_data/mon_L3_00");
	rig_plan(&rig, SIZE_MAX);
	pd = &rig.plan->domains[0];
	ck_assert_uint_eq(pd->n_slots, 5 * 2);
	ck_assert_int_ge(pd->fd[0], 0);
	ck_assert_int_ge(pd->fd[2], 0);
	ck_assert_int_eq(pd->fd[3], FD_DEAD);
	ck_assert_uint_eq(pd->status[3], MBMCAT_MISSING);
	for (size_t slot = 4; slot < 8; slot++) {
		ck_assert_int_eq(pd->fd[slot], FD_DEAD);
		ck_assert_uint_eq(pd->status[slot], MBMCAT_GONE);
	}
	/* No link leads out of the tree. */
	ck_assert_int_eq(pd->fd[8], FD_DEAD);
	ck_assert_uint_eq(pd->status[8], MBMCAT_FAILED);
	ck_assert_int_ge(pd->fd[9], 0);
	rig_close(&rig);
}
END_TEST

START_TEST(test_paths)
{
	char path[PATH_SIZE];

	rig_open(&rig, "machine packages=1 l3=3 cpus-per-l3=4 numa-per-l3=2\nctrl p0\nmon p0 \"a b\"\n");
	rig_plan(&rig, 0);
	ck_assert(plan_slot_path(rig.plan, &rig.plan->domains[1], 0, path));
	ck_assert_str_eq(path, "./mon_data/mon_L3_03/mon_sub_L3_01/mbm_local_bytes");
	ck_assert(plan_slot_path(rig.plan, &rig.plan->domains[0], 5, path));
	ck_assert_str_eq(path, "p0/mon_groups/a b/mon_data/mon_L3_03/mon_sub_L3_00/mbm_total_bytes");
	rig_close(&rig);
	mbmcat_plan_close(NULL);
}
END_TEST

UNIT_CASE(plan_tests)
{
	TCase *tc = tcase_create("plan");

	unit_fixture(tc);
	tcase_add_test(tc, test_layout);
	tcase_add_test(tc, test_empty_domains);
	tcase_add_test(tc, test_close_many);
	tcase_add_test(tc, test_few_fds);
	tcase_add_test(tc, test_emfile);
	tcase_add_test(tc, test_dead_slots);
	tcase_add_test(tc, test_paths);
	return tc;
}

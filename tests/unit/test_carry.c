// SPDX-License-Identifier: LGPL-2.1-or-later
#include "unit.h"

#include <stdio.h>

#include "lib/internal.h"
#include "rig.h"

static struct rig rig;

static const char spec[] = "machine l3=0,5\nctrl p0\nmon p0 web\nmon \"\" db\n";

static int fd_of(const struct mbmcat_plan *plan, const struct mbmcat_snapshot *snap, size_t d,
		 const char *ctrl_group, const char *mon_group, size_t event)
{
	const struct plan_domain *pd = &plan->domains[d];

	for (size_t i = 0; i < pd->pub.n_groups; i++) {
		const struct mbmcat_group *g = &snap->groups[pd->pub.groups[i]].pub;

		if (!strcmp(g->ctrl_group, ctrl_group) && !strcmp(g->mon_group, mon_group))
			return pd->fd[i * pd->pub.n_events + event];
	}
	return FD_DEAD;
}

static void move(const char *from, const char *to)
{
	char a[256], b[256];

	snprintf(a, sizeof(a), RESCTRL "/%s", from);
	snprintf(b, sizeof(b), RESCTRL "/%s", to);
	ck_assert_int_eq(rename(unit_path(a), unit_path(b)), 0);
}

/* What the world looks like after a change, beside the rig's view of before. */
struct after {
	struct mbmcat_snapshot *snap;
	struct mbmcat_subset *subset;
	struct mbmcat_plan *plan;
	struct mbmcat_sample *sample;
};

static void renew(struct after *after, const struct mbmcat_sample *last, size_t fds)
{
	ck_assert_int_eq(mbmcat_scan(rig.ctx, &after->snap), 0);
	ck_assert_int_eq(mbmcat_select(after->snap, rig.wish, &after->subset, NULL), 0);
	ck_assert_int_eq(mbmcat_plan_renew(rig.ctx, after->subset, fds, rig.plan, last,
					   &after->plan),
			 0);
	ck_assert_int_eq(mbmcat_sample_new(after->plan, &after->sample), 0);
	ck_assert_int_eq(mbmcat_sample_carry(rig.plan, last, after->plan, after->sample), 0);
}

static void end(struct after *after, struct mbmcat_sample *last)
{
	mbmcat_sample_free(after->sample);
	mbmcat_plan_close(after->plan);
	mbmcat_subset_free(after->subset);
	mbmcat_snapshot_free(after->snap);
	mbmcat_sample_free(last);
	rig_close(&rig);
}

static struct mbmcat_sample *read_all(void)
{
	struct mbmcat_sample *sample;

	rig_open(&rig, spec);
	rig_plan(&rig, SIZE_MAX);
	ck_assert_int_eq(mbmcat_sample_new(rig.plan, &sample), 0);
	for (size_t i = 0; i < mbmcat_plan_domains(rig.plan); i++)
		mbmcat_read(rig.plan, sample, i);
	return sample;
}

/* Renamed: the same file, the same count, a rate. */
START_TEST(test_renamed)
{
	struct mbmcat_sample *last = read_all();
	int db = fd_of(rig.plan, rig.snap, 1, "", "db", 1);
	int root = fd_of(rig.plan, rig.snap, 0, "", "", 0);
	struct after after;

	move("mon_groups/db", "mon_groups/zz");
	renew(&after, last, SIZE_MAX);
	ck_assert_int_ge(db, 0);
	ck_assert_int_eq(fd_of(after.plan, after.snap, 1, "", "zz", 1), db);
	ck_assert_int_eq(fd_of(after.plan, after.snap, 0, "", "", 0), root);
	ck_assert_uint_eq(mbmcat_plan_held(after.plan), 16);
	ck_assert_uint_eq(mbmcat_plan_held(rig.plan), 0);
	for (size_t d = 0; d < 2; d++) {
		const struct mbmcat_pass *pass = mbmcat_sample_pass(after.sample, d);

		ck_assert_uint_eq(pass->start_ns, mbmcat_sample_pass(last, d)->start_ns);
		ck_assert_uint_eq(pass->end_ns, mbmcat_sample_pass(last, d)->end_ns);
	}
	for (size_t i = 0; i < 8; i++)
		ck_assert_uint_eq(mbmcat_sample_pass(after.sample, 0)->status[i], MBMCAT_OK);
	end(&after, last);
}
END_TEST

/* A name says nothing: two groups change places. */
START_TEST(test_exchanged)
{
	struct mbmcat_sample *last = read_all();
	int old = fd_of(rig.plan, rig.snap, 0, "p0", "web", 0), unmoved;
	struct after after;
	size_t unread = 0;

	unmoved = fd_of(rig.plan, rig.snap, 0, "", "db", 0);
	move("p0/mon_groups/web", "mon_groups/away");
	move("mon_groups/db", "p0/mon_groups/web");
	renew(&after, last, SIZE_MAX);
	ck_assert_int_eq(fd_of(after.plan, after.snap, 0, "", "away", 0), old);
	ck_assert_int_eq(fd_of(after.plan, after.snap, 0, "p0", "web", 0), unmoved);
	for (size_t i = 0; i < 8; i++)
		unread += mbmcat_sample_pass(after.sample, 0)->status[i] == MBMCAT_UNREAD;
	ck_assert_uint_eq(unread, 0);
	end(&after, last);
}
END_TEST

/* What was gone in the last sample is opened anew, and its count forgotten. */
START_TEST(test_gone)
{
	struct mbmcat_sample *last = read_all();
	struct after after;

	last->passes[1]->status[0] = MBMCAT_GONE;
	last->passes[1]->status[1] = MBMCAT_UNAVAILABLE;
	renew(&after, last, SIZE_MAX);
	ck_assert_uint_eq(mbmcat_plan_held(after.plan), 16);
	ck_assert_uint_eq(mbmcat_sample_pass(after.sample, 1)->status[0], MBMCAT_UNREAD);
	ck_assert_uint_eq(mbmcat_sample_pass(after.sample, 1)->status[1], MBMCAT_UNREAD);
	ck_assert_uint_eq(mbmcat_sample_pass(after.sample, 1)->status[2], MBMCAT_OK);
	mbmcat_read(after.plan, after.sample, 1);
	ck_assert_uint_eq(mbmcat_sample_pass(after.sample, 1)->n_ok, 8);
	end(&after, last);
}
END_TEST

/* The limit counts what was taken over. */
START_TEST(test_limit)
{
	struct mbmcat_sample *last = read_all();
	struct after after;

	last->passes[0]->status[3] = MBMCAT_GONE;
	last->passes[0]->status[4] = MBMCAT_GONE;
	renew(&after, last, 15);
	ck_assert_uint_eq(mbmcat_plan_held(after.plan), 15);
	ck_assert_uint_eq(mbmcat_plan_reopened(after.plan), 1);
	end(&after, last);
}
END_TEST

UNIT_CASE(carry_tests)
{
	TCase *tc = tcase_create("carry");

	unit_fixture(tc);
	tcase_add_test(tc, test_renamed);
	tcase_add_test(tc, test_exchanged);
	tcase_add_test(tc, test_gone);
	tcase_add_test(tc, test_limit);
	return tc;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
#include "unit.h"

#include <errno.h>

#include "lib/internal.h"
#include "rig.h"

static struct rig rig;

static const char spec[] =
	"machine packages=2 l3=0-2,16\n"
	"resource MB 0,1 mbm_total_bytes mb_other\n"
	"ctrl p0\nctrl p1\nctrl locked\nmode locked pseudo-locked\n"
	"mon \"\" web\nmon p0 web\nmon p0 a*b\nmon p1 \"x y\"\n";

/* One call of mbmcat_select() with one pattern of a kind, NULL: none. */
static int pick(const char *group, const char *domains, const char *event)
{
	const char *unmatched = "";
	int ret = 0;

	mbmcat_subset_free(rig.subset);
	rig.subset = NULL;
	mbmcat_wish_free(rig.wish);
	rig.wish = mbmcat_wish_new();
	if (group)
		ret = mbmcat_wish_group(rig.wish, group);
	if (ret == 0 && domains)
		ret = mbmcat_wish_domains(rig.wish, domains);
	if (ret == 0 && event)
		ret = mbmcat_wish_event(rig.wish, event);
	ck_assert_int_eq(ret, 0);
	ret = mbmcat_select(rig.snap, rig.wish, &rig.subset, &unmatched);
	ck_assert_int_eq(ret == -ESRCH, unmatched != NULL);
	return ret;
}

/* "p0/,/web": the groups that were picked, in order. */
static const char *picked(void)
{
	static char text[512];
	size_t len = 0;

	text[0] = '\0';
	for (size_t i = 0; i < mbmcat_snapshot_groups(rig.snap); i++) {
		const struct mbmcat_group *g = mbmcat_snapshot_group(rig.snap, i);

		if (rig.subset->group[i])
			len += (size_t)sprintf(text + len, "%s%s/%s", len ? "," : "",
					       g->ctrl_group, g->mon_group);
	}
	return text;
}

static void setup(void)
{
	rig_open(&rig, spec);
	rig_scan(&rig);
}

static void teardown(void)
{
	rig_close(&rig);
}

START_TEST(test_default)
{
	ck_assert_int_eq(pick(NULL, NULL, NULL), 0);
	/* Pseudo-locked groups count for somebody else. */
	ck_assert_str_eq(picked(), "/,/web,p0/,p0/a*b,p0/web,p1/,p1/x y");
	/* Two events in four L3, one in two MB. */
	ck_assert_uint_eq(mbmcat_subset_counters(rig.subset), 7 * (4 * 2 + 2 * 1));
}
END_TEST

START_TEST(test_groups)
{
	static const struct {
		const char *pattern, *groups;
	} rows[] = {
		{ "web", "/web,p0/web" },	{ "/web", "/web" },
		{ "p0/web", "p0/web" },		{ "p0", "p0/" },
		{ "p0/", "p0/" },		{ "/", "/" },
		{ "", "/" },			{ "p?", "p0/,p1/" },
		{ "*/web", "/web,p0/web" },	{ "p0/*", "p0/,p0/a*b,p0/web" },
		{ "a\\*b", "p0/a*b" },		{ "a*", "p0/a*b" },
		{ "[pw]*", "/web,p0/,p0/web,p1/" }, { "x y", "p1/x y" },
		{ "*", "/,/web,p0/,p0/a*b,p0/web,p1/,p1/x y" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		ck_assert_msg(pick(rows[i].pattern, NULL, NULL) == 0, "'%s'", rows[i].pattern);
		ck_assert_str_eq(picked(), rows[i].groups);
	}
	ck_assert_int_eq(pick("p0*web", NULL, NULL), -ESRCH);
	ck_assert_int_eq(pick("none", NULL, NULL), -ESRCH);
	ck_assert_int_eq(pick("WEB", NULL, NULL), -ESRCH);
	ck_assert_int_eq(pick("p0/*/", NULL, NULL), -ESRCH);
	ck_assert_int_eq(pick("[", NULL, NULL), -ESRCH);
	/* There, but without counters of its own. */
	ck_assert_int_eq(pick("locked", NULL, NULL), -ENODATA);
}
END_TEST

START_TEST(test_domains)
{
	ck_assert_int_eq(pick(NULL, "L3:0", NULL), 0);
	ck_assert_uint_eq(mbmcat_subset_counters(rig.subset), 7 * 2);
	ck_assert_int_eq(pick(NULL, "0", NULL), 0);
	ck_assert_uint_eq(mbmcat_subset_counters(rig.subset), 7 * (2 + 1));
	ck_assert_int_eq(pick(NULL, "1-16", NULL), 0);
	ck_assert_uint_eq(mbmcat_subset_counters(rig.subset), 7 * (3 * 2 + 1));
	ck_assert_int_eq(pick(NULL, "L3:2,16", NULL), 0);
	ck_assert_uint_eq(mbmcat_subset_counters(rig.subset), 7 * 2 * 2);
	ck_assert_int_eq(pick(NULL, "3-15", NULL), -ESRCH);
	ck_assert_int_eq(pick(NULL, "0,99", NULL), -ESRCH);
	ck_assert_int_eq(pick(NULL, "L2:0", NULL), -ESRCH);
	ck_assert_int_eq(mbmcat_wish_domains(rig.wish, ":0"), -EINVAL);
	ck_assert_int_eq(mbmcat_wish_domains(rig.wish, "L3:"), -EINVAL);
	ck_assert_int_eq(mbmcat_wish_domains(rig.wish, "L3:0:1"), -EINVAL);
	ck_assert_int_eq(mbmcat_wish_domains(rig.wish, ""), -EINVAL);
	ck_assert_int_eq(mbmcat_wish_domains(rig.wish, "x"), -EINVAL);
}
END_TEST

START_TEST(test_events)
{
	ck_assert_int_eq(pick(NULL, NULL, "llc_occupancy"), 0);
	ck_assert_uint_eq(mbmcat_subset_counters(rig.subset), 7 * 4);
	ck_assert_int_eq(pick(NULL, NULL, "mb_*"), 0);
	ck_assert_uint_eq(mbmcat_subset_counters(rig.subset), 7 * 2);
	ck_assert_int_eq(pick(NULL, NULL, "*"), 0);
	ck_assert_uint_eq(mbmcat_subset_counters(rig.subset), 7 * (4 * 3 + 2 * 2));
	ck_assert_int_eq(pick(NULL, NULL, "mbm"), -ESRCH);
	ck_assert_int_eq(pick(NULL, "L3:0", "mb_other"), -ENODATA);
}
END_TEST

/* The first that matches nothing is named; without asking it is no error. */
START_TEST(test_unmatched)
{
	const char *unmatched = NULL;

	mbmcat_wish_group(rig.wish, "web");
	mbmcat_wish_group(rig.wish, "left");
	mbmcat_wish_domains(rig.wish, "0,40-50");
	mbmcat_wish_event(rig.wish, "nope");
	ck_assert_int_eq(mbmcat_select(rig.snap, rig.wish, &rig.subset, &unmatched), -ESRCH);
	ck_assert_str_eq(unmatched, "left");
	ck_assert_ptr_null(rig.subset);
	ck_assert_int_eq(mbmcat_select(rig.snap, rig.wish, &rig.subset, NULL), -ENODATA);
	mbmcat_wish_event(rig.wish, "mbm_total_bytes");
	ck_assert_int_eq(mbmcat_select(rig.snap, rig.wish, &rig.subset, NULL), 0);
	ck_assert_str_eq(picked(), "/web,p0/web");
	ck_assert_uint_eq(mbmcat_subset_counters(rig.subset), 2 * 2);
	mbmcat_subset_free(NULL);
	mbmcat_wish_free(NULL);
}
END_TEST

START_TEST(test_sums)
{
	rig_open(&rig, "machine packages=2 l3=0,1 cpus-per-l3=8 numa-per-l3=2\n");
	rig_scan(&rig);
	ck_assert_uint_eq(mbmcat_snapshot_domains(rig.snap), 6);
	ck_assert_int_eq(pick(NULL, NULL, NULL), 0);
	ck_assert_uint_eq(mbmcat_subset_counters(rig.subset), 4 * 2);
	for (size_t i = 0; i < 6; i++)
		ck_assert_int_eq(rig.subset->domain[i], i % 3 != 0);
	ck_assert_int_eq(pick(NULL, "1", NULL), 0);
	ck_assert_uint_eq(mbmcat_subset_counters(rig.subset), 2 * 2);
	mbmcat_subset_free(rig.subset);
	rig.subset = NULL;
	mbmcat_wish_sums(rig.wish, true);
	ck_assert_int_eq(mbmcat_select(rig.snap, rig.wish, &rig.subset, NULL), 0);
	ck_assert_uint_eq(mbmcat_subset_counters(rig.subset), 1 * 2);
	ck_assert(rig.subset->domain[3] && !rig.subset->domain[4]);
	rig_close(&rig);
}
END_TEST

UNIT_CASE(select_tests)
{
	TCase *tc = tcase_create("select");

	unit_fixture(tc);
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, test_default);
	tcase_add_test(tc, test_groups);
	tcase_add_test(tc, test_domains);
	tcase_add_test(tc, test_events);
	tcase_add_test(tc, test_unmatched);
	return tc;
}

UNIT_CASE(sums_tests)
{
	TCase *tc = tcase_create("select: sums");

	unit_fixture(tc);
	tcase_add_test(tc, test_sums);
	return tc;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
#include "unit.h"

#include <stdio.h>
#include <unistd.h>

#include "cli/inventory.h"
#include "rig.h"

static const struct {
	const char *spec, *text;
} cases[] = {
	{ "machine l3=0\n", "1 group, domains L3:0, events llc_occupancy, mbm_local_bytes, "
			    "mbm_total_bytes" },
	{ "machine packages=2 l3=0-2,16\nctrl p0\nmon p0 a\n",
	  "3 groups, domains L3:0-2,16, events llc_occupancy, mbm_local_bytes, mbm_total_bytes" },
	/* Clusters are parts of one domain. */
	{ "machine l3=0-1 numa-per-l3=2\n", "1 group, domains L3:0-1, events llc_occupancy, "
				    "mbm_local_bytes, mbm_total_bytes" },
	/* An event of two resources is one name. */
	{ "machine l3=0-1\nresource MB 5 mbm_total_bytes mb_other\n",
	  "1 group, domains L3:0-1 MB:5, events llc_occupancy, mbm_local_bytes, mbm_total_bytes, "
	  "mb_other" },
};

static struct rig rig;
static struct buf out;

static void setup(void)
{
	out = (struct buf){ 0 };
}

static void teardown(void)
{
	buf_free(&out);
	rig_close(&rig);
}

START_TEST(test_text)
{
	rig_open(&rig, cases[_i].spec);
	rig_scan(&rig);
	inventory_text(rig.snap, &out);
	buf_char(&out, '\0');
	ck_assert_str_eq(out.data, cases[_i].text);
}
END_TEST

START_TEST(test_no_events)
{
	static const char *const events[] = { "llc_occupancy", "mbm_local_bytes",
					      "mbm_total_bytes" };
	char path[64];

	rig_open(&rig, "machine l3=0\n");
	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		snprintf(path, sizeof(path), RESCTRL "/mon_data/mon_L3_00/%s", events[i]);
		ck_assert_int_eq(unlink(unit_path(path)), 0);
	}
	rig_scan(&rig);
	inventory_events(rig.snap, &out);
	buf_char(&out, '\0');
	ck_assert_str_eq(out.data, "none");
}
END_TEST

UNIT_CASE(inventory_tests)
{
	TCase *tc = tcase_create("inventory");

	unit_fixture(tc);
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, test_text, 0, sizeof(cases) / sizeof(cases[0]));
	tcase_add_test(tc, test_no_events);
	return tc;
}

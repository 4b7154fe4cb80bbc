// SPDX-License-Identifier: LGPL-2.1-or-later
#include <check.h>
#include <errno.h>
#include <stdlib.h>

#include "fakefs.h"
#include "host/machine.h"

#define CPU "/sys/devices/system/cpu"

static const char spec[] =
	"machine packages=1 l3=0 cpus-per-l3=4 threads=2 host=box kernel=6.12.7\n"
	"mount /sys/fs/resctrl rw,relatime,cdp\n"
	"file /proc/sys/kernel/osrelease \"6.12.7-test\\n\"\n"
	"file /proc/sys/kernel/version \"#1 SMP\\n\"\n"
	"file /proc/sys/kernel/random/boot_id \"0c7e3e5c-0000-4000-8000-000000000001\\n\"\n"
	"file /proc/sys/kernel/perf_event_paranoid \"3\\n\"\n"
	"file /proc/cmdline \"quiet nohz_full=2-3\\n\"\n"
	"file /proc/loadavg \"0.05 1.10 12.34 1/234 5678\\n\"\n"
	"file " CPU "/nohz_full \"  (null)\\n\"\n"
	"file " CPU "/isolated \"\\n\"\n"
	"dir " CPU "/smt\n"
	"file " CPU "/smt/control \"on\\n\"\n"
	"dir " CPU "/vulnerabilities\n"
	"file " CPU "/vulnerabilities/spectre_v2 \"Mitigation: IBRS\\n\"\n"
	"file " CPU "/vulnerabilities/meltdown \"Not affected\\n\"\n"
	"dir " CPU "/cpufreq\n"
	"file " CPU "/cpufreq/boost \"0\\n\"\n"
	"dir " CPU "/cpu0/cpufreq\n"
	"dir " CPU "/cpu1/cpufreq\n"
	"file " CPU "/cpu0/cpufreq/scaling_governor \"performance\\n\"\n"
	"file " CPU "/cpu1/cpufreq/scaling_governor \"powersave\\n\"\n"
	"file /proc/cpuinfo \"processor\\t: 0\\nmodel name\\t: Test CPU 9000\\n"
	"microcode\\t: 0xdead\\nflags\\t\\t: fpu hypervisor tsc\\n\\nprocessor\\t: 1\\n"
	"model name\\t: Another\\n\"\n";

static char tree[256];

static void build(const char *text)
{
	char err[256];

	ck_assert_int_eq(fakefs_tmp(tree, sizeof(tree)), 0);
	ck_assert_msg(fakefs_build(tree, text, err, sizeof(err)) == 0, "%s", err);
}

START_TEST(test_facts)
{
	struct machine m;
	double load[3];

	build(spec);
	ck_assert_int_eq(machine_open(&m, tree), 0);
	ck_assert_str_eq(m.kernel_release, "6.12.7-test");
	ck_assert_str_eq(m.kernel_version, "#1 SMP");
	ck_assert_str_eq(m.boot_id, "0c7e3e5c-0000-4000-8000-000000000001");
	ck_assert_str_eq(m.perf_event_paranoid, "3");
	ck_assert_str_eq(m.cmdline, "quiet nohz_full=2-3");
	ck_assert_ptr_null(m.nohz_full);
	ck_assert_ptr_null(m.isolated);
	ck_assert_str_eq(m.smt, "on");
	ck_assert_str_eq(m.boost, "off");
	ck_assert_str_eq(m.governor, "mixed");
	ck_assert_str_eq(m.cpu_model, "Test CPU 9000");
	ck_assert_str_eq(m.microcode, "0xdead");
	ck_assert_str_eq(m.hypervisor, "unknown");
	ck_assert_str_eq(m.mount_options, "rw,relatime,cdp");
	ck_assert_uint_eq(m.n_mitigations, 2);
	ck_assert_str_eq(m.mitigations[0].name, "meltdown");
	ck_assert_str_eq(m.mitigations[1].text, "Mitigation: IBRS");
	machine_free(&m);
	ck_assert_int_eq(machine_load(tree, load), 0);
	ck_assert_double_eq_tol(load[0], 0.05, 1e-9);
	ck_assert_double_eq_tol(load[1], 1.10, 1e-9);
	ck_assert_double_eq_tol(load[2], 12.34, 1e-9);
	ck_assert_int_eq(fakefs_remove(tree), 0);
}
END_TEST

START_TEST(test_nothing_known)
{
	struct machine m;
	double load[3];

	ck_assert_int_eq(fakefs_tmp(tree, sizeof(tree)), 0);
	ck_assert_int_eq(machine_open(&m, tree), 0);
	ck_assert_ptr_null(m.kernel_release);
	ck_assert_ptr_null(m.boot_id);
	ck_assert_ptr_null(m.cpu_model);
	ck_assert_ptr_null(m.hypervisor);
	ck_assert_ptr_null(m.governor);
	ck_assert_ptr_null(m.boost);
	ck_assert_uint_eq(m.n_mitigations, 0);
	machine_free(&m);
	ck_assert_int_eq(machine_load(tree, load), -ENOENT);
	ck_assert_uint_eq(machine_cache_size(tree, 0, 3), 0);
	ck_assert_int_eq(machine_sibling(tree, 0), -1);
	ck_assert_int_eq(fakefs_remove(tree), 0);
}
END_TEST

START_TEST(test_odd_load)
{
	double load[3];

	build("file /proc/loadavg \"much\\n\"\n");
	ck_assert_int_eq(machine_load(tree, load), -EINVAL);
	ck_assert_int_eq(fakefs_remove(tree), 0);
}
END_TEST

START_TEST(test_caches)
{
	build("machine packages=1 l3=0 cpus-per-l3=4 threads=2\n"
	      "file " CPU "/cpu0/cache/index3/size \"32M\\n\"\n"
	      "file " CPU "/cpu0/topology/thread_siblings_list \"0,2\\n\"\n");
	ck_assert_uint_eq(machine_cache_size(tree, 0, 9), 0);
	ck_assert_int_eq(machine_sibling(tree, 0), 2);
	ck_assert_int_eq(fakefs_remove(tree), 0);
}
END_TEST

START_TEST(test_this_machine)
{
	struct machine m;
	double load[3];

	ck_assert_int_eq(machine_open(&m, ""), 0);
	ck_assert_ptr_nonnull(m.kernel_release);
	ck_assert_int_eq(machine_load("", load), 0);
	machine_free(&m);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("machine");
	TCase *tc = tcase_create("machine");
	SRunner *runner;
	int failed;

	tcase_add_test(tc, test_facts);
	tcase_add_test(tc, test_nothing_known);
	tcase_add_test(tc, test_odd_load);
	tcase_add_test(tc, test_caches);
	tcase_add_test(tc, test_this_machine);
	suite_add_tcase(suite, tc);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

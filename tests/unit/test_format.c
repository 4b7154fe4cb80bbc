// SPDX-License-Identifier: LGPL-2.1-or-later
#include "unit.h"

#include <stdio.h>

#include <mbmcat/version.h>

#include "cli/format.h"
#include "rig.h"

#define NS 1796094247123456789u

static struct rig rig;
static struct mbmcat_sample *sample;
static struct layout layout;
static struct buf out;

static const uint64_t rate[] = { 1234567890, 0, 0, 999 };
static const uint8_t why[] = { MBMCAT_RATE_OK, MBMCAT_RATE_NONE, MBMCAT_RATE_RESET,
			       MBMCAT_RATE_IMPLAUSIBLE };

/* The first domain of a spec by one format, as a string. */
static const char *render(const struct format_ops *ops, const char *spec, bool rates)
{
	struct mbmcat_pass pass;
	struct record r = { .seq = 3, .missed = 1, .cpu = 24, .path = PATH_DEFERRED };
	void *state = calloc(1, ops->state_size);

	rig_open(&rig, spec);
	rig_plan(&rig, 10000);
	ck_assert_int_eq(mbmcat_sample_new(rig.plan, &sample), 0);
	mbmcat_read(rig.plan, sample, 0);
	layout.host = "h\"";
	layout.rates = rates;
	layout.header = true;
	layout_init(&layout, rig.plan);
	pass = *mbmcat_sample_pass(sample, 0);
	pass.time_ns = NS;
	pass.start_ns = 5;
	pass.end_ns = UINT64_MAX;
	r.domain = mbmcat_plan_domain(rig.plan, 0);
	r.sample = sample;
	r.pass = &pass;
	r.rate = rates ? rate : NULL;
	r.why = rates ? why : NULL;
	ck_assert_int_eq(ops->prepare(state, &layout), 0);
	if (ops->header)
		ops->header(state, &layout, &out);
	if (ops->begin)
		ops->begin(state, &layout, &r, &out);
	ops->record(state, &layout, &r, &out);
	if (ops->end)
		ops->end(state, &layout, &out);
	ops->release(state);
	free(state);
	buf_char(&out, '\0');
	ck_assert(!out.failed);
	return out.data;
}

static void teardown(void)
{
	buf_free(&out);
	mbmcat_sample_free(sample);
	rig_close(&rig);
}

static const char spec[] = "mon \"\" a\nvalue \"\" 0 mbm_local_bytes \"18446744073709551615\"\n"
			   "value \"\" 0 mbm_total_bytes \"Pending\"\n"
			   "value /a 0 mbm_local_bytes \"5\"\nvalue /a 0 mbm_total_bytes \"6\"\n";

#define HEAD                                                                                    \
	"{\"schema\":\"mbmcat.sample/1\",\"host\":\"h\\\"\",\"seq\":3,\"missed\":1"
#define DOMAIN                                                                                  \
	HEAD ",\"time\":\"2026-12-01T03:04:07.123456789Z\",\"start_ns\":5,"                     \
	     "\"end_ns\":18446744073709551615,\"resource\":\"L3\",\"domain\":0,\"cpu\":24,"     \
	     "\"path\":\"deferred\",\"groups\":["
#define L "\"mbm_local_bytes\":"
#define T "\"mbm_total_bytes\":"
#define LR "\"mbm_local_bytes_per_second\":"
#define TR "\"mbm_total_bytes_per_second\":"

START_TEST(test_ndjson)
{
	ck_assert_str_eq(render(&format_ndjson, spec, true),
		DOMAIN "{\"ctrl_group\":\"\",\"mon_group\":\"\"," L "18446744073709551615," T "null,"
		LR "1234567890," TR "null,\"status\":{" T "\"Pending\"}},"
		"{\"ctrl_group\":\"\",\"mon_group\":\"a\"," L "5," T "6," LR "null," TR "null,"
		"\"status\":{" LR "\"reset\"," TR "\"implausible\"}}]}\n");
}
END_TEST

START_TEST(test_json_strings)
{
	layout.u64_strings = true;
	ck_assert_str_eq(render(&format_json, spec, false),
		HEAD ",\"domains\":[" DOMAIN "{\"ctrl_group\":\"\",\"mon_group\":\"\"," L
		"\"18446744073709551615\"," T "null,\"status\":{" T "\"Pending\"}},"
		"{\"ctrl_group\":\"\",\"mon_group\":\"a\"," L "\"5\"," T "\"6\"}]}]}\n");
	layout.u64_strings = false;
}
END_TEST

START_TEST(test_csv)
{
	ck_assert_str_eq(render(&format_csv, spec, true),
		"time,resource,domain,ctrl_group,mon_group,mbm_local_bytes,mbm_total_bytes,"
		"mbm_local_bytes_per_second,mbm_total_bytes_per_second,status\n"
		"2026-12-01T03:04:07.123456789Z,L3,0,,,18446744073709551615,,1234567890,,"
		"mbm_total_bytes=Pending\n"
		"2026-12-01T03:04:07.123456789Z,L3,0,,a,5,6,,,mbm_local_bytes_per_second=reset;"
		"mbm_total_bytes_per_second=implausible\n");
}
END_TEST

START_TEST(test_table)
{
	const char *text = render(&format_table, spec, true);

	ck_assert_ptr_nonnull(strstr(text, "mbm_total_bytes/s"));
	ck_assert_ptr_nonnull(strstr(text, "1.23 GB/s"));
	ck_assert_ptr_nonnull(strstr(text, "  reset"));
	ck_assert_ptr_nonnull(strstr(text, "implausible\n"));
}
END_TEST

/* A line stays below 64 KiB whatever the names are: in parts, with every group once. */
START_TEST(test_parts)
{
	static char long_spec[128 * 1024];
	size_t groups = 0, lines = 0;
	const char *text;

	for (int i = 0; i < 400; i++)
		sprintf(long_spec + strlen(long_spec), "mon \"\" \"%03d%0200d\"\n", i, 0);
	text = render(&format_ndjson, long_spec, false);
	for (const char *line = text, *end; *line; line = end + 1, lines++) {
		char part[64];

		end = strchr(line, '\n');
		ck_assert_uint_lt((size_t)(end - line), 65536);
		snprintf(part, sizeof(part), ",\"part\":%zu,\"parts\":", lines + 1);
		ck_assert_ptr_nonnull(strstr(line, part));
	}
	for (const char *p = text; (p = strstr(p, "\"mon_group\"")); p++)
		groups++;
	ck_assert_uint_gt(lines, 1);
	ck_assert_uint_eq(groups, 401);
}
END_TEST

#define BANDWIDTH "resctrl_memory_bandwidth_bytes"
#define G(mon) "{ctrl_group=\"\",mon_group=\"" mon "\",domain=\"0\","
#define TYPED(name, suffix, type, help)                                  \
	"# HELP " name suffix " " help "\n# TYPE " name suffix " " type "\n"
#define UNIT(name, unit) "# UNIT " name " " unit "\n"
#define VALUES                                                                       \
	BANDWIDTH "_total" G("") "scope=\"local\"} 18446744073709551615\n"          \
	BANDWIDTH "_total" G("a") "scope=\"local\"} 5\n"                            \
	BANDWIDTH "_total" G("a") "scope=\"total\"} 6\n"
#define STATUS                                                                       \
	TYPED("resctrl_event_status", "", "gauge",                                   \
	      "1 for each count or rate that is missing, with the word for it.")     \
	"resctrl_event_status" G("") "event=\"mbm_total_bytes\",status=\"Pending\"} 1\n"
#define PATH_AND_MISSED(total)                                                       \
	TYPED("resctrl_dump_path", "", "gauge",                                      \
	      "1, with the way that a domain's counters were read.")                 \
	"resctrl_dump_path{domain=\"0\",path=\"deferred\"} 1\n"                     \
	TYPED("resctrl_dump_missed", total, "counter",                               \
	      "Points in time at which no sample could be taken.")                   \
	"resctrl_dump_missed_total 1\n"                                              \
	TYPED("resctrl_build_info", "", "gauge", "1, with the version of mbmcat.")   \
	"resctrl_build_info{version=\"" MBMCAT_VERSION "\"} 1\n"
#define BANDWIDTH_HELP "Bytes moved from and to memory, as the kernel counts them."
#define DURATION "resctrl_dump_duration_seconds"
#define DURATION_HELP "Time that it took to read a domain's counters."

START_TEST(test_openmetrics)
{
	const char *text = render(&format_openmetrics, spec, true);

	ck_assert_str_eq(text,
		TYPED(BANDWIDTH, "", "counter", BANDWIDTH_HELP) UNIT(BANDWIDTH, "bytes") VALUES
		TYPED(BANDWIDTH "_per_second", "", "gauge", "Bytes per second since the sample before.")
		UNIT(BANDWIDTH "_per_second", "bytes_per_second")
		BANDWIDTH "_per_second" G("") "scope=\"local\"} 1234567890\n"
		STATUS
		"resctrl_event_status" G("a") "event=\"mbm_local_bytes_per_second\",status=\"reset\"} 1\n"
		"resctrl_event_status" G("a")
		"event=\"mbm_total_bytes_per_second\",status=\"implausible\"} 1\n"
		TYPED(DURATION, "", "gauge", DURATION_HELP) UNIT(DURATION, "seconds")
		/* What took longer than 584 years. */
		DURATION "{domain=\"0\"} 18446744073.709551610\n"
		PATH_AND_MISSED("") "# EOF\n");
}
END_TEST

START_TEST(test_prometheus)
{
	ck_assert_str_eq(render(&format_prometheus, spec, false),
		TYPED(BANDWIDTH, "_total", "counter", BANDWIDTH_HELP) VALUES STATUS
		TYPED(DURATION, "", "gauge", DURATION_HELP)
		DURATION "{domain=\"0\"} 18446744073.709551610\n" PATH_AND_MISSED("_total"));
}
END_TEST

#define TAGS ",host=h\",resource=L3,domain=0 "
#define STAMP " 1796094247123456789\n"

START_TEST(test_influx)
{
	ck_assert_str_eq(render(&format_influx, spec, true),
		"resctrl" TAGS "mbm_local_bytes_status=\"too-large\",mbm_total_bytes_status=\"Pending\","
		"mbm_local_bytes_per_second=1234567890i" STAMP
		"resctrl,mon_group=a" TAGS "mbm_local_bytes=5i,mbm_total_bytes=6i,"
		"mbm_local_bytes_per_second_status=\"reset\","
		"mbm_total_bytes_per_second_status=\"implausible\"" STAMP
		"resctrl_dump" TAGS "duration_ns=18446744073709551610i,missed=1i,cpu=24i,"
		"path=\"deferred\"" STAMP);
}
END_TEST

START_TEST(test_influx_strings)
{
	layout.u64_strings = true;
	ck_assert_ptr_nonnull(strstr(render(&format_influx, spec, false),
				     " mbm_local_bytes=\"18446744073709551615\",mbm_total_bytes_"));
	layout.u64_strings = false;
}
END_TEST

UNIT_CASE(format_tests)
{
	TCase *tc = tcase_create("format");

	unit_fixture(tc);
	tcase_add_checked_fixture(tc, NULL, teardown);
	tcase_add_test(tc, test_ndjson);
	tcase_add_test(tc, test_json_strings);
	tcase_add_test(tc, test_csv);
	tcase_add_test(tc, test_table);
	tcase_add_test(tc, test_parts);
	tcase_add_test(tc, test_openmetrics);
	tcase_add_test(tc, test_prometheus);
	tcase_add_test(tc, test_influx);
	tcase_add_test(tc, test_influx_strings);
	return tc;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
#include "unit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/opt-rows.h"

static struct options o;
static int ret;

static void parse(const char *line)
{
	static char copy[1024], *argv[32];
	int argc = 0;

	options_free(&o);
	strcpy(copy, line);
	for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
		argv[argc++] = word;
	argv[argc] = NULL;
	ret = options_parse(argc, argv, &o);
	ck_assert(ret == 0 || *o.error);
	ck_assert_ptr_null(strchr(o.error, '\n'));
}

START_TEST(test_defaults)
{
	parse("mbmcat");
	ck_assert_int_eq(ret, 0);
	ck_assert_str_eq(o.command->name, "dump");
	ck_assert_str_eq(o.format->name, "table");
	ck_assert_str_eq(o.sysroot, "");
	ck_assert_ptr_null(o.resctrl);
	ck_assert_uint_eq(o.interval_ns, 0);
	ck_assert_uint_eq(o.count, 0);
	ck_assert_uint_eq(o.max_rate, OPT_MAX_RATE);
	ck_assert(!o.rates && !o.strict && !o.quiet && !o.no_pin && !o.mount);
	options_free(&o);
}
END_TEST

#define GIVEN(line, condition)                                              \
	do {                                                                \
		parse("mbmcat " line);                                      \
		ck_assert_msg(ret == 0 && (condition), "%s: %s", line, o.error); \
	} while (0)

START_TEST(test_spellings)
{
	GIVEN("-f json", !strcmp(o.format->name, "json"));
	GIVEN("-fjson", !strcmp(o.format->name, "json"));
	GIVEN("--format json", !strcmp(o.format->name, "json"));
	GIVEN("--format=ndjson", !strcmp(o.format->name, "ndjson"));
	GIVEN("-j", !strcmp(o.format->name, "json"));
	GIVEN("-c", !strcmp(o.format->name, "csv"));
	GIVEN("-jc", !strcmp(o.format->name, "csv"));
	GIVEN("-g a -ga --group a --group=a", true);
	GIVEN("-d 0-3 -d0 --domain 8 --domain=L3:1", true);
	GIVEN("-e a,b -ea --event a --event=b", true);
	GIVEN("--sum", o.sums);
	GIVEN("-r", o.rates);
	GIVEN("--rates", o.rates);
	GIVEN("--max-rate 250G", o.max_rate == 250000000000u);
	GIVEN("--max-rate=0", o.max_rate == 0);
	GIVEN("-o x", !strcmp(o.output, "x"));
	GIVEN("-ox", !strcmp(o.output, "x"));
	GIVEN("--output=x", !strcmp(o.output, "x"));
	GIVEN("-n", o.no_header);
	GIVEN("--no-header", o.no_header);
	GIVEN("--u64-as-string", o.u64_strings);
	GIVEN("--color always", o.color == COLOR_ALWAYS);
	GIVEN("--color=never", o.color == COLOR_NEVER);
	GIVEN("--color auto", o.color == COLOR_AUTO);
	GIVEN("--parallel 3", o.parallel == 3);
	GIVEN("--parallel auto", o.parallel == OPT_PARALLEL_AUTO);
	GIVEN("--cpu first", o.cpu == CPU_FIRST);
	GIVEN("--cpu any", o.cpu == CPU_ANY);
	GIVEN("--no-pin", o.no_pin);
	GIVEN("--strict", o.strict);
	GIVEN("--require-local", o.require_local);
	GIVEN("--resctrl /x", !strcmp(o.resctrl, "/x"));
	GIVEN("--sysroot=/x", !strcmp(o.sysroot, "/x"));
	GIVEN("--mount", o.mount);
	GIVEN("-q", o.quiet);
	GIVEN("-v", o.verbose);
	GIVEN("-h", o.help);
	GIVEN("--version", o.version);
	GIVEN("1 2", o.interval_ns == 1000000000 && o.count == 2);
	GIVEN("-j 100ms -q 7", o.interval_ns == 100000000 && o.count == 7 && o.quiet);
	GIVEN("-- 1", o.interval_ns == 1000000000);
	GIVEN("dump -j 1", o.interval_ns == 1000000000);
	GIVEN("list -j", o.json && !strcmp(o.command->name, "list"));
	GIVEN("list --json", o.json);
	options_free(&o);
}
END_TEST

START_TEST(test_refused)
{
	static const char *const bad[] = {
		"-x", "--x", "--no", "-f", "--format", "-f x", "--rates=1", "-d x", "-d 3-1",
		"-e a,", "-e ,", "--max-rate x", "--max-rate 1K", "--max-rate 1GG", "--max-rate -1",
		"--max-rate 99999999999T", "--parallel 0", "--parallel x", "--parallel 65537",
		"--cpu x", "--color x", "--cpu=", "-o=", "0", "1 0", "1 x", "1 1 1", "1 dump", "list 1",
		"list -r", "list -g x", "x", "-j dump", "dump dump", "-1", "1 -1", "--sysroot=",
		"--resctrl=", "--output=",
	};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		char line[128] = "mbmcat ";

		/* "=" is a file's name as good as any. */
		if (!strcmp(bad[i], "-o="))
			continue;
		parse(strcat(line, bad[i]));
		ck_assert_msg(ret == -EINVAL, "%s", line);
	}
	options_free(&o);
}
END_TEST

START_TEST(test_intervals)
{
	static const struct {
		const char *text;
		uint64_t ns;
	} rows[] = {
		{ "1", 1000000000 },	 { "0.5", 500000000 },	  { ".5", 500000000 },
		{ "1.", 1000000000 },	 { "100ms", 100000000 },  { "1.5ms", 1500000 },
		{ "1us", 1000 },	 { "0.000000001", 1 },	  { "2m", 120000000000 },
		{ "2min", 120000000000 }, { "1h", 3600000000000 }, { "1.5s", 1500000000 },
		{ "8784h", 31622400000000000 },
	};
	static const char *const bad[] = {
		"", "0", "0.0", ".", "s", "-1", "+1", "1e3", "nan", "inf", "1h30", "1,5", "0x1",
		" 1", "1 ", "1..2", "1ns", "1S", "8785h", "99999999999999999999", "0.0000000001",
		"1.5.5", "0.0000001us",
	};
	uint64_t ns;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		ck_assert_msg(options_interval(rows[i].text, &ns), "%s", rows[i].text);
		ck_assert_uint_eq(ns, rows[i].ns);
	}
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		ck_assert_msg(!options_interval(bad[i], &ns), "'%s'", bad[i]);
}
END_TEST

/* Some row of that name belongs to the command, a shared one or its own. */
static bool has(const struct command *command, const char *name)
{
	for (size_t i = 0; i < n_option_rows; i++) {
		if (option_rows[i].name && !strcmp(option_rows[i].name, name) &&
		    option_rows[i].commands & command->bit)
			return true;
	}
	for (size_t i = 0; i < command->n_rows; i++) {
		if (command->rows[i].name && !strcmp(command->rows[i].name, name))
			return true;
	}
	return false;
}

/* Each option that a command has is in its help. */
START_TEST(test_help)
{
	for (const struct command *c = commands; c->name; c++) {
		struct buf text = { 0 };

		options_help(c, &text);
		buf_char(&text, '\0');
		for (size_t i = 0; i < n_option_rows; i++) {
			char name[64];

			if (!option_rows[i].name)
				continue;
			snprintf(name, sizeof(name), "--%s ", option_rows[i].name);
			ck_assert_msg(!strstr(text.data, name) == !has(c, option_rows[i].name),
				      "%s in %s", name, c->name);
		}
		buf_free(&text);
	}
}
END_TEST

UNIT_CASE(opt_tests)
{
	TCase *tc = tcase_create("opt");

	tcase_add_test(tc, test_defaults);
	tcase_add_test(tc, test_spellings);
	tcase_add_test(tc, test_refused);
	tcase_add_test(tc, test_intervals);
	tcase_add_test(tc, test_help);
	return tc;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "lib/parse.h"

static enum mbmcat_status parse(const char *text, size_t len, uint64_t *value, char *word)
{
	/* Nothing behind the text may be looked at: a heap copy for the sanitizer. */
	char *copy = malloc(len ? len : 1);
	enum mbmcat_status status;

	memcpy(copy, text, len);
	*value = 4711;
	status = parse_count(copy, len, value, word);
	free(copy);
	return status;
}

#define P(text) parse(text, sizeof(text) - 1, &value, word)

START_TEST(test_numbers)
{
	char word[MBMCAT_WORD_SIZE];
	uint64_t value;

	ck_assert_int_eq(P("0\n"), MBMCAT_OK);
	ck_assert_uint_eq(value, 0);
	ck_assert_int_eq(P("7345357\n"), MBMCAT_OK);
	ck_assert_uint_eq(value, 7345357);
	ck_assert_int_eq(P("7345357"), MBMCAT_OK);
	ck_assert_uint_eq(value, 7345357);
	ck_assert_int_eq(P("18446744073709551615\n"), MBMCAT_OK);
	ck_assert_uint_eq(value, UINT64_MAX);
	ck_assert_int_eq(P("2882429806056571124\n"), MBMCAT_OK);
	ck_assert_uint_eq(value, 2882429806056571124);
}
END_TEST

START_TEST(test_words)
{
	char word[MBMCAT_WORD_SIZE];
	uint64_t value;

	ck_assert_int_eq(P("Error\n"), MBMCAT_ERROR);
	ck_assert_int_eq(P("Unavailable\n"), MBMCAT_UNAVAILABLE);
	ck_assert_int_eq(P("Unassigned"), MBMCAT_UNASSIGNED);
	ck_assert_uint_eq(value, 4711);
	/* Words of later kernels; not those that stand for our own statuses either. */
	ck_assert_int_eq(P("Pending\n"), MBMCAT_WORD);
	ck_assert_str_eq(word, "Pending");
	ck_assert_int_eq(P("Errors\n"), MBMCAT_WORD);
	ck_assert_int_eq(P("error\n"), MBMCAT_WORD);
	ck_assert_int_eq(P("ok\n"), MBMCAT_WORD);
	ck_assert_int_eq(P("gone"), MBMCAT_WORD);
	ck_assert_int_eq(P("a-b_9\n"), MBMCAT_WORD);
	ck_assert_str_eq(word, "a-b_9");
	ck_assert_int_eq(P("ABCDEFGHIJKLMNOPQRSTUVW\n"), MBMCAT_WORD);
	ck_assert_uint_eq(strlen(word), MBMCAT_WORD_SIZE - 1);
	ck_assert_int_eq(P("ABCDEFGHIJKLMNOPQRSTUVWX\n"), MBMCAT_INVALID);
}
END_TEST

START_TEST(test_neither)
{
	char word[MBMCAT_WORD_SIZE], bytes[COUNT_TEXT_SIZE];
	uint64_t value;

	ck_assert_int_eq(P(""), MBMCAT_INVALID);
	ck_assert_int_eq(P("\n"), MBMCAT_INVALID);
	ck_assert_int_eq(P("-1\n"), MBMCAT_INVALID);
	ck_assert_int_eq(P("+1\n"), MBMCAT_INVALID);
	ck_assert_int_eq(P("12.5\n"), MBMCAT_INVALID);
	ck_assert_int_eq(P("  1\n"), MBMCAT_INVALID);
	ck_assert_int_eq(P("1 \n"), MBMCAT_INVALID);
	ck_assert_int_eq(P("1\n\n"), MBMCAT_INVALID);
	ck_assert_int_eq(P("1\n2\n"), MBMCAT_INVALID);
	ck_assert_int_eq(P("1\r\n"), MBMCAT_INVALID);
	ck_assert_int_eq(P("1\0\n"), MBMCAT_INVALID);
	ck_assert_int_eq(P("\0"), MBMCAT_INVALID);
	ck_assert_int_eq(P("0x10\n"), MBMCAT_INVALID);
	ck_assert_int_eq(P("1e9\n"), MBMCAT_INVALID);
	ck_assert_int_eq(P("Two words\n"), MBMCAT_INVALID);
	ck_assert_int_eq(P("Error: x"), MBMCAT_INVALID);
	ck_assert_int_eq(P("\"quoted\""), MBMCAT_INVALID);
	ck_assert_int_eq(P("-word"), MBMCAT_INVALID);
	ck_assert_int_eq(P("word\xff"), MBMCAT_INVALID);
	ck_assert_int_eq(P("18446744073709551616\n"), MBMCAT_INVALID);
	ck_assert_int_eq(P("123456789012345678901\n"), MBMCAT_INVALID);
	memset(bytes, '9', sizeof(bytes));
	ck_assert_int_eq(parse(bytes, sizeof(bytes), &value, word), MBMCAT_INVALID);
	memset(bytes, 'a', sizeof(bytes));
	ck_assert_int_eq(parse(bytes, sizeof(bytes), &value, word), MBMCAT_INVALID);
	ck_assert_uint_eq(value, 4711);
}
END_TEST

/* A full buffer says that there may be more: zeros in front must not hide it. */
START_TEST(test_cut_off)
{
	char word[MBMCAT_WORD_SIZE], bytes[COUNT_TEXT_SIZE];
	uint64_t value;

	memset(bytes, '0', sizeof(bytes));
	bytes[sizeof(bytes) - 1] = '1';
	ck_assert_int_eq(parse(bytes, sizeof(bytes), &value, word), MBMCAT_INVALID);
	ck_assert_uint_eq(value, 4711);
}
END_TEST

START_TEST(test_status_text)
{
	ck_assert_str_eq(parse_status_text(MBMCAT_OK), "ok");
	ck_assert_str_eq(parse_status_text(MBMCAT_ERROR), "Error");
	ck_assert_str_eq(parse_status_text(MBMCAT_UNAVAILABLE), "Unavailable");
	ck_assert_str_eq(parse_status_text(MBMCAT_UNASSIGNED), "Unassigned");
	ck_assert_str_eq(parse_status_text(MBMCAT_INVALID), "invalid");
	ck_assert_str_eq(parse_status_text(MBMCAT_MISSING), "missing");
	ck_assert_str_eq(parse_status_text(MBMCAT_GONE), "gone");
	ck_assert_str_eq(parse_status_text(MBMCAT_DENIED), "denied");
	ck_assert_str_eq(parse_status_text(MBMCAT_FAILED), "failed");
	ck_assert_str_eq(parse_status_text(MBMCAT_UNREAD), "unread");
	ck_assert_str_eq(parse_status_text((enum mbmcat_status)31), "invalid");
}
END_TEST

static void domain(const char *name, const char *resource, uint64_t id)
{
	const char *r = NULL;
	uint64_t got = ~id;
	size_t len = 0;
	bool is = parse_domain_name(name, &r, &len, &got);

	ck_assert_msg(is == (resource != NULL), "%s", name);
	if (!resource)
		return;
	ck_assert_uint_eq(got, id);
	ck_assert_uint_eq(len, strlen(resource));
	ck_assert(!strncmp(r, resource, len));
}

START_TEST(test_domain_names)
{
	domain("mon_L3_00", "L3", 0);
	domain("mon_L3_08", "L3", 8);
	domain("mon_L3_09", "L3", 9);
	domain("mon_L3_010", "L3", 10);
	domain("mon_L3_256", "L3", 256);
	domain("mon_L3_18446744073709551615", "L3", UINT64_MAX);
	domain("mon_PERF_PKG_01", "PERF_PKG", 1);
	domain("mon_MB_3", "MB", 3);
	domain("mon_L3_", NULL, 0);
	domain("mon_L3", NULL, 0);
	domain("mon__3", NULL, 0);
	domain("mon_3", NULL, 0);
	domain("mon_", NULL, 0);
	domain("", NULL, 0);
	domain("Mon_L3_00", NULL, 0);
	domain("mon_L3_0x1", NULL, 0);
	domain("mon_L3_-1", NULL, 0);
	domain("mon_L3_1 ", NULL, 0);
	domain("mon_L,3_01", NULL, 0);
	domain("mon_L\"_01", NULL, 0);
	domain("mon_3L_01", NULL, 0);
	domain("mon_L3_18446744073709551616", NULL, 0);
}
END_TEST

START_TEST(test_cluster_names)
{
	int64_t id = -7;

	ck_assert(parse_cluster_name("mon_sub_L3_01", "L3", &id));
	ck_assert_int_eq(id, 1);
	ck_assert(parse_cluster_name("mon_sub_L3_9223372036854775807", "L3", &id));
	ck_assert_int_eq(id, INT64_MAX);
	ck_assert(!parse_cluster_name("mon_sub_L3_9223372036854775808", "L3", &id));
	ck_assert(!parse_cluster_name("mon_sub_L3_", "L3", &id));
	ck_assert(!parse_cluster_name("mon_sub_L2_01", "L3", &id));
	ck_assert(!parse_cluster_name("mon_sub_L33_01", "L3", &id));
	ck_assert(!parse_cluster_name("mon_L3_01", "L3", &id));
	ck_assert(!parse_cluster_name("mon_sub_L3", "L3", &id));
	ck_assert_int_eq(id, INT64_MAX);
}
END_TEST

START_TEST(test_event_names)
{
	ck_assert(parse_event_name("mbm_total_bytes"));
	ck_assert(parse_event_name("a"));
	ck_assert(!parse_event_name(""));
	ck_assert(!parse_event_name("9lives"));
	ck_assert(!parse_event_name("_x"));
	ck_assert(!parse_event_name("a b"));
	ck_assert(!parse_event_name("a\"b"));
	ck_assert(!parse_event_name("a\nb"));
	ck_assert(!parse_event_name("a.b"));
	ck_assert(!parse_event_name("\xc3\xa4"));
}
END_TEST

START_TEST(test_features)
{
	const char *text = "llc_occupancy\nmbm_total_bytes\nmbm_total_bytes_config\n\n../x\n"
			   "_config\nmbm_local_bytes";
	const char *name;
	size_t len;

	ck_assert(parse_next_feature(&text, &name, &len));
	ck_assert(len == 13 && !strncmp(name, "llc_occupancy", len));
	ck_assert(parse_next_feature(&text, &name, &len));
	ck_assert(len == 15 && !strncmp(name, "mbm_total_bytes", len));
	ck_assert(parse_next_feature(&text, &name, &len));
	ck_assert(len == 7 && !strncmp(name, "_config", len));
	ck_assert(parse_next_feature(&text, &name, &len));
	ck_assert(len == 15 && !strncmp(name, "mbm_local_bytes", len));
	ck_assert(!parse_next_feature(&text, &name, &len));
	ck_assert(!parse_next_feature(&text, &name, &len));
	ck_assert_str_eq(text, "");
}
END_TEST

UNIT_CASE(parse_tests)
{
	TCase *tc = tcase_create("parse");

	tcase_add_test(tc, test_numbers);
	tcase_add_test(tc, test_words);
	tcase_add_test(tc, test_neither);
	tcase_add_test(tc, test_cut_off);
	tcase_add_test(tc, test_status_text);
	tcase_add_test(tc, test_domain_names);
	tcase_add_test(tc, test_cluster_names);
	tcase_add_test(tc, test_event_names);
	tcase_add_test(tc, test_features);
	return tc;
}

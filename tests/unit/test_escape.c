// SPDX-License-Identifier: LGPL-2.1-or-later
#include "unit.h"

#include "cli/escape.h"

static void expect(void (*escape)(struct buf *out, const char *text), const char *in,
		   const char *want)
{
	struct buf out = { 0 };

	escape(&out, in);
	buf_char(&out, '\0');
	ck_assert_str_eq(out.data, want);
	buf_free(&out);
}

START_TEST(test_json)
{
	expect(escape_json, "", "\"\"");
	expect(escape_json, "a\"b\\c/", "\"a\\\"b\\\\c/\"");
	expect(escape_json, "\b\f\n\r\t\x01\x1f\x7f", "\"\\b\\f\\n\\r\\t\\u0001\\u001f\\u007f\"");
	expect(escape_json, "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", "\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\"");
	/* No UTF-8: overlong, surrogate, too high, cut off, stray. */
	expect(escape_json, "\xff", "\"\xef\xbf\xbd" "ff\"");
	expect(escape_json, "\xc0\xaf", "\"\xef\xbf\xbd" "c0\xef\xbf\xbd" "af\"");
	expect(escape_json, "\xed\xa0\x80", "\"\xef\xbf\xbd" "ed\xef\xbf\xbd" "a0\xef\xbf\xbd" "80\"");
	expect(escape_json, "\xf4\x90\x80\x80",
	       "\"\xef\xbf\xbd" "f4\xef\xbf\xbd" "90\xef\xbf\xbd" "80\xef\xbf\xbd" "80\"");
	expect(escape_json, "\xe2\x82", "\"\xef\xbf\xbd" "e2\xef\xbf\xbd" "82\"");
	/* The replacement itself: different names stay different. */
	expect(escape_json, "\xef\xbf\xbd", "\"\xef\xbf\xbd" "ef\xef\xbf\xbd" "bf\xef\xbf\xbd" "bd\"");
}
END_TEST

START_TEST(test_csv)
{
	expect(escape_csv, "", "");
	expect(escape_csv, "a b;'\\\t\xff", "a b;'\\\t\xff");
	expect(escape_csv, "0-15,32-47", "\"0-15,32-47\"");
	expect(escape_csv, "a\"b", "\"a\"\"b\"");
	expect(escape_csv, "a\nb", "\"a\nb\"");
	expect(escape_csv, "a\rb", "\"a\rb\"");
}
END_TEST

START_TEST(test_text)
{
	expect(escape_text, "a b\xc3\xa4", "a b\xc3\xa4");
	expect(escape_text, "\033[31m\x7f\n", "\\x1b[31m\\x7f\\x0a");
	expect(escape_text, "\xc2\x9b\xff", "\\xc2\\x9b\\xff");
	ck_assert_uint_eq(escape_width("a\xc3\xa4\xe2\x82\xac", 6), 3);
	expect(escape_utf8, "a\"\n\xff", "a\"\n\xef\xbf\xbd" "ff");
}
END_TEST

START_TEST(test_label)
{
	expect(escape_label, "a b,c=d{}\t\r", "a b,c=d{}\t\r");
	expect(escape_label, "\"\\\n\\n", "\\\"\\\\\\n\\\\n");
	expect(escape_label, "\xc3\xa4\xff", "\xc3\xa4\xef\xbf\xbd" "ff");
}
END_TEST

#define R "\xef\xbf\xbd"

START_TEST(test_tag)
{
	expect(escape_tag, "a b,c=d\"\xc3\xa4", "a\\ b\\,c\\=d\"\xc3\xa4");
	expect(escape_tag, "\t\r\n\x7f\xff", R "09" R "0d" R "0a" R "7f" R "ff");
	/* A backslash is one, but where it would guard what follows. */
	expect(escape_tag, "C:\\dir", "C:\\dir");
	expect(escape_tag, "end\\", "end" R "5c");
	expect(escape_tag, "\\\\a", R "5c\\a");
	expect(escape_tag, "\\,\\ \\=\\\"", R "5c\\," R "5c\\ " R "5c\\=" R "5c\"");
	expect(escape_tag, R "5c", R "ef" R "bf" R "bd5c");
}
END_TEST

UNIT_CASE(escape_tests)
{
	TCase *tc = tcase_create("escape");

	tcase_add_test(tc, test_json);
	tcase_add_test(tc, test_csv);
	tcase_add_test(tc, test_text);
	tcase_add_test(tc, test_label);
	tcase_add_test(tc, test_tag);
	return tc;
}

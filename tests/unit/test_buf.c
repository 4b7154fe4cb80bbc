// SPDX-License-Identifier: LGPL-2.1-or-later
#include "unit.h"

#include "base/buf.h"

#define expect(buf, text)                                                       \
	do {                                                                    \
		ck_assert(!(buf).failed);                                       \
		ck_assert_uint_eq((buf).len, strlen(text));                     \
		ck_assert(!memcmp((buf).data, text, (buf).len));                \
	} while (0)

START_TEST(test_append)
{
	struct buf buf = { 0 };

	buf_add(&buf, NULL, 0);
	ck_assert_uint_eq(buf.len, 0);
	buf_str(&buf, "");
	buf_char(&buf, 'a');
	buf_str(&buf, "bc");
	buf_add(&buf, "d\0e", 3);
	buf_u64(&buf, 0);
	buf_u64(&buf, UINT64_MAX);
	buf_printf(&buf, "%s-%d", "x", -1);
	ck_assert_uint_eq(buf.len, 3 + 3 + 1 + 20 + 4);
	ck_assert(!memcmp(buf.data, "abcd\0e018446744073709551615x--1", buf.len));
	buf_reset(&buf);
	ck_assert_uint_eq(buf.len, 0);
	ck_assert_ptr_nonnull(buf.data);
	buf_str(&buf, "again");
	expect(buf, "again");
	buf_free(&buf);
	ck_assert_ptr_null(buf.data);
	buf_str(&buf, "and again");
	expect(buf, "and again");
	buf_free(&buf);
}
END_TEST

START_TEST(test_growth)
{
	struct buf buf = { 0 };
	char text[701];

	for (unsigned int i = 0; i < 100000; i++)
		buf_char(&buf, (char)('a' + i % 26));
	ck_assert_uint_eq(buf.len, 100000);
	for (unsigned int i = 0; i < 100000; i++)
		ck_assert_int_eq(buf.data[i], (char)('a' + i % 26));
	buf_reset(&buf);
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	buf_printf(&buf, "%s", text);
	expect(buf, text);
	buf_free(&buf);
}
END_TEST

START_TEST(test_failed)
{
	struct buf buf = { 0 };
	size_t size;

	buf_str(&buf, "kept");
	size = buf.size;
	ck_assert(!buf_reserve(&buf, SIZE_MAX - 2));
	ck_assert(buf.failed);
	ck_assert_uint_eq(buf.len, 4);
	ck_assert_uint_eq(buf.size, size);
	/* It stays so, for every kind of append. */
	ck_assert(!buf_reserve(&buf, 1));
	buf_str(&buf, "x");
	buf_char(&buf, 'x');
	buf_u64(&buf, 1);
	buf_printf(&buf, "%d", 1);
	buf_add(&buf, "x", 1);
	ck_assert_uint_eq(buf.len, 4);
	buf_reset(&buf);
	ck_assert(buf.failed);
	buf_free(&buf);
	ck_assert(!buf.failed);
}
END_TEST

START_TEST(test_reserved)
{
	struct buf buf = { 0 };

	ck_assert(buf_reserve(&buf, 3 + 2 * DIGITS_MAX));
	buf_put(&buf, "abc", 3);
	buf_put_u64(&buf, 42);
	buf_put_u64(&buf, UINT64_MAX);
	expect(buf, "abc4218446744073709551615");
	buf_free(&buf);
}
END_TEST

UNIT_CASE(buf_tests)
{
	TCase *tc = tcase_create("buf");

	tcase_add_test(tc, test_append);
	tcase_add_test(tc, test_growth);
	tcase_add_test(tc, test_failed);
	tcase_add_test(tc, test_reserved);
	return tc;
}

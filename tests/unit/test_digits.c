// SPDX-License-Identifier: LGPL-2.1-or-later
#include "unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digits.h"

/* Check writes down every assertion that holds; of a million that takes its time. */
#define must(good, ...)                           \
	do {                                      \
		if (!(good))                      \
			ck_abort_msg(__VA_ARGS__); \
	} while (0)

/* digits_get_padded() must agree on every text that digits_get() is given. */
static bool get(const char *text, size_t len, uint64_t *value)
{
	char *padded = malloc(DIGITS_PAD + len);
	uint64_t other = *value, before = *value;
	bool is, other_is;

	memset(padded, '0', DIGITS_PAD);
	memcpy(padded + DIGITS_PAD, text, len);
	other_is = digits_get_padded(padded + DIGITS_PAD, len, &other);
	is = digits_get(padded + DIGITS_PAD, len, value);
	must(is == other_is && *value == other, "'%.*s' padded", (int)len, text);
	must(is || *value == before, "'%.*s' is refused and changes the value", (int)len, text);
	free(padded);
	return is;
}

static void both_ways(uint64_t value)
{
	char want[32], got[DIGITS_MAX + 1];
	uint64_t back = ~value;
	size_t len = (size_t)snprintf(want, sizeof(want), "%" PRIu64, value);

	got[DIGITS_MAX] = '!';
	must((size_t)(digits_put(got, value) - got) == len && !memcmp(got, want, len),
	     "%s, not %.*s", want, (int)len, got);
	must(got[DIGITS_MAX] == '!', "%s: too many bytes", want);
	must(get(want, len, &back) && back == value, "%s: read as %" PRIu64, want, back);
}

START_TEST(test_edges)
{
	both_ways(0);
	for (unsigned int bit = 0; bit < 64; bit++) {
		for (uint64_t d = 0; d < 5; d++)
			both_ways((1ull << bit) + d - 2);
	}
	for (uint64_t power = 1;; power *= 10) {
		for (uint64_t d = 0; d < 5; d++)
			both_ways(power + d - 2);
		for (uint64_t n = 2; n < 10 && power <= UINT64_MAX / 10; n++)
			both_ways(power * n - 1);
		if (power > UINT64_MAX / 10)
			break;
	}
	both_ways(UINT64_MAX - 1);
	both_ways(UINT64_MAX);
}
END_TEST

START_TEST(test_many)
{
	uint64_t x = 88172645463325252;

	for (unsigned int i = 0; i < 200000; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		both_ways(x >> i % 64);
		both_ways(i);
		both_ways(99999999 - i);
	}
}
END_TEST

START_TEST(test_refused)
{
	static const struct {
		const char *text;
		size_t len;
	} bad[] = {
		{ "", 0 },	 { " 1", 2 },	  { "1 ", 2 },	    { "-1", 2 },
		{ "+1", 2 },	 { "12.5", 4 },	  { "0x1", 3 },	    { "1e3", 3 },
		{ "1\n", 2 },	 { "1\0", 2 },	  { "\0" "1", 2 },  { "1,5", 3 },
		{ "/", 1 },	 { ":", 1 },	  { "\xb1", 1 },    { "\xff", 1 },
		{ "18446744073709551616", 20 },	  { "18446744073709551620", 20 },
		{ "18446744083709551615", 20 },	  { "28446744073709551615", 20 },
		{ "99999999999999999999", 20 },	  { "100000000000000000000", 21 },
		{ "118446744073709551615", 21 },  { "1234567/", 8 },
		{ "1234567:", 8 },		  { "/2345678", 8 },
		{ "12345678x", 9 },		  { "x1234567890123456", 17 },
		{ "1234567890123456789x", 20 },	  { "9999999999999999999999999999999999999999", 40 },
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		uint64_t value = 7;

		ck_assert_msg(!get(bad[i].text, bad[i].len, &value), "%s", bad[i].text);
		ck_assert_uint_eq(value, 7);
	}
}
END_TEST

/* Every byte that is no digit, at every place of every length. */
START_TEST(test_any_byte)
{
	for (size_t len = 1; len <= DIGITS_MAX; len++) {
		for (size_t at = 0; at < len; at++) {
			for (unsigned int byte = 0; byte < 256; byte++) {
				char text[DIGITS_MAX];
				uint64_t value = 7;

				memset(text, '1', sizeof(text));
				text[at] = (char)byte;
				ck_assert_int_eq(get(text, len, &value),
						 byte >= '0' && byte <= '9' &&
							 !(len == 20 && at == 0 && byte > '1') &&
							 !(len == 20 && at == 1 && byte > '8'));
			}
		}
	}
}
END_TEST

START_TEST(test_zeros_in_front)
{
	char text[401];
	uint64_t value = 7;

	memset(text, '0', sizeof(text));
	text[400] = '9';
	ck_assert(digits_get("08", 2, &value));
	ck_assert_uint_eq(value, 8);
	ck_assert(digits_get(text, 401, &value));
	ck_assert_uint_eq(value, 9);
	ck_assert(digits_get(text, 400, &value));
	ck_assert_uint_eq(value, 0);
	ck_assert(digits_get("00018446744073709551615", 23, &value));
	ck_assert_uint_eq(value, UINT64_MAX);
	ck_assert(!digits_get("00018446744073709551616", 23, &value));
}
END_TEST

START_TEST(test_padded)
{
	char text[] = "????????????????????????";

	ck_assert_ptr_eq(digits_put_padded(text, 7, 3), text + 3);
	ck_assert_str_eq(text, "007?????????????????????");
	digits_put_padded(text, 123456789, 9);
	ck_assert(!memcmp(text, "123456789?", 10));
	digits_put_padded(text, UINT64_MAX, 20);
	ck_assert_str_eq(text, "18446744073709551615????");
}
END_TEST

UNIT_CASE(digits_tests)
{
	TCase *tc = tcase_create("digits");

	tcase_add_test(tc, test_edges);
	tcase_add_test(tc, test_many);
	tcase_add_test(tc, test_refused);
	tcase_add_test(tc, test_any_byte);
	tcase_add_test(tc, test_zeros_in_front);
	tcase_add_test(tc, test_padded);
	return tc;
}

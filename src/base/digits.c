// SPDX-License-Identifier: LGPL-2.1-or-later
#include "base/digits.h"

#include <string.h>

static const uint64_t powers[DIGITS_MAX] = {
	1ULL,
	10ULL,
	100ULL,
	1000ULL,
	10000ULL,
	100000ULL,
	1000000ULL,
	10000000ULL,
	100000000ULL,
	1000000000ULL,
	10000000000ULL,
	100000000000ULL,
	1000000000000ULL,
	10000000000000ULL,
	100000000000000ULL,
	1000000000000000ULL,
	10000000000000000ULL,
	100000000000000000ULL,
	1000000000000000000ULL,
	10000000000000000000ULL,
};

static unsigned int count_digits(uint64_t value)
{
	/* log10(2) is 1233 / 4096 closely enough for 64 bits. */
	unsigned int bits = 64 - (unsigned int)__builtin_clzll(value | 1);
	unsigned int guess = bits * 1233 >> 12;

	return guess + (guess < DIGITS_MAX && value >= powers[guess]);
}

/*
 * Eight digits, the first in the lowest byte: the number is split into fours, pairs
 * and digits, each step for all parts at once. The constants are 2^20 / 100 and
 * 2^10 / 10, rounded up: exact for four and for two digits.
 */
static void put_eight(char *out, uint32_t value)
{
	uint64_t v = value / 10000 | (uint64_t)(value % 10000) << 32;
	uint64_t high;

	high = (v * 10486 >> 20) & 0x0000007f0000007f;
	v = high | (v - high * 100) << 16;
	high = (v * 103 >> 10) & 0x000f000f000f000f;
	v = high | (v - high * 10) << 8;
	v |= 0x3030303030303030;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	v = __builtin_bswap64(v);
#endif
	memcpy(out, &v, sizeof(v));
}

char *digits_put(char *out, uint64_t value)
{
	unsigned int width = count_digits(value);
	char text[24];

	width += !width;
	put_eight(text + 16, (uint32_t)(value % 100000000));
	if (width > 8)
		put_eight(text + 8, (uint32_t)(value / 100000000 % 100000000));
	if (width > 16)
		put_eight(text, (uint32_t)(value / 10000000000000000));
	/* Three moves of constant size cost less than one of any. */
	if (width <= 8) {
		for (unsigned int i = 0; i < width; i++)
			out[i] = text[24 - width + i];
	} else {
		memcpy(out, text + 24 - width, 8);
		memcpy(out + width - 8, text + 16, 8);
		if (width > 16)
			memcpy(out + 8, text + 24 - width + 8, 8);
	}
	return out + width;
}

char *digits_put_padded(char *out, uint64_t value, unsigned int width)
{
	for (unsigned int i = width; i--; value /= 10)
		out[i] = (char)('0' + value % 10);
	return out + width;
}

/*
 * Eight digits at once, the first in the lowest byte, as on x86 and arm: false when
 * one of the bytes is none. Pairs, then fours, then eight are put together by one
 * multiplication each.
 */
static bool get_eight(const char *text, uint64_t *value)
{
	uint64_t v;

	memcpy(&v, text, sizeof(v));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	v = __builtin_bswap64(v);
#endif
	/* 0x30 to 0x39 have 3 in front, and still have it with 6 added. */
	if (((v & (v + 0x0606060606060606)) & 0xf0f0f0f0f0f0f0f0) != 0x3030303030303030)
		return false;
	v = (v & 0x0f0f0f0f0f0f0f0f) * (10 * 256 + 1) >> 8;
	v = (v & 0x00ff00ff00ff00ff) * (100 * 65536 + 1) >> 16;
	v = (v & 0x0000ffff0000ffff) * (10000 * 4294967296 + 1) >> 32;
	*value = *value * 100000000 + v;
	return true;
}

bool digits_get(const char *text, size_t len, uint64_t *value)
{
	uint64_t v = 0;

	if (len == 0)
		return false;
	/* Zeros in front are not digits that count. */
	while (len > DIGITS_MAX && *text == '0') {
		text++;
		len--;
	}
	if (len > DIGITS_MAX)
		return false;
	for (size_t odd = len % 8; odd; odd--, len--) {
		unsigned int digit = (unsigned char)*text++ - (unsigned int)'0';

		if (digit > 9)
			return false;
		v = v * 10 + digit;
	}
	for (; len; len -= 8, text += 8) {
		const uint64_t before = v;

		if (v > UINT64_MAX / 100000000 || !get_eight(text, &v))
			return false;
		/* Just at the limit: what went over it is small. */
		if (v < before)
			return false;
	}
	*value = v;
	return true;
}

bool digits_get_padded(const char *text, size_t len, uint64_t *value)
{
	const char *end = text + len;
	uint64_t v = 0;

	if (len == 0 || len > DIGITS_MAX)
		return digits_get(text, len, value);
	if (len > 16 && !get_eight(end - 24, &v))
		return false;
	if (!get_eight(end - 16, &v))
		return false;
	/* As above; only a number of twenty digits comes near the limit. */
	if (len > 19)
		return digits_get(text, len, value);
	if (!get_eight(end - 8, &v))
		return false;
	*value = v;
	return true;
}

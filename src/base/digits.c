// SPDX-License-Identifier: LGPL-2.1-or-later
#include "base/digits.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

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
static uint64_t eight(uint64_t value)
{
	uint64_t v = value / 10000 | value % 10000 << 32;
	uint64_t high;

	high = (v * 10486 >> 20) & 0x0000007f0000007f;
	v = high | (v - high * 100) << 16;
	high = (v * 103 >> 10) & 0x000f000f000f000f;
	v = high | (v - high * 10) << 8;
	return v | 0x3030303030303030;
}

/* The last @width of eight digits, and something behind them. */
static char *put_last(char *out, uint64_t digits, unsigned int width)
{
	digits >>= 8 * (8 - width);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	digits = __builtin_bswap64(digits);
#endif
	memcpy(out, &digits, sizeof(digits));
	return out + width;
}

char *digits_put(char *out, uint64_t value)
{
	unsigned int width = count_digits(value);
	uint64_t high = value / 100000000;

	if (width <= 8)
		return put_last(out, eight(value), width + !width);
	value %= 100000000;
	if (width <= 16) {
		out = put_last(out, eight(high), width - 8);
	} else {
		out = put_last(out, eight(high / 100000000), width - 16);
		out = put_last(out, eight(high % 100000000), 8);
	}
	return put_last(out, eight(value), 8);
}

char *digits_put_padded(char *out, uint64_t value, unsigned int width)
{
	for (unsigned int i = width; i--; value /= 10)
		out[i] = (char)('0' + value % 10);
	return out + width;
}

/* Eight characters, the first in the lowest byte, as on x86 and arm; each digit is then
 * its own value. */
static uint64_t load_eight(const char *text)
{
	uint64_t v;

	memcpy(&v, text, sizeof(v));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	v = __builtin_bswap64(v);
#endif
	return v ^ 0x3030303030303030;
}

/* The highest bit of a byte that is above 9 is set here. */
static uint64_t above_nine(uint64_t v)
{
	return v | (v + 0x7676767676767676);
}

#define HIGH_BITS 0x8080808080808080u

/* Digits to pairs in every other byte; then each pair times its weight, two of them by
 * one multiplication, into the upper half. */
static uint64_t join_eight(uint64_t v)
{
	v = v * 10 + (v >> 8);
	return ((v & 0x000000ff000000ff) * (100 + (1000000ULL << 32)) +
		((v >> 16) & 0x000000ff000000ff) * (1 + (10000ULL << 32))) >> 32;
}

static bool get_eight(const char *text, uint64_t *value)
{
	uint64_t v = load_eight(text);

	if (above_nine(v) & HIGH_BITS)
		return false;
	*value = *value * 100000000 + join_eight(v);
	return true;
}

/* The same twice. */
/* DIGITS_PLAIN: for the test of what other machines have. */
#if defined(__SSE2__) && defined(__x86_64__) && !defined(DIGITS_PLAIN)
static inline bool get_sixteen(const char *text, uint64_t *value)
{
	const __m128i weigh_pairs = _mm_set1_epi32(100 | 1 << 16);
	const __m128i weigh_fours = _mm_set1_epi32(10000 | 1 << 16);
	__m128i v = _mm_xor_si128(_mm_loadu_si128((const __m128i *)text), _mm_set1_epi8('0'));
	__m128i above = _mm_subs_epu8(v, _mm_set1_epi8(9));
	uint64_t both;

	if (_mm_movemask_epi8(_mm_cmpeq_epi8(above, _mm_setzero_si128())) != 0xffff)
		return false;
	v = _mm_srli_epi16(_mm_mullo_epi16(v, _mm_set1_epi16(10 * 256 + 1)), 8);
	v = _mm_madd_epi16(v, weigh_pairs);
	v = _mm_madd_epi16(_mm_packs_epi32(v, v), weigh_fours);
	both = (uint64_t)_mm_cvtsi128_si64(v);
	*value = (both & 0xffffffff) * 100000000 + (both >> 32);
	return true;
}
#else
static inline bool get_sixteen(const char *text, uint64_t *value)
{
	uint64_t high = load_eight(text), low = load_eight(text + 8);

	if ((above_nine(high) | above_nine(low)) & HIGH_BITS)
		return false;
	*value = join_eight(high) * 100000000 + join_eight(low);
	return true;
}
#endif

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
	uint64_t v, high = 0;

	/* As above; only a number of twenty digits comes near the limit. */
	if (len - 1 > DIGITS_MAX - 2)
		return digits_get(text, len, value);
	if (!get_sixteen(end - 16, &v))
		return false;
	if (len > 16) {
		if (!get_eight(end - 24, &high))
			return false;
		v += high * 10000000000000000;
	}
	*value = v;
	return true;
}

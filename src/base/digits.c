// SPDX-License-Identifier: LGPL-2.1-or-later
#include "base/digits.h"

#include <string.h>

/* Pairs of digits: half the divisions of one digit at a time. */
static const char pairs[201] = "00010203040506070809"
			       "10111213141516171819"
			       "20212223242526272829"
			       "30313233343536373839"
			       "40414243444546474849"
			       "50515253545556575859"
			       "60616263646566676869"
			       "70717273747576777879"
			       "80818283848586878889"
			       "90919293949596979899";

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

static void put_fixed(char *out, uint64_t value, unsigned int width)
{
	while (width >= 2) {
		width -= 2;
		memcpy(out + width, pairs + value % 100 * 2, 2);
		value /= 100;
	}
	if (width)
		out[0] = (char)('0' + value % 10);
}

char *digits_put(char *out, uint64_t value)
{
	unsigned int width = count_digits(value);

	if (!width)
		width = 1;
	put_fixed(out, value, width);
	return out + width;
}

char *digits_put_padded(char *out, uint64_t value, unsigned int width)
{
	put_fixed(out, value, width);
	return out + width;
}

bool digits_get(const char *text, size_t len, uint64_t *value)
{
	uint64_t v = 0;

	if (len == 0)
		return false;
	/* Zeros in front are not digits that count. */
	while (len > 1 && *text == '0') {
		text++;
		len--;
	}
	if (len > DIGITS_MAX)
		return false;
	for (size_t i = 0; i < len; i++) {
		unsigned int digit = (unsigned char)text[i] - (unsigned int)'0';

		if (digit > 9)
			return false;
		/* Only the twentieth digit can overflow. */
		if (i == DIGITS_MAX - 1 && (v > UINT64_MAX / 10 || v * 10 > UINT64_MAX - digit))
			return false;
		v = v * 10 + digit;
	}
	*value = v;
	return true;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Digits <-> uint64_t without locale, printf or allocation.
 */
#ifndef BASE_DIGITS_H
#define BASE_DIGITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The longest uint64_t: 18446744073709551615. */
#define DIGITS_MAX 20

/*
 * Write @value in decimal to @out, which has room for DIGITS_MAX bytes, all of which
 * may be written to; no terminating NUL. Returns the byte behind the last digit.
 */
char *digits_put(char *out, uint64_t value);

/* The same with leading zeros up to exactly @width digits (<= DIGITS_MAX). */
char *digits_put_padded(char *out, uint64_t value, unsigned int width);

/*
 * Read a uint64_t from the @len bytes at @text, all of which must be digits.
 * False when there is none, when something else stands there, or when the
 * number is above 2^64 - 1; *@value is then untouched.
 */
bool digits_get(const char *text, size_t len, uint64_t *value);

/*
 * The same for text with at least DIGITS_PAD zeros ('0') in front of it: a third of
 * the instructions, since no digit stands alone.
 */
#define DIGITS_PAD 24
bool digits_get_padded(const char *text, size_t len, uint64_t *value);

#endif

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A counter's text, against strtoull() as the model; and the loop's short cut against
 * the parser.
 */
#include "fuzz.h"

#include <errno.h>

#include "base/digits.h"
#include "lib/parse.h"

static int model(const char *text, size_t len, uint64_t *value)
{
	char *end;

	/* As much as is ever read: there may have been more. */
	if (len == COUNT_TEXT_SIZE)
		return 0;
	if (len && text[len - 1] == '\n')
		len--;
	if (!len || strspn(text, "0123456789") < len)
		return 0;
	errno = 0;
	*value = strtoull(text, &end, 10);
	return errno == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char padded[DIGITS_PAD + COUNT_TEXT_SIZE + 1], *text = padded + DIGITS_PAD;
	char word[MBMCAT_WORD_SIZE], digits[DIGITS_MAX];
	uint64_t value = 0, expected = 0, padded_value = 0;
	enum mbmcat_status status;
	size_t bare;

	if (size > COUNT_TEXT_SIZE)
		size = COUNT_TEXT_SIZE;
	memset(padded, '0', DIGITS_PAD);
	memcpy(text, data, size);
	text[size] = '\0';
	status = parse_count(text, size, &value, word);
	must((status == MBMCAT_OK) == model(text, size, &expected));
	must(value == (status == MBMCAT_OK ? expected : 0));
	if (status == MBMCAT_WORD)
		must(strlen(word) < sizeof(word) && !strncmp(word, text, strlen(word)));
	bare = size - (size && text[size - 1] == '\n');
	if (size < COUNT_TEXT_SIZE) {
		must(digits_get_padded(text, bare, &padded_value) == (status == MBMCAT_OK));
		must(padded_value == value);
	}
	if (status == MBMCAT_OK) {
		size_t len = (size_t)(digits_put(digits, value) - digits);
		uint64_t back;

		must(digits_get(digits, len, &back) && back == value);
	}
	return 0;
}

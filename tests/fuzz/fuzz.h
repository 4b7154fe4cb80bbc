/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What must hold whatever the input; assert() may be compiled out. */
#define must(condition)            \
	do {                       \
		if (!(condition))  \
			abort();   \
	} while (0)

/* The input with a NUL behind it, to be freed. */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	must(text);
	memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

#endif

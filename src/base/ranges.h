/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Lists of numbers as the kernel and its tools write them: 0-3,8,16-23.
 */
#ifndef BASE_RANGES_H
#define BASE_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct range {
	uint64_t first;
	uint64_t last; /* inclusive, >= first */
};

/*
 * Parse @text into a malloc()ed array of @count ranges, in the order written.
 * Returns 0, -EINVAL for anything that is no such list (blanks, signs, an
 * empty item, a range that runs backwards), or -ENOMEM.
 */
int ranges_parse(const char *text, struct range **ranges, size_t *count);

static inline bool range_has(const struct range *range, uint64_t number)
{
	return number >= range->first && number <= range->last;
}

#endif

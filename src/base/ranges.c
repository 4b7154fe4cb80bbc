// SPDX-License-Identifier: LGPL-2.1-or-later
#include "base/ranges.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/digits.h"

static int parse_one(const char *text, size_t len, struct range *range)
{
	const char *dash = memchr(text, '-', len);
	size_t first_len = dash ? (size_t)(dash - text) : len;

	if (!digits_get(text, first_len, &range->first))
		return -EINVAL;
	range->last = range->first;
	if (dash && !digits_get(dash + 1, len - first_len - 1, &range->last))
		return -EINVAL;
	return range->last < range->first ? -EINVAL : 0;
}

int ranges_parse(const char *text, struct range **ranges, size_t *count)
{
	cleanup(cleanup_free) struct range *list = NULL;
	size_t items = 1, n = 0;

	for (const char *c = text; *c; c++)
		items += *c == ',';
	list = calloc(items, sizeof(*list));
	if (!list)
		return -ENOMEM;
	for (;;) {
		size_t len = strcspn(text, ",");

		if (parse_one(text, len, &list[n++]) < 0)
			return -EINVAL;
		if (!text[len])
			break;
		text += len + 1;
	}
	*ranges = list;
	*count = n;
	list = NULL;
	return 0;
}

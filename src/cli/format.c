// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/format.h"

#include <errno.h>

const struct format_ops *const formats[] = {
	&format_table,	     &format_json,   &format_ndjson, &format_csv, &format_openmetrics,
	&format_prometheus, &format_influx, NULL,
};

const struct format_ops *format_find(const char *name)
{
	for (size_t i = 0; formats[i]; i++) {
		if (!strcmp(formats[i]->name, name))
			return formats[i];
	}
	return NULL;
}

int pieces_close(struct pieces *p)
{
	uint32_t *bigger;

	if (p->text.failed || p->text.len > UINT32_MAX)
		return -ENOMEM;
	if (!(p->n & (p->n - 1))) {
		bigger = reallocarray(p->end, p->n ? p->n * 2 : 1, sizeof(*bigger));
		if (!bigger)
			return -ENOMEM;
		p->end = bigger;
	}
	p->end[p->n++] = (uint32_t)p->text.len;
	return 0;
}

size_t pieces_longest(const struct pieces *p)
{
	size_t max = 0;

	for (size_t i = 0; i < p->n; i++) {
		if (piece_length(p, i) > max)
			max = piece_length(p, i);
	}
	return max;
}

void pieces_free(struct pieces *p)
{
	buf_free(&p->text);
	free(p->end);
	*p = (struct pieces){ 0 };
}

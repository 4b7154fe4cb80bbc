// SPDX-License-Identifier: LGPL-2.1-or-later
#include "spec.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ID_MAX   65535
#define LIST_MAX 8192

struct chunk {
	struct chunk *next;
	max_align_t data[];
};

int fail(struct err *e, int errnum, const char *fmt, ...)
{
	if (e->rc)
		return e->rc;
	e->rc = -errnum;
	size_t used = 0;
	if (e->line)
		used = (size_t)snprintf(e->buf, e->size, "line %u: ", e->line);
	if (used >= e->size)
		return e->rc;
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(e->buf + used, e->size - used, fmt, ap);
	va_end(ap);
	return e->rc;
}

void *spec_alloc(struct spec *s, size_t size)
{
	struct chunk *c = calloc(1, sizeof(*c) + size);
	if (!c) {
		fail(s->err, ENOMEM, "out of memory");
		return NULL;
	}
	c->next = s->memory;
	s->memory = c;
	return c->data;
}

/* `array` is the address of a pointer to n elements; returns a new, zeroed last element. */
void *spec_push(struct spec *s, void *array, size_t *n, size_t size)
{
	char *old;
	memcpy(&old, array, sizeof(old));
	if ((*n & (*n - 1)) == 0) {
		char *p = spec_alloc(s, (*n ? 2 * *n : 1) * size);
		if (!p)
			return NULL;
		if (*n)
			memcpy(p, old, *n * size);
		memcpy(array, &p, sizeof(p));
		old = p;
	}
	return old + (*n)++ * size;
}

char *spec_printf(struct spec *s, const char *fmt, ...)
{
	va_list ap, again;
	va_start(ap, fmt);
	va_copy(again, ap);
	const int len = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	char *p = len < 0 ? NULL : spec_alloc(s, (size_t)len + 1);
	if (p)
		vsnprintf(p, (size_t)len + 1, fmt, again);
	va_end(again);
	return p;
}

void spec_free(struct spec *s)
{
	while (s->memory) {
		struct chunk *c = s->memory;
		s->memory = c->next;
		free(c);
	}
}

static int hex(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/* p is behind the backslash; returns where to go on, NULL if it is no escape. */
static const char *escape(const char *p, const char *end, char *out)
{
	static const char from[] = "ntr\\\"#0", to[] = "\n\t\r\\\"#\0";

	if (p == end)
		return NULL;
	if (*p == 'x') {
		if (end - p < 3 || hex(p[1]) < 0 || hex(p[2]) < 0)
			return NULL;
		*out = (char)(hex(p[1]) * 16 + hex(p[2]));
		return p + 3;
	}
	const char *hit = memchr(from, *p, sizeof(from) - 1);
	if (!hit)
		return NULL;
	*out = to[hit - from];
	return p + 1;
}

static const char *one_word(struct spec *s, const char *p, const char *end, struct word *w)
{
	char *out = spec_alloc(s, (size_t)(end - p) + 1);
	bool inside = false;

	if (!out)
		return NULL;
	w->s = out;
	for (; p < end && (inside || (*p != ' ' && *p != '\t')); p++) {
		if (*p == '"') {
			inside = !inside;
			w->quoted = true;
		} else if (*p == '\\') {
			p = escape(p + 1, end, out);
			if (!p) {
				fail(s->err, EINVAL, "unknown escape");
				return NULL;
			}
			out++;
			p--;
		} else {
			*out++ = *p;
		}
	}
	if (inside) {
		fail(s->err, EINVAL, "quote is not closed");
		return NULL;
	}
	w->len = (size_t)(out - w->s);
	return p;
}

int split_words(struct spec *s, const char *line, size_t len, struct word **words, size_t *n)
{
	const char *p = line, *const end = line + len;

	*words = NULL;
	*n = 0;
	for (;;) {
		while (p < end && (*p == ' ' || *p == '\t'))
			p++;
		if (p == end || *p == '#')
			return 0;
		struct word *w = spec_push(s, words, n, sizeof(*w));
		if (!w)
			return s->err->rc;
		p = one_word(s, p, end, w);
		if (!p)
			return s->err->rc;
	}
}

static const char *digits(const char *p, unsigned max, unsigned *out)
{
	uint64_t v = 0;

	if (*p < '0' || *p > '9')
		return NULL;
	for (; *p >= '0' && *p <= '9'; p++) {
		v = v * 10 + (uint64_t)(*p - '0');
		if (v > max)
			return NULL;
	}
	*out = (unsigned)v;
	return p;
}

int parse_number(struct spec *s, const char *text, unsigned max, unsigned *out)
{
	const char *p = digits(text, max, out);
	if (!p || *p)
		return fail(s->err, EINVAL, "'%s' is no number from 0 to %u", text, max);
	return 0;
}

bool list_has(const struct list *l, unsigned v)
{
	for (size_t i = 0; i < l->n; i++) {
		if (l->v[i] == v)
			return true;
	}
	return false;
}

/* "0-7,16-23"; the order is kept, so that ids can be given in any. */
int parse_list(struct spec *s, const char *text, struct list *out)
{
	const char *p = text;

	*out = (struct list){ 0 };
	for (;;) {
		unsigned first, last;
		p = digits(p, ID_MAX, &first);
		last = first;
		if (p && *p == '-')
			p = digits(p + 1, ID_MAX, &last);
		if (!p || last < first || (*p && *p != ','))
			return fail(s->err, EINVAL, "'%s' is no list like 0-7,16-23", text);
		for (unsigned v = first; v <= last; v++) {
			if (out->n == LIST_MAX)
				return fail(s->err, EINVAL, "'%s' is too long", text);
			if (list_has(out, v))
				return fail(s->err, EINVAL, "%u twice in '%s'", v, text);
			unsigned *slot = spec_push(s, &out->v, &out->n, sizeof(*slot));
			if (!slot)
				return s->err->rc;
			*slot = v;
		}
		if (!*p)
			return 0;
		p++;
	}
}

int parse_domain(struct spec *s, const struct word *w, struct domref *out)
{
	const char *p = w->s, *colon = strchr(w->s, ':');
	unsigned sub = 0;

	*out = (struct domref){ .resource = "L3", .sub = -1 };
	if (!strcmp(p, "*") && !w->quoted) {
		out->any = true;
		return 0;
	}
	if (colon) {
		out->resource = spec_printf(s, "%.*s", (int)(colon - p), p);
		if (!out->resource)
			return s->err->rc;
		p = colon + 1;
	}
	p = digits(p, ID_MAX, &out->id);
	if (p && *p == '/') {
		p = digits(p + 1, ID_MAX, &sub);
		out->sub = (int)sub;
	}
	if (!p || *p)
		return fail(s->err, EINVAL, "'%s' is no domain like 3, 0/1 or PERF_PKG:0", w->s);
	return 0;
}

/* A name as a directory entry can have it. */
int check_name(struct spec *s, const struct word *w, const char **out)
{
	if (!w->len || w->len > 255 || strlen(w->s) != w->len || strpbrk(w->s, "/\n") ||
	    !strcmp(w->s, ".") || !strcmp(w->s, ".."))
		return fail(s->err, EINVAL, "'%s' can't be a name", w->s);
	*out = w->s;
	return 0;
}

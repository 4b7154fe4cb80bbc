// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/escape.h"

#include <stdbool.h>
#include <string.h>

static const char hex[] = "0123456789abcdef";

/*
 * Length of the well-formed UTF-8 character at @s (Unicode, table 3-7), 0 when
 * there is none. The NUL at the end is no continuation byte, so nothing behind it
 * is looked at.
 */
static size_t utf8_length(const unsigned char *s)
{
	unsigned char low = 0x80, high = 0xbf;
	size_t len;

	if (s[0] < 0x80)
		return 1;
	if (s[0] >= 0xc2 && s[0] <= 0xdf)
		len = 2;
	else if (s[0] >= 0xe0 && s[0] <= 0xef)
		len = 3;
	else if (s[0] >= 0xf0 && s[0] <= 0xf4)
		len = 4;
	else
		return 0;
	/* Overlong forms, surrogates, and what lies above U+10FFFF. */
	if (s[0] == 0xe0)
		low = 0xa0;
	else if (s[0] == 0xed)
		high = 0x9f;
	else if (s[0] == 0xf0)
		low = 0x90;
	else if (s[0] == 0xf4)
		high = 0x8f;
	for (size_t i = 1; i < len; i++) {
		if (s[i] < low || s[i] > high)
			return 0;
		low = 0x80;
		high = 0xbf;
	}
	return len;
}

static void add_hex(struct buf *out, unsigned char byte)
{
	buf_char(out, hex[byte >> 4]);
	buf_char(out, hex[byte & 15]);
}

static void add_json_ascii(struct buf *out, char c)
{
	static const char shorts[] = "b\bf\fn\nr\rt\t";

	if (c == '"' || c == '\\') {
		buf_char(out, '\\');
		buf_char(out, c);
		return;
	}
	if ((unsigned char)c >= 0x20 && c != 0x7f) {
		buf_char(out, c);
		return;
	}
	for (size_t i = 0; i < sizeof(shorts) - 1; i += 2) {
		if (shorts[i + 1] == c) {
			buf_char(out, '\\');
			buf_char(out, shorts[i]);
			return;
		}
	}
	buf_str(out, "\\u00");
	add_hex(out, (unsigned char)c);
}

static const char replacement[] = "\xef\xbf\xbd";

static void add_replaced(struct buf *out, char byte)
{
	buf_add(out, replacement, 3);
	add_hex(out, (unsigned char)byte);
}

/* One character of @text, or one byte that is part of none; the bytes used up. */
static size_t add_utf8(struct buf *out, const char *text)
{
	size_t len = utf8_length((const unsigned char *)text);

	if (len && strncmp(text, replacement, 3)) {
		buf_add(out, text, len);
		return len;
	}
	add_replaced(out, *text);
	return 1;
}

void escape_utf8(struct buf *out, const char *text)
{
	while (*text)
		text += add_utf8(out, text);
}

void escape_json(struct buf *out, const char *text)
{
	buf_char(out, '"');
	while (*text) {
		if ((unsigned char)*text < 0x80)
			add_json_ascii(out, *text++);
		else
			text += add_utf8(out, text);
	}
	buf_char(out, '"');
}

void escape_label(struct buf *out, const char *text)
{
	while (*text) {
		if (*text == '"' || *text == '\\' || *text == '\n') {
			buf_char(out, '\\');
			buf_char(out, *text == '\n' ? 'n' : *text);
			text++;
		} else {
			text += add_utf8(out, text);
		}
	}
}

/* What stands behind a backslash for it to mean something to some reader. */
static bool has_meaning(char next)
{
	return !next || strchr("\\,= \"", next);
}

void escape_tag(struct buf *out, const char *text)
{
	while (*text) {
		unsigned char c = (unsigned char)*text;

		if (c < 0x20 || c == 0x7f || (c == '\\' && has_meaning(text[1]))) {
			add_replaced(out, *text++);
		} else if (strchr(",= ", c)) {
			buf_char(out, '\\');
			buf_char(out, *text++);
		} else {
			text += add_utf8(out, text);
		}
	}
}

void escape_csv(struct buf *out, const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		buf_str(out, text);
		return;
	}
	buf_char(out, '"');
	for (; *text; text++) {
		if (*text == '"')
			buf_char(out, '"');
		buf_char(out, *text);
	}
	buf_char(out, '"');
}

void escape_text(struct buf *out, const char *text)
{
	while (*text) {
		const unsigned char *s = (const unsigned char *)text;
		size_t len = utf8_length(s);
		/* C0, DEL, and C1 (U+0080 to U+009F). */
		bool control = len == 1 ? *s < 0x20 || *s == 0x7f :
					  len == 2 && *s == 0xc2 && s[1] < 0xa0;

		if (len == 0 || control) {
			len = len ? len : 1;
			for (size_t i = 0; i < len; i++) {
				buf_str(out, "\\x");
				add_hex(out, s[i]);
			}
		} else {
			buf_add(out, text, len);
		}
		text += len;
	}
}

size_t escape_width(const char *text, size_t len)
{
	size_t width = 0;

	for (size_t i = 0; i < len; i++)
		width += ((unsigned char)text[i] & 0xc0) != 0x80;
	return width;
}

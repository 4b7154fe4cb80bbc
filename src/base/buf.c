// SPDX-License-Identifier: LGPL-2.1-or-later
#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>

bool buf_reserve(struct buf *buf, size_t more)
{
	size_t want, size;
	char *data;

	if (buf->failed)
		return false;
	if (__builtin_add_overflow(buf->len, more, &want))
		goto failed;
	if (want <= buf->size)
		return true;
	if (__builtin_add_overflow(want, want / 2, &size))
		goto failed;
	if (size < 256)
		size = 256;
	data = realloc(buf->data, size);
	if (!data)
		goto failed;
	buf->data = data;
	buf->size = size;
	return true;
failed:
	buf->failed = true;
	return false;
}

void buf_add(struct buf *buf, const void *bytes, size_t len)
{
	if (len && buf_reserve(buf, len))
		buf_put(buf, bytes, len);
}

void buf_str(struct buf *buf, const char *text)
{
	buf_add(buf, text, strlen(text));
}

void buf_char(struct buf *buf, char c)
{
	buf_add(buf, &c, 1);
}

void buf_u64(struct buf *buf, uint64_t value)
{
	if (buf_reserve(buf, DIGITS_MAX))
		buf_put_u64(buf, value);
}

void buf_printf(struct buf *buf, const char *format, ...)
{
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (len < 0 || !buf_reserve(buf, (size_t)len + 1)) {
		buf->failed = true;
		return;
	}
	va_start(args, format);
	vsnprintf(buf->data + buf->len, (size_t)len + 1, format, args);
	va_end(args);
	buf->len += (size_t)len;
}

void buf_reset(struct buf *buf)
{
	buf->len = 0;
}

void buf_free(struct buf *buf)
{
	free(buf->data);
	*buf = (struct buf){ 0 };
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A byte buffer that grows. An allocation that fails sets @failed, which stays
 * set and makes every later call a no-op: check once, at the end.
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/digits.h"

struct buf {
	char *data; /* owned; no NUL at the end */
	size_t len;
	size_t size;
	bool failed;
};

/* Make room for @more bytes; false (and @failed) when there is no memory. */
bool buf_reserve(struct buf *buf, size_t more);
void buf_add(struct buf *buf, const void *bytes, size_t len);
void buf_str(struct buf *buf, const char *text);
void buf_char(struct buf *buf, char c);
void buf_u64(struct buf *buf, uint64_t value);
void buf_printf(struct buf *buf, const char *format, ...) printf_like(2);

/* Forget the content, keep the memory. */
void buf_reset(struct buf *buf);
/* Give the memory back; the buffer is empty and usable again. */
void buf_free(struct buf *buf);

/*
 * For writers that reserved an upper bound before: append without asking.
 */
static inline void buf_put(struct buf *buf, const char *bytes, size_t len)
{
	memcpy(buf->data + buf->len, bytes, len);
	buf->len += len;
}

static inline void buf_put_u64(struct buf *buf, uint64_t value)
{
	buf->len = (size_t)(digits_put(buf->data + buf->len, value) - buf->data);
}

#endif

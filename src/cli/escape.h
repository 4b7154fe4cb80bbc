/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Names of any bytes, made fit for each kind of output. Each appends to @out.
 */
#ifndef CLI_ESCAPE_H
#define CLI_ESCAPE_H

#include "base/buf.h"

/*
 * Well-formed UTF-8. A byte that is part of no character becomes U+FFFD and the
 * byte's two hex digits; so does each byte of a U+FFFD that stands in the name
 * itself: different names stay different.
 */
void escape_utf8(struct buf *out, const char *text);

/* The same as a JSON string, with its quotes. */
void escape_json(struct buf *out, const char *text);

/* A label's value of OpenMetrics and of Prometheus' older text, without its quotes. */
void escape_label(struct buf *out, const char *text);

/*
 * A tag's value of InfluxDB's line protocol. It knows no way to write a control
 * character, nor a backslash where one has a meaning: these are U+FFFD and two hex
 * digits too.
 */
void escape_tag(struct buf *out, const char *text);

/* An RFC 4180 field, quoted where it must be; bytes as they are. */
void escape_csv(struct buf *out, const char *text);

/* For people: control characters and bytes that are no UTF-8 as \xHH. */
void escape_text(struct buf *out, const char *text);

/* Characters (not bytes) in @len bytes that escape_text() made: terminal columns
 * but for wide characters. */
size_t escape_width(const char *text, size_t len);

#endif

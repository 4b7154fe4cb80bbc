/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Where the bytes go: stdout, a file that is appended to, or a file that is there
 * whole or not at all.
 */
#ifndef CLI_SINK_H
#define CLI_SINK_H

#include <stdbool.h>
#include <stddef.h>

struct sink;

enum sink_mode {
	SINK_APPEND,
	SINK_REPLACE, /* a new file beside it, renamed over it at the end */
	SINK_REWRITE, /* the same again and again, by sink_commit() */
};

/*
 * @path: NULL for stdout. Something that is no regular file (a device, a FIFO) is
 * written to as it is, whatever the mode; a symbolic link is followed. A file that
 * another run appends to or rewrites is -EBUSY. @patient: wait for the reader of a FIFO;
 * otherwise -ENXIO when there is none. 0 or a negative errno.
 */
int sink_open(struct sink **sink, const char *path, enum sink_mode mode, bool patient);

/* The directory that needs to be written to later, or NULL. */
const char *sink_dir(const struct sink *sink);
/* For messages. */
const char *sink_name(const struct sink *sink);
/* A pipe or the like: somebody takes what is written. */
bool sink_is_read(const struct sink *sink);
/* Nothing was there before: a header is in place. */
bool sink_is_empty(const struct sink *sink);

/* What is appended to begins with these bytes, or with nothing at all. */
bool sink_begins_with(const struct sink *sink, const char *bytes, size_t len);

/* All of it, in one write(2) where the system lets it; of what fails nothing stays in a
 * file. 0 or a negative errno. */
int sink_write(struct sink *sink, const char *bytes, size_t len);

/* SINK_REPLACE, SINK_REWRITE: make what was written the file, and begin a new one with the next
 * write. Elsewhere nothing. 0 or a negative errno. */
int sink_commit(struct sink *sink);

/* The file may have been renamed (logrotate): open the name again. */
int sink_reopen(struct sink *sink);

/* @commit: make what was written since the last commit last: flush, rename. Otherwise
 * leave the old file. Frees. */
int sink_close(struct sink *sink, bool commit);

#endif

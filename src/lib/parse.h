/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Text of the kernel -> values. Pure: no I/O, no allocation, any bytes.
 */
#ifndef LIB_PARSE_H
#define LIB_PARSE_H

#include <mbmcat/mbmcat.h>

/* Longest counter text: 20 digits and a newline. One more byte than fits tells
 * that there was more. */
#define COUNT_TEXT_SIZE 32

/*
 * What the @len bytes (at most COUNT_TEXT_SIZE) of a counter file say. MBMCAT_OK
 * with the count in *@value; the status of a word the kernel is known to use;
 * MBMCAT_WORD for another word, copied to @word; MBMCAT_INVALID.
 * Only MBMCAT_OK writes *@value.
 */
enum mbmcat_status parse_count(const char *text, size_t len, uint64_t *value,
			       char word[MBMCAT_WORD_SIZE]);

/* The kernel's word, or ours, for a status below MBMCAT_WORD. */
const char *parse_status_text(enum mbmcat_status status);

/*
 * Take "mon_L3_06" apart: *@resource_len bytes at *@resource and the number,
 * which is decimal even with zeros in front. False for any other name.
 */
bool parse_domain_name(const char *name, const char **resource, size_t *resource_len,
		       uint64_t *id);

/* A file's name that can be an event's: letters, digits, _ and -. */
bool parse_event_name(const char *name);

/* As parse_domain_name() for "mon_sub_L3_01" inside a domain of that resource. */
bool parse_cluster_name(const char *name, const char *resource, int64_t *id);

/*
 * The next event name of a mon_features file: lines that name files. Advances
 * *@text; false at the end. Lines that end in _config name no event.
 */
bool parse_next_feature(const char **text, const char **name, size_t *len);

#endif

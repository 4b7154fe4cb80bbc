// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A file of bytes that may be anything -> a JSON tree of bounded size.
 */
#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "cli/bench-file.h"

struct reading {
	struct json_tokener *tokener;
	json_object *doc; /* NULL until it is complete */
	uint64_t bytes, parts, nested;
};

static void cleanup_tokener(json_tokener **tokener)
{
	if (*tokener)
		json_tokener_free(*tokener);
}

/*
 * Counted before they are parsed; those in strings count as well, which does no harm.
 * The first NUL is where the parser would stop without a word.
 */
static int count(struct reading *r, const char *bytes, size_t n, char *error)
{
	r->bytes += n;
	for (size_t i = 0; i < n; i++) {
		switch (bytes[i]) {
		case '[':
		case '{':
			r->nested++;
			break;
		case ',':
			r->parts++;
			break;
		case '\0':
			return result_fail(error, "is no JSON: a NUL at byte %llu",
					  (unsigned long long)(r->bytes - n + i));
		}
	}
	if (r->bytes > BENCH_BYTES_MAX)
		return result_fail(error, "is larger than %u MiB, the most that is read",
				  BENCH_BYTES_MAX >> 20);
	if (r->parts > BENCH_PARTS_MAX || r->nested > BENCH_NESTED_MAX)
		return result_fail(error, "has more than %u values or %u objects and arrays",
				  BENCH_PARTS_MAX, BENCH_NESTED_MAX);
	return 0;
}

static int feed(struct reading *r, const char *bytes, size_t n, char *error)
{
	uint64_t start = r->bytes;
	enum json_tokener_error state;
	size_t used = 0;
	int ret = count(r, bytes, n, error);

	if (ret < 0)
		return ret;
	if (!r->doc) {
		r->doc = json_tokener_parse_ex(r->tokener, bytes, (int)n);
		state = json_tokener_get_error(r->tokener);
		used = json_tokener_get_parse_end(r->tokener);
		if (!r->doc && state == json_tokener_continue)
			return 0;
		if (state == json_tokener_error_depth)
			return result_fail(error, "is nested more than %d deep", BENCH_DEPTH_MAX);
		if (!r->doc)
			return result_fail(error, "is no JSON: %s at byte %llu",
					  state == json_tokener_success ?
						  "null" : json_tokener_error_desc(state),
					  (unsigned long long)(start + used));
	}
	for (; used < n; used++) {
		if (!strchr(" \t\r\n", bytes[used]))
			return result_fail(error, "goes on behind its end, at byte %llu",
					  (unsigned long long)(start + used));
	}
	return 0;
}

static int read_all(int fd, struct reading *r, char *error)
{
	char bytes[65536];

	for (;;) {
		ssize_t n = read(fd, bytes, sizeof(bytes));
		int ret;

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return result_fail(error, "can't be read: %s", strerror(errno));
		if (n == 0)
			break;
		ret = feed(r, bytes, (size_t)n, error);
		if (ret < 0)
			return ret;
	}
	if (!r->bytes)
		return result_fail(error, "is empty");
	if (!r->doc)
		return result_fail(error, "ends in the middle, after %llu bytes",
				  (unsigned long long)r->bytes);
	return 0;
}

int result_json_read(const char *path, json_object **doc, char *error)
{
	/* A FIFO would wait for a writer. */
	cleanup(cleanup_fd) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	cleanup(cleanup_tokener) json_tokener *tokener = NULL;
	struct reading r = { 0 };
	struct stat st;
	int ret;

	if (fd < 0 || fstat(fd, &st) < 0)
		return result_fail(error, "can't be opened: %s", strerror(errno));
	if (!S_ISREG(st.st_mode))
		return result_fail(error, "is no regular file");
	if (st.st_size > (off_t)BENCH_BYTES_MAX)
		return result_fail(error, "is larger than %u MiB, the most that is read",
				  BENCH_BYTES_MAX >> 20);
	tokener = json_tokener_new_ex(BENCH_DEPTH_MAX);
	if (!tokener)
		return result_fail(error, "can't be read: %s", strerror(ENOMEM));
	json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_ALLOW_TRAILING_CHARS);
	r.tokener = tokener;
	ret = read_all(fd, &r, error);
	if (ret < 0)
		json_object_put(r.doc);
	else
		*doc = r.doc;
	return ret;
}

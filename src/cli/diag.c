// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/diag.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "cli/escape.h"

/* More different warnings than this are not told apart any more. */
#define SEEN_MAX 256

static bool is_quiet, is_verbose;
static bool in_progress; /* the cursor is behind a line that will be replaced */
static uint64_t seen[SEEN_MAX];
static size_t n_seen;

void diag_set_level(bool quiet, bool verbose)
{
	is_quiet = quiet;
	is_verbose = verbose;
}

bool diag_is_verbose(void)
{
	return is_verbose;
}

/* FNV-1a. */
static uint64_t hash(const char *text)
{
	uint64_t h = 14695981039346656037u;

	for (; *text; text++)
		h = (h ^ (unsigned char)*text) * 1099511628211u;
	return h;
}

static bool is_news(const char *text)
{
	uint64_t h = hash(text);

	for (size_t i = 0; i < n_seen; i++) {
		if (seen[i] == h)
			return false;
	}
	if (n_seen == SEEN_MAX)
		return false;
	seen[n_seen++] = h;
	return true;
}

/* Names in a message may hold anything; the terminal gets none of it raw. */
static void say(const char *text)
{
	struct buf line = { 0 };

	diag_progress_end();
	buf_str(&line, "mbmcat: ");
	escape_text(&line, text);
	buf_char(&line, '\n');
	if (!line.failed && write(STDERR_FILENO, line.data, line.len) < 0) {
		/* Nobody is left to tell. */
	}
	buf_free(&line);
}

#define FORMAT(text, format)                                         \
	do {                                                         \
		va_list args;                                        \
		va_start(args, format);                              \
		vsnprintf(text, sizeof(text), format, args);         \
		va_end(args);                                        \
	} while (0)

void diag_error(const char *format, ...)
{
	char text[1024];

	FORMAT(text, format);
	say(text);
}

void diag_warn(const char *format, ...)
{
	char text[1024];

	FORMAT(text, format);
	if (!is_quiet && is_news(text))
		say(text);
}

void diag_info(const char *format, ...)
{
	char text[1024];

	if (!is_verbose)
		return;
	FORMAT(text, format);
	say(text);
}

void diag_progress(const char *format, ...)
{
	char text[256];
	struct buf line = { 0 };

	if (is_quiet || !isatty(STDERR_FILENO))
		return;
	FORMAT(text, format);
	buf_printf(&line, "\r%s\033[K", text);
	if (!line.failed && write(STDERR_FILENO, line.data, line.len) < 0) {
		/* Nobody is left to tell. */
	}
	buf_free(&line);
	in_progress = true;
}

void diag_progress_end(void)
{
	static const char clear[] = "\r\033[K";

	if (in_progress && write(STDERR_FILENO, clear, sizeof(clear) - 1) < 0) {
		/* Nobody is left to tell. */
	}
	in_progress = false;
}

void diag_from_library(void *arg, enum mbmcat_log_level level, const char *text)
{
	(void)arg;
	if (level == MBMCAT_LOG_WARNING)
		diag_warn("%s", text);
	else
		diag_info("%s", text);
}

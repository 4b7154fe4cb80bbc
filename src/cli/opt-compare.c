// SPDX-License-Identifier: LGPL-2.1-or-later
#include <errno.h>
#include <string.h>

#include "cli/bench-file.h"
#include "cli/opt-rows.h"

int set_compare_format(struct options *o, const char *value)
{
	static const char *const names[] = {
		[COMPARE_AS_TEXT] = "text",
		[COMPARE_AS_JSON] = "json",
		[COMPARE_AS_CSV] = "csv",
		[COMPARE_AS_MARKDOWN] = "markdown",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!strcmp(value, names[i])) {
			o->compare.format = (enum compare_format)i;
			return 0;
		}
	}
	return opt_fail(o, "unknown format \"%s\"; there are text, json, csv, markdown", value);
}

int set_compare_metric(struct options *o, const char *value)
{
	for (int i = 0; i < METRICS; i++) {
		if (!strcmp(value, result_metric_name[i])) {
			o->compare.metric_chosen = i + 1;
			return 0;
		}
	}
	return opt_fail(o, "unknown metric \"%s\"; there are cycles, instructions, task_clock_ns, tsc, "
		       "wall_ns, switches, system_cycles",
		    value);
}

/* strtod() would ask the locale, and take "nan" and "0x1p3". */
int set_compare_limit(struct options *o, const char *value)
{
	size_t whole = strspn(value, "0123456789"), part = 0;
	const char *rest = value + whole;
	double limit = 0, scale = 1;

	if (*rest == '.')
		part = strspn(++rest, "0123456789");
	if (!whole || whole > 6 || part > 6 || (rest[-1] == '.' && !part) ||
	    (rest[part] && strcmp(rest + part, "%")))
		return opt_fail(o, "--fail-over takes a percentage such as 5%% or 2.5%%, not \"%s\"", value);
	for (size_t i = 0; i < whole; i++)
		limit = limit * 10 + (value[i] - '0');
	for (size_t i = 0; i < part; i++) {
		limit = limit * 10 + (rest[i] - '0');
		scale *= 10;
	}
	o->compare.limit = limit / scale / 100;
	o->compare.has_limit = true;
	return 0;
}

int set_compare_plot(struct options *o, const char *value)
{
	if (!*value)
		return opt_fail(o, "--plot needs the name of a file");
	o->compare.plot = value;
	return 0;
}

int parse_compare_words(struct options *o, int n, char **words)
{
	bool one_side = o->compare.same || o->compare.toggle;
	int dashes = 0, at = 0;

	if (o->help || o->version)
		return 0;
	if (o->compare.same && o->compare.toggle)
		return opt_fail(o, "--same and --toggle don't go together");
	if (o->compare.has_limit && o->compare.same)
		return opt_fail(o, "--fail-over needs two sides; --same has one");
	for (int i = 0; i < n; i++) {
		if (!strcmp(words[i], "--")) {
			dashes++;
			at = i;
		} else if (words[i][0] == '-') {
			return opt_fail(o, "options come before the files; a file of the name \"%s\" is "
				       "written ./%s",
				    words[i], words[i]);
		}
	}
	if (one_side && (dashes || !n))
		return opt_fail(o, "mbmcat compare --%s takes one list of files",
			    o->compare.same ? "same" : "toggle");
	if (!one_side && (dashes != 1 || at == 0 || at == n - 1))
		return opt_fail(o, "files before and after are parted by one \"--\": "
			       "mbmcat compare [OPTIONS] BEFORE... -- AFTER...");
	o->compare.words = words;
	o->compare.n_words = n;
	return 0;
}

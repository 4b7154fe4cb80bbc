// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The one list of options: what each is called, belongs to, and does.
 */
#include "cli/opt-rows.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

int opt_fail(struct options *o, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(o->error, sizeof(o->error), format, args);
	va_end(args);
	return -EINVAL;
}

static int set_format(struct options *o, const char *value)
{
	struct buf names = { 0 };

	o->format = format_find(value);
	if (o->format)
		return 0;
	for (size_t i = 0; formats[i]; i++)
		buf_printf(&names, "%s%s", i ? ", " : "", formats[i]->name);
	opt_fail(o, "unknown format \"%s\"; there are %.*s", value, (int)names.len, names.data);
	buf_free(&names);
	return -EINVAL;
}

static int set_json(struct options *o, const char *value)
{
	(void)value;
	return set_format(o, "json");
}

static int set_csv(struct options *o, const char *value)
{
	(void)value;
	return set_format(o, "csv");
}

static int set_group(struct options *o, const char *value)
{
	return mbmcat_wish_group(o->wish, value);
}

static int set_domains(struct options *o, const char *value)
{
	int ret = mbmcat_wish_domains(o->wish, value);

	if (ret == -EINVAL)
		return opt_fail(o, "\"%s\" is no list of domains; write it as 0-3,8 or L3:0-3,8", value);
	return ret;
}

static int set_events(struct options *o, const char *value)
{
	cleanup(cleanup_free) char *copy = strdup(value);
	char *rest = copy;
	const char *item;
	int ret = 0;

	if (!copy)
		return -ENOMEM;
	while (ret == 0 && (item = strsep(&rest, ","))) {
		if (!*item)
			return opt_fail(o, "\"%s\" is no list of events; write it as "
				       "mbm_local_bytes,mbm_total_bytes",
				    value);
		ret = mbmcat_wish_event(o->wish, item);
	}
	return ret;
}

static int set_sum(struct options *o, const char *value)
{
	(void)value;
	o->sums = true;
	mbmcat_wish_sums(o->wish, true);
	return 0;
}

static int set_output(struct options *o, const char *value)
{
	if (!*value)
		return opt_fail(o, "--output needs the name of a file");
	/* As everywhere: a single dash is stdout. */
	o->output = strcmp(value, "-") ? value : NULL;
	return 0;
}

static int set_resctrl(struct options *o, const char *value)
{
	if (!*value)
		return opt_fail(o, "--resctrl needs the name of a directory");
	o->resctrl = value;
	return 0;
}

static int set_sysroot(struct options *o, const char *value)
{
	if (!*value)
		return opt_fail(o, "--sysroot needs the name of a directory");
	o->sysroot = value;
	return 0;
}

static int set_parallel(struct options *o, const char *value)
{
	uint64_t n;

	if (!strcmp(value, "auto")) {
		o->parallel = OPT_PARALLEL_AUTO;
		return 0;
	}
	if (!digits_get(value, strlen(value), &n) || n < 1 || n > 65536)
		return opt_fail(o, "--parallel takes a number of domains from 1 to 65536, or auto, "
			       "not \"%s\"",
			    value);
	o->parallel = (unsigned int)n;
	return 0;
}

static int set_cpu(struct options *o, const char *value)
{
	static const char *const names[] = {
		[CPU_AUTO] = "auto", [CPU_FIRST] = "first", [CPU_ANY] = "any"
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!strcmp(value, names[i])) {
			o->cpu = (enum cpu_choice)i;
			return 0;
		}
	}
	return opt_fail(o, "--cpu takes first, any or auto, not \"%s\"", value);
}

static int set_color(struct options *o, const char *value)
{
	static const char *const names[] = {
		[COLOR_AUTO] = "auto", [COLOR_ALWAYS] = "always", [COLOR_NEVER] = "never"
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!strcmp(value, names[i])) {
			o->color = (enum color_choice)i;
			return 0;
		}
	}
	return opt_fail(o, "--color takes auto, always or never, not \"%s\"", value);
}

static int set_trigger(struct options *o, const char *value)
{
	static const char *const names[] = {
		[TRIGGER_STDIN] = "stdin", [TRIGGER_USR1] = "usr1", [TRIGGER_HUP] = "hup"
	};

	for (size_t i = TRIGGER_STDIN; i < ARRAY_SIZE(names); i++) {
		if (!strcmp(value, names[i])) {
			o->trigger = (enum trigger)i;
			return 0;
		}
	}
	return opt_fail(o, "--trigger takes stdin, usr1 or hup, not \"%s\"", value);
}

static int set_max_rate(struct options *o, const char *value)
{
	if (!options_size(value, &o->max_rate))
		return opt_fail(o, "--max-rate takes bytes per second such as 250G, or 0, not \"%s\"",
			    value);
	return 0;
}

#define FLAG(field) .offset = offsetof(struct options, field)

const struct option_row option_rows[] = {
	{ "format", 'f', "FORMAT", "one of those below (default: table)", FOR_DUMP,
	  .set = set_format },
	{ NULL, 'j', NULL, "the same as --format json", FOR_DUMP, .set = set_json },
	{ NULL, 'c', NULL, "the same as --format csv", FOR_DUMP, .set = set_csv },
	{ "group", 'g', "GLOB", "only groups that match; may be repeated", FOR_DUMP | FOR_BENCH,
	  .set = set_group },
	{ "domain", 'd', "LIST", "only these domains, as 0-3,8 or L3:0-3", FOR_DUMP | FOR_BENCH,
	  .set = set_domains },
	{ "event", 'e', "LIST", "only these events, by name or pattern", FOR_DUMP | FOR_BENCH,
	  .set = set_events },
	{ "sum", 0, NULL, "sum files, not the sub-NUMA clusters in them", FOR_DUMP | FOR_BENCH,
	  .set = set_sum },
	{ "rates", 'r', NULL, "bytes per second as well", FOR_DUMP, FLAG(rates) },
	{ "max-rate", 0, "BYTES", "no rate above this is believed (default: 2T)", FOR_DUMP,
	  .set = set_max_rate },
	{ "output", 'o', "FILE", "write FILE whole; append with INTERVAL", FOR_DUMP,
	  .set = set_output },
	{ "replace", 0, NULL, "with INTERVAL: rewrite FILE whole every time", FOR_DUMP,
	  FLAG(replace) },
	{ "trigger", 0, "WHAT", "sample at a line on stdin, at usr1 or at hup", FOR_DUMP,
	  .set = set_trigger },
	{ "no-header", 'n', NULL, "no header line in table and csv", FOR_DUMP, FLAG(no_header) },
	{ "u64-as-string", 0, NULL, "counts as strings in json and ndjson", FOR_DUMP,
	  FLAG(u64_strings) },
	{ "color", 0, "WHEN", "auto, always or never", FOR_DUMP, .set = set_color },
	{ "parallel", 0, "N", "domains read at once (default: auto)", FOR_DUMP,
	  .set = set_parallel },
	{ "cpu", 0, "WHICH", "first, any or auto CPU of a domain", FOR_DUMP, .set = set_cpu },
	{ "no-pin", 0, NULL, "let the threads run anywhere", FOR_DUMP | FOR_BENCH, FLAG(no_pin) },
	{ "strict", 0, NULL, "exit 3 if any count is missing", FOR_DUMP, FLAG(strict) },
	{ "require-local", 0, NULL, "exit 3 if any domain was read remotely", FOR_DUMP,
	  FLAG(require_local) },
	{ "json", 'j', NULL, "JSON instead of a table", FOR_LIST | FOR_BENCH, FLAG(json) },
	{ "format", 'f', "FORMAT", "text, json, csv or markdown (default: text)", FOR_COMPARE,
	  .set = set_compare_format },
	{ "output", 'o', "FILE", "write FILE, whole or not at all", FOR_COMPARE,
	  .set = set_output },
	{ "plot", 0, "FILE", "draw the points as SVG", FOR_COMPARE, .set = set_compare_plot },
	{ "metric", 0, "NAME", "compare this one, such as wall_ns", FOR_COMPARE,
	  .set = set_compare_metric },
	{ "per-domain", 0, NULL, "a row for each domain as well", FOR_COMPARE,
	  FLAG(compare.per_domain) },
	{ "fail-over", 0, "PERCENT", "exit 4 when a row costs more for certain", FOR_COMPARE,
	  .set = set_compare_limit },
	{ "same", 0, NULL, "the noise floor of one side", FOR_COMPARE, FLAG(compare.same) },
	{ "toggle", 0, NULL, "a switch off against on, in one boot", FOR_COMPARE,
	  FLAG(compare.toggle) },
	{ "force", 0, NULL, "compare what is not comparable", FOR_COMPARE, FLAG(compare.force) },
	{ "resctrl", 0, "DIR", "the mount point (default: found)", FOR_MACHINE, .set = set_resctrl },
	{ "sysroot", 0, "DIR", "look at a captured /sys and /proc", FOR_MACHINE, .set = set_sysroot },
	{ "mount", 0, NULL, "mount resctrl if it is not", FOR_MACHINE, FLAG(mount) },
	{ "quiet", 'q', NULL, "errors only on stderr", FOR_ALL, FLAG(quiet) },
	{ "verbose", 'v', NULL, "say more on stderr", FOR_ALL, FLAG(verbose) },
	{ "help", 'h', NULL, "this text", FOR_ALL, FLAG(help) },
	{ "version", 'V', NULL, "the version", FOR_ALL, FLAG(version) },
};

_Static_assert(ARRAY_SIZE(option_rows) <= OPTION_ROWS_MAX, "arrays are too small");

const size_t n_option_rows = ARRAY_SIZE(option_rows);

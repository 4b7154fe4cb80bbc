// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/opt.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>

/* Shorter, where it stands on every other line. */
#define fail options_fail

int options_fail(struct options *o, const char *format, ...)
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
	fail(o, "unknown format \"%s\"; there are %.*s", value, (int)names.len, names.data);
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
		return fail(o, "\"%s\" is no list of domains; write it as 0-3,8 or L3:0-3,8", value);
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
			return fail(o, "\"%s\" is no list of events; write it as "
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
		return fail(o, "--output needs the name of a file");
	o->output = value;
	return 0;
}

static int set_resctrl(struct options *o, const char *value)
{
	o->resctrl = value;
	return 0;
}

static int set_sysroot(struct options *o, const char *value)
{
	if (!*value)
		return fail(o, "--sysroot needs the name of a directory");
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
		return fail(o, "--parallel takes a number of domains from 1 to 65536, or auto, "
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
	return fail(o, "--cpu takes first, any or auto, not \"%s\"", value);
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
	return fail(o, "--color takes auto, always or never, not \"%s\"", value);
}

static int set_max_rate(struct options *o, const char *value)
{
	if (!options_size(value, &o->max_rate))
		return fail(o, "--max-rate takes bytes per second such as 250G, or 0, not \"%s\"",
			    value);
	return 0;
}

#define FLAG(field) .offset = offsetof(struct options, field)

static const struct option_row rows[] = {
	{ "format", 'f', "FORMAT", "table, json, ndjson or csv (default: table)", FOR_DUMP,
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
	{ "resctrl", 0, "DIR", "the mount point (default: found)", FOR_ALL, .set = set_resctrl },
	{ "sysroot", 0, "DIR", "look at a captured /sys and /proc", FOR_ALL, .set = set_sysroot },
	{ "mount", 0, NULL, "mount resctrl if it is not", FOR_ALL, FLAG(mount) },
	{ "quiet", 'q', NULL, "errors only on stderr", FOR_ALL, FLAG(quiet) },
	{ "verbose", 'v', NULL, "say more on stderr", FOR_ALL, FLAG(verbose) },
	{ "help", 'h', NULL, "this text", FOR_ALL, FLAG(help) },
	{ "version", 'V', NULL, "the version", FOR_ALL, FLAG(version) },
};

/* Row @i of all that a command may have: the shared ones, then its own. */
static const struct option_row *row_at(const struct command *command, size_t i)
{
	if (i >= ARRAY_SIZE(rows))
		return i - ARRAY_SIZE(rows) < command->n_rows ?
			       &command->rows[i - ARRAY_SIZE(rows)] :
			       NULL;
	return &rows[i];
}

static const struct command *find_command(const char *name)
{
	for (const struct command *c = commands; c->name; c++) {
		if (!strcmp(c->name, name))
			return c;
	}
	return NULL;
}

static int parse_words(struct options *o, int n, char **words)
{
	if (n > 0 && !o->command->takes_interval)
		return fail(o, "mbmcat %s takes no \"%s\"; see mbmcat %s --help", o->command->name,
			    words[0], o->command->name);
	if (n > 0 && find_command(words[0]))
		return fail(o, "a command stands first: mbmcat %s [OPTIONS]", words[0]);
	if (n > 0 && !options_interval(words[0], &o->interval_ns))
		return fail(o, "\"%s\" is neither a command nor an interval such as 1, 0.5 or 100ms",
			    words[0]);
	if (n > 1 && (!digits_get(words[1], strlen(words[1]), &o->count) || !o->count))
		return fail(o, "\"%s\" is no count; it takes a number of samples from 1",
			    words[1]);
	if (n > 2)
		return fail(o, "\"%s\" is one word too many; see mbmcat --help", words[2]);
	return 0;
}

static int set_row(struct options *o, const struct option_row *row, const char *value)
{
	if (row->set)
		return row->set(o, value);
	*(bool *)((char *)o + row->offset) = true;
	return 0;
}

/* What getopt_long() returns for row i. */
#define ROW_BASE     1000
/* Of one command. */
#define OWN_ROWS_MAX 32

static const struct option_row *row_of(int c, const struct command *command)
{
	const struct option_row *row;

	if (c >= ROW_BASE)
		return row_at(command, (size_t)(c - ROW_BASE));
	for (size_t i = 0; (row = row_at(command, i)); i++) {
		if (row->letter == c && row->commands & command->bit)
			return row;
	}
	return NULL;
}

static int parse_options(struct options *o, int argc, char **argv)
{
	struct option longs[ARRAY_SIZE(rows) + OWN_ROWS_MAX + 1] = { 0 };
	char shorts[2 * (ARRAY_SIZE(rows) + OWN_ROWS_MAX) + 2] = ":";
	const struct option_row *row;
	size_t n = 0, s = 1;
	int c, ret = 0;

	for (size_t i = 0; (row = row_at(o->command, i)); i++) {
		if (!(row->commands & o->command->bit))
			continue;
		if (row->name)
			longs[n++] = (struct option){ .name = row->name,
						      .has_arg = row->arg != NULL,
						      .val = ROW_BASE + (int)i };
		if (row->letter)
			shorts[s++] = row->letter;
		if (row->letter && row->arg)
			shorts[s++] = ':';
	}
	opterr = 0;
	optind = 0; /* begin anew */
	while (ret == 0 && (c = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		const char *given = argv[optind - 1];

		row = c == '?' || c == ':' ? NULL : row_of(c, o->command);
		if (row)
			ret = set_row(o, row, optarg);
		else if (c == ':')
			ret = fail(o, "%s needs a value; see mbmcat %s --help", given,
				   o->command->name);
		else if (optopt && optopt < ROW_BASE)
			ret = fail(o, "unknown option -%c; see mbmcat %s --help", optopt,
				   o->command->name);
		else
			ret = fail(o, "%s %s; see mbmcat %s --help",
				   optopt ? "no value goes with" : "unknown option", given,
				   o->command->name);
	}
	if (ret == 0)
		ret = parse_words(o, argc - optind, argv + optind);
	if (ret == 0 && o->command->check)
		ret = o->command->check(o);
	return ret;
}

int options_parse(int argc, char **argv, struct options *o)
{
	const struct command *named = argc > 1 ? find_command(argv[1]) : NULL;

	*o = (struct options){
		.command = named ? named : &commands[0],
		.sysroot = "",
		.format = formats[0],
		.max_rate = OPT_MAX_RATE,
		.bench = { .rounds = 100, .warmup = 5, .pace_ns = 1000000000 },
		.wish = mbmcat_wish_new(),
		.argc = argc,
		.argv = argv,
	};
	if (!o->wish)
		return -ENOMEM;
	if (!named)
		return parse_options(o, argc, argv);
	/* getopt takes the word before the options for the program's name. */
	return parse_options(o, argc - 1, argv + 1);
}

void options_free(struct options *options)
{
	mbmcat_wish_free(options->wish);
	options->wish = NULL;
}

static void help_row(const struct option_row *r, struct buf *out)
{
	char left[40], letter[4] = "   ";

	if (r->letter)
		snprintf(letter, sizeof(letter), "-%c%s", r->letter, r->name ? "," : "");
	snprintf(left, sizeof(left), "%s %s%s%s%s", letter, r->name ? "--" : "",
		 r->name ? r->name : "", r->arg ? " " : "", r->arg ? r->arg : "");
	buf_printf(out, "  %-24s %s\n", left, r->help);
}

/* A command's own rows and the shared ones that it has; NULL: those of every command. */
static void help_rows(const struct command *command, struct buf *out)
{
	unsigned int bits = command ? command->bit : FOR_ALL;

	for (size_t i = 0; command && i < command->n_rows; i++)
		help_row(&command->rows[i], out);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if ((rows[i].commands & bits) == bits)
			help_row(&rows[i], out);
	}
}

void options_help(const struct command *command, struct buf *out)
{
	if (command) {
		buf_printf(out, "Usage: mbmcat %s %s\n%s.\n\n", command->name, command->usage,
			   command->help);
		help_rows(command, out);
		buf_printf(out, "\nSee mbmcat%s%s(1).\n", command == commands ? "" : "-",
			   command == commands ? "" : command->name);
		return;
	}
	buf_str(out, "Usage: mbmcat [COMMAND] [OPTIONS] [INTERVAL [COUNT]]\n"
		     "Dump the memory-bandwidth counters of every resctrl group and L3 domain.\n\n"
		     "Commands:\n");
	for (const struct command *c = commands; c->name; c++)
		buf_printf(out, "  %-24s %s%s\n", c->name, c->help,
			   c == commands ? " (the default)" : "");
	buf_str(out, "\nINTERVAL is in seconds, or with a unit (100ms, 5m); without one there is "
		     "a\nsingle sample. Options of every command:\n\n");
	help_rows(NULL, out);
	buf_str(out, "\nEach command's own: mbmcat COMMAND --help. Manual: mbmcat(1).\n");
}

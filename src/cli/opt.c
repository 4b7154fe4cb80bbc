// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/opt.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>

#include "cli/opt-rows.h"

#define INTERVAL_MAX_NS (366ull * 24 * 3600 * 1000000000)

bool options_size(const char *text, uint64_t *size)
{
	static const char units[] = "kMGT";
	size_t len = strspn(text, "0123456789");
	const char *unit = text[len] ? strchr(units, text[len]) : NULL;
	uint64_t n;

	if (!digits_get(text, len, &n) || (text[len] && (!unit || text[len + 1])))
		return false;
	for (const char *u = units; unit && u <= unit; u++) {
		if (__builtin_mul_overflow(n, 1000, &n))
			return false;
	}
	*size = n;
	return true;
}

bool options_interval(const char *text, uint64_t *ns)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = {
		{ "", 1000000000 },   { "s", 1000000000 },     { "ms", 1000000 },
		{ "us", 1000 },	      { "m", 60000000000 },    { "min", 60000000000 },
		{ "h", 3600000000000 }, { "d", 86400000000000 },
	};
	size_t whole = strspn(text, "0123456789");
	const char *fraction = text[whole] == '.' ? text + whole + 1 : "";
	size_t digits = strspn(fraction, "0123456789");
	const char *unit = text[whole] == '.' ? fraction + digits : text + whole;
	uint64_t n = 0, part = 0, scale = 1;

	/* More than nine digits behind the point can't matter, and would not fit. */
	if (whole + digits == 0 || digits > 9 || (whole && !digits_get(text, whole, &n)) ||
	    (digits && !digits_get(fraction, digits, &part)))
		return false;
	for (size_t i = 0; i < digits; i++)
		scale *= 10;
	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		if (strcmp(unit, units[i].name))
			continue;
		if (n > INTERVAL_MAX_NS / units[i].ns)
			return false;
		*ns = n * units[i].ns +
		      (uint64_t)((unsigned __int128)part * units[i].ns / scale);
		return *ns > 0 && *ns <= INTERVAL_MAX_NS;
	}
	return false;
}

/* Row @i of all that a command may have: the shared ones, then its own. */
static const struct option_row *row_at(const struct command *command, size_t i)
{
	if (i < n_option_rows)
		return &option_rows[i];
	return i - n_option_rows < command->n_rows ? &command->rows[i - n_option_rows] : NULL;
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
		return opt_fail(o, "mbmcat %s takes no \"%s\"; see mbmcat %s --help", o->command->name,
			    words[0], o->command->name);
	if (n > 0 && find_command(words[0]))
		return opt_fail(o, "a command stands first: mbmcat %s [OPTIONS]", words[0]);
	if (n > 0 && o->trigger != TRIGGER_TIMER)
		return opt_fail(o, "no interval goes with --trigger, but \"%s\" is given",
				words[0]);
	if (n > 0 && !options_interval(words[0], &o->interval_ns))
		return opt_fail(o, "\"%s\" is neither a command (see mbmcat --help) nor an interval such as "
			       "1, 0.5 or 100ms",
			    words[0]);
	if (n > 1 && (!digits_get(words[1], strlen(words[1]), &o->count) || !o->count))
		return opt_fail(o, "\"%s\" is no count; it takes a number of samples from 1",
			    words[1]);
	if (n > 2)
		return opt_fail(o, "\"%s\" is one word too many; see mbmcat --help", words[2]);
	return 0;
}

/* What needs something else beside it. */
static int check_together(struct options *o)
{
	if (o->replace && (!o->output || !options_repeat(o)))
		return opt_fail(o, "--replace needs --output, and an interval or --trigger");
	if (o->format->is_alone && o->output && options_repeat(o) && !o->replace)
		return opt_fail(o, "a file in format %s holds one sample: add --replace",
				o->format->name);
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
#define ROW_BASE 1000

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
	struct option longs[OPTION_ROWS_MAX + 1] = { 0 };
	char shorts[2 * OPTION_ROWS_MAX + 3] = "+:";
	/* Operands may hold a "--" of their own: getopt must not sort it away. */
	char *const first = shorts + !o->command->parse_words;
	const struct option_row *row;
	size_t n = 0, s = 2;
	int c, ret = 0;

	for (size_t i = 0; (row = row_at(o->command, i)) && n < OPTION_ROWS_MAX; i++) {
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
	while (ret == 0 && (c = getopt_long(argc, argv, first, longs, NULL)) != -1) {
		const char *given = argv[optind - 1];

		row = c == '?' || c == ':' ? NULL : row_of(c, o->command);
		if (row)
			ret = set_row(o, row, optarg);
		else if (c == ':')
			ret = opt_fail(o, "%s needs a value; see mbmcat %s --help", given,
				   o->command->name);
		else if (optopt && optopt < ROW_BASE)
			ret = opt_fail(o, "unknown option -%c; see mbmcat %s --help", optopt,
				   o->command->name);
		else
			ret = opt_fail(o, "%s %s; see mbmcat %s --help",
				   optopt ? "no value goes with" : "unknown option", given,
				   o->command->name);
	}
	if (ret == 0 && o->command->parse_words)
		return o->command->parse_words(o, argc - optind, argv + optind);
	if (ret == 0)
		ret = parse_words(o, argc - optind, argv + optind);
	if (ret == 0)
		ret = check_together(o);
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

bool options_repeat(const struct options *o)
{
	return o->interval_ns || o->trigger != TRIGGER_TIMER;
}

void options_free(struct options *options)
{
	mbmcat_wish_free(options->wish);
	options->wish = NULL;
}

static void help_formats(struct buf *out)
{
	buf_str(out, "\nFormats:\n");
	for (size_t i = 0; formats[i]; i++)
		buf_printf(out, "  %-24s %s\n", formats[i]->name, formats[i]->help);
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
	for (size_t i = 0; i < n_option_rows; i++) {
		if ((option_rows[i].commands & bits) == bits)
			help_row(&option_rows[i], out);
	}
}

void options_help(const struct command *command, struct buf *out)
{
	if (command) {
		buf_printf(out, "Usage: mbmcat %s %s\n%s.\n\n", command->name, command->usage,
			   command->help);
		help_rows(command, out);
		if (command->bit == FOR_DUMP)
			help_formats(out);
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

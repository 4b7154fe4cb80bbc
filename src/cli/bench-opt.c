// SPDX-License-Identifier: LGPL-2.1-or-later
#include <string.h>

#include "cli/commands.h"

#define ROUNDS_MAX 1000000

static int set_number(struct options *o, const char *option, const char *value, uint64_t min,
		      uint64_t max, uint64_t *number)
{
	uint64_t n;

	if (!digits_get(value, strlen(value), &n) || n < min || n > max)
		return opt_fail(o, "%s takes a number from %llu to %llu, not \"%s\"", option,
				(unsigned long long)min, (unsigned long long)max, value);
	*number = n;
	return 0;
}

static int set_rounds(struct options *o, const char *value)
{
	return set_number(o, "--rounds", value, 1, ROUNDS_MAX, &o->bench.rounds);
}

static int set_warmup(struct options *o, const char *value)
{
	return set_number(o, "--warmup", value, 0, ROUNDS_MAX, &o->bench.warmup);
}

static int set_seed(struct options *o, const char *value)
{
	o->bench.has_seed = true;
	/* JSON readers that know only doubles must be able to repeat it. */
	return set_number(o, "--seed", value, 0, (1ull << 53) - 1, &o->bench.seed);
}

static int set_pace(struct options *o, const char *value)
{
	uint64_t zero;

	if (digits_get(value, strlen(value), &zero) && !zero) {
		o->bench.pace_ns = 0;
		return 0;
	}
	if (!options_interval(value, &o->bench.pace_ns))
		return opt_fail(o,
				"--pace takes an interval such as 1, 0.5 or 100ms, or 0, "
				"not \"%s\"",
				value);
	return 0;
}

static int set_cpu(struct options *o, const char *value)
{
	if (!strcmp(value, "first"))
		o->cpu = CPU_FIRST;
	else if (!strcmp(value, "any"))
		o->cpu = CPU_ANY;
	else
		return opt_fail(o, "--cpu takes first or any, not \"%s\"", value);
	return 0;
}

static int set_contention(struct options *o, const char *value)
{
	static const char *const names[] = {
		[CONTENTION_NONE] = "none", [CONTENTION_L2] = "l2", [CONTENTION_L3] = "l3"
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!strcmp(value, names[i])) {
			o->bench.contention = (enum contention)i;
			return 0;
		}
	}
	return opt_fail(o, "--contention takes none, l2 or l3, not \"%s\"", value);
}

static int set_command(struct options *o, const char *option, const char *value,
		       const char **command)
{
	if (!*value)
		return opt_fail(o, "%s needs a command", option);
	*command = value;
	return 0;
}

static int set_toggle_off(struct options *o, const char *value)
{
	return set_command(o, "--toggle-off", value, &o->bench.toggle_off);
}

static int set_toggle_on(struct options *o, const char *value)
{
	return set_command(o, "--toggle-on", value, &o->bench.toggle_on);
}

static int set_output(struct options *o, const char *value)
{
	if (!*value)
		return opt_fail(o, "--output needs the name of a file");
	o->output = value;
	return 0;
}

#define FLAG(field) .commands = FOR_BENCH, .offset = offsetof(struct options, bench.field)
#define TAKES(fn)   .commands = FOR_BENCH, .set = (fn)

const struct option_row bench_rows[BENCH_ROWS] = {
	{ "rounds", 0, "N", "rounds that count (default: 100)", TAKES(set_rounds) },
	{ "warmup", 0, "N", "rounds before them, kept and marked (5)", TAKES(set_warmup) },
	{ "pace", 0, "INTERVAL", "from round to round; 0: hot (default: 1s)", TAKES(set_pace) },
	{ "seed", 0, "N", "repeat an order of cells", TAKES(set_seed) },
	{ "matrix", 0, NULL, "every reader with every target", FLAG(matrix) },
	{ "cpu", 0, "WHICH", "first or any CPU of a domain (first)", TAKES(set_cpu) },
	{ "contention", 0, "WHERE", "keep caches busy: none, l2 or l3", TAKES(set_contention) },
	{ "victim", 0, NULL, "gaps that dumps tear into another program", FLAG(victim) },
	{ "toggle-off", 0, "CMD", "turns something off: A/B in one boot",
	  TAKES(set_toggle_off) },
	{ "toggle-on", 0, "CMD", "turns it on", TAKES(set_toggle_on) },
	{ "sweep-parallel", 0, NULL, "1, 2, 4 ... domains at a time", FLAG(sweep) },
	{ "output", 'o', "FILE", "the result as JSON, whole or not at all", TAKES(set_output) },
	{ "anonymize", 0, NULL, "no host, command line or boot id", FLAG(anonymize) },
};

int bench_check(struct options *o)
{
	if (!o->bench.toggle_off != !o->bench.toggle_on)
		return opt_fail(o, "--toggle-off and --toggle-on need each other");
	if (o->cpu == CPU_AUTO)
		o->cpu = CPU_FIRST;
	return 0;
}

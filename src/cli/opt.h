/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * argv -> struct options. Looks at nothing else, prints nothing, does not exit.
 */
#ifndef CLI_OPT_H
#define CLI_OPT_H

#include <mbmcat/mbmcat.h>

#include "cli/format.h"
#include "cli/opt-compare.h"
#include "host/topology.h"

#define OPT_PARALLEL_AUTO 0
#define OPT_ERROR_SIZE	  512
/* Above this no memory of today moves bytes through one domain. */
#define OPT_MAX_RATE	  2000000000000u

enum trigger { TRIGGER_TIMER, TRIGGER_STDIN, TRIGGER_USR1, TRIGGER_HUP };

enum color_choice { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

struct command;

enum contention { CONTENTION_NONE, CONTENTION_L2, CONTENTION_L3 };

struct bench_options {
	uint64_t rounds, warmup, seed;
	uint64_t pace_ns; /* 0: hot */
	enum contention contention;
	const char *toggle_off, *toggle_on; /* NULL: no toggle */
	bool matrix, victim, sweep, anonymize, has_seed;
};

struct options {
	const struct command *command;
	bool help, version;

	/* Where from. */
	const char *resctrl; /* NULL: look in the mount table */
	const char *sysroot; /* "": this machine */
	bool mount;

	/* What, and how it looks. */
	struct mbmcat_wish *wish; /* owned */
	const struct format_ops *format;
	const char *output; /* NULL: stdout */
	bool replace; /* rewrite it every sample */
	bool rates, no_header, u64_strings, sums, json;
	uint64_t max_rate; /* bytes per second and counter; 0: none */
	enum color_choice color;

	/* When and by whom. */
	uint64_t interval_ns; /* 0: one sample */
	uint64_t count;	      /* 0: for ever */
	enum trigger trigger; /* what asks for a sample */
	unsigned int parallel;
	enum cpu_choice cpu;
	bool no_pin;

	bool strict, require_local;
	bool quiet, verbose;

	struct bench_options bench;

	/* As given, for results that say how they were made. */
	int argc;
	char **argv;
	struct options_compare compare;

	char error[OPT_ERROR_SIZE];
};

/* Commands an option belongs to: bits. */
enum {
	FOR_DUMP = 1 << 0,
	FOR_LIST = 1 << 1,
	FOR_BENCH = 1 << 4,
	FOR_COMPARE = 1 << 5,
	/* Commands that look at a machine; and all. */
	FOR_MACHINE = FOR_DUMP | FOR_LIST | FOR_BENCH,
	FOR_ALL = FOR_MACHINE | FOR_COMPARE,
};

struct option_row {
	const char *name;
	char letter;	 /* 0: none */
	const char *arg; /* name of its value; NULL: a flag */
	const char *help;
	unsigned int commands;
	/* A flag sets the bool at @offset; others take their value. */
	size_t offset;
	int (*set)(struct options *options, const char *value);
};

struct command {
	const char *name;
	const char *usage; /* behind the name */
	const char *help;
	unsigned int bit;
	bool takes_interval;
	/* Options that no other command has, behind those in opt-rows.c. */
	const struct option_row *rows;
	size_t n_rows;
	/* NULL, or looks at all options together. 0 or as options_parse(). */
	int (*check)(struct options *options);
	/* Operands are its own, and options stand before them. */
	int (*parse_words)(struct options *options, int n, char **words);
	int (*run)(struct options *options);
};

/* Ended by a row without a name; the first is the default. */
extern const struct command commands[];

/*
 * 0; or -EINVAL with one line in options->error; -ENOMEM. Free in any case with
 * options_free(). Strings point into @argv.
 */
int options_parse(int argc, char **argv, struct options *options);
void options_free(struct options *options);

/* --help, for all commands or one; the text is appended to @out. */
void options_help(const struct command *command, struct buf *out);

/* More than one sample. */
bool options_repeat(const struct options *options);

/* Put one line into options->error; -EINVAL. */
int opt_fail(struct options *options, const char *format, ...) printf_like(2);

/* "1.5", "100ms": nanoseconds, not 0. */
bool options_interval(const char *text, uint64_t *ns);
/* "0", "250G": with k, M, G, T for powers of 1000. */
bool options_size(const char *text, uint64_t *size);

#endif

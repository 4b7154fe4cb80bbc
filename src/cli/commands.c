// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/commands.h"

const struct command commands[] = {
	{
		.name = "dump",
		.usage = "[OPTIONS] [INTERVAL [COUNT]]",
		.help = "dump the counters",
		.bit = FOR_DUMP,
		.takes_interval = true,
		.run = cmd_dump,
	},
	{
		.name = "list",
		.usage = "[OPTIONS]",
		.help = "list groups, domains, events and limits",
		.bit = FOR_LIST,
		.run = cmd_list,
	},
	{
		.name = "bench",
		.usage = "[OPTIONS]",
		.help = "measure what a dump costs, domain by domain",
		.bit = FOR_BENCH,
		.rows = bench_rows,
		.n_rows = BENCH_ROWS,
		.check = bench_check,
		.run = cmd_bench,
	},
	{
		.name = "compare",
		.usage = "[OPTIONS] BEFORE... -- AFTER...",
		.help = "compare two sets of bench results",
		.bit = FOR_COMPARE,
		.parse_words = parse_compare_words,
		.run = cmd_compare,
	},
	{ 0 },
};

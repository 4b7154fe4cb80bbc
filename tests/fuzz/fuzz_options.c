// SPDX-License-Identifier: LGPL-2.1-or-later
/* Words of a command line, one per line of the input. */
#include "fuzz.h"

#include <errno.h>

#include "cli/opt.h"

#define WORDS_MAX 16

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size), *rest = text, *word;
	char name[] = "mbmcat", *argv[WORDS_MAX + 1] = { name };
	struct options options;
	int argc = 1, ret;

	while (argc < WORDS_MAX && (word = strsep(&rest, "\n")))
		argv[argc++] = word;
	ret = options_parse(argc, argv, &options);
	must(ret == 0 || ret == -EINVAL);
	if (ret == 0)
		must(options.command && options.format && !options.error[0]);
	else
		must(options.error[0] && strlen(options.error) < OPT_ERROR_SIZE);
	options_free(&options);
	free(text);
	return 0;
}

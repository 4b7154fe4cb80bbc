// SPDX-License-Identifier: LGPL-2.1-or-later
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "cli/diag.h"
#include "cli/opt.h"

/*
 * A caller may have closed one of the three: without this the next file opened
 * would take its place, and counters would be taken for output. What stands there
 * instead can't be written to (0, 1), so that using it is an error.
 */
static void fill_standard_fds(void)
{
	for (int fd = 0; fd <= 2; fd++) {
		if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF)
			continue;
		if (open("/dev/null", fd == 2 ? O_WRONLY : O_RDONLY) < 0)
			return;
	}
}

static int print(const struct buf *text)
{
	size_t done = 0;

	while (!text->failed && done < text->len) {
		ssize_t n = write(STDOUT_FILENO, text->data + done, text->len - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno != EPIPE)
			diag_error("can't write to standard output: %s", strerror(errno));
		if (n < 0)
			return EXIT_NOTHING;
		done += (size_t)n;
	}
	return EXIT_DONE;
}

static int help_or_version(const struct options *o, bool command_named)
{
	struct buf text = { 0 };
	int code;

	if (o->version)
		buf_printf(&text, "mbmcat %s\n", mbmcat_version());
	else
		options_help(command_named ? o->command : NULL, &text);
	code = print(&text);
	buf_free(&text);
	return code;
}

int main(int argc, char **argv)
{
	struct options options;
	int ret, code;

	fill_standard_fds();
	ret = options_parse(argc, argv, &options);
	diag_set_level(options.quiet, options.verbose);
	if (ret == -EINVAL)
		diag_error("%s", options.error);
	else if (ret < 0)
		diag_error("%s", strerror(-ret));
	if (ret < 0)
		code = ret == -EINVAL ? EXIT_USAGE : EXIT_NOTHING;
	else if (options.help || options.version)
		code = help_or_version(&options, argc > 1 && argv[1][0] != '-');
	else
		code = options.command->run(&options);
	options_free(&options);
	return code;
}

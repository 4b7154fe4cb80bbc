// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * fresh COMMAND...: a shell without job control starts background commands with
 * SIGINT ignored, which a program may well respect. This gives it back.
 */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	execvp(argv[1], argv + 1);
	perror(argv[1]);
	return 127;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * timed COMMAND...: how long it took, from fork to wait, as a line on stderr: in
 * nanoseconds, which are instructions of all CPUs together under -icount shift=0. Its
 * output goes to /dev/null.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

int main(int argc, char **argv)
{
	uint64_t start = now_ns();
	int status;
	pid_t pid;

	if (argc < 2)
		return 2;
	pid = fork();
	if (pid == 0) {
		int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

		dup2(null, STDOUT_FILENO);
		execvp(argv[1], argv + 1);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		return 1;
	fprintf(stderr, "%llu\n", (unsigned long long)(now_ns() - start));
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * timed COMMAND...: how long it took from fork to wait and how much of that it was on a
 * CPU, as two numbers on stderr: in nanoseconds, which under -icount shift=0 are
 * instructions, the first of all CPUs together if the command does not sleep. Its
 * output goes to /dev/null.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
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
	struct rusage usage;
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
	if (pid < 0 || wait4(pid, &status, 0, &usage) < 0)
		return 1;
	fprintf(stderr, "%llu %llu\n", (unsigned long long)(now_ns() - start),
		((unsigned long long)usage.ru_utime.tv_sec + (unsigned long long)usage.ru_stime.tv_sec) *
				1000000000 +
			((unsigned long long)usage.ru_utime.tv_usec +
			 (unsigned long long)usage.ru_stime.tv_usec) * 1000);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

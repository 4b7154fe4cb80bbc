// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The bare loop that everything else is compared with: one pread per counter
 * from a pinned thread over files that stay open, nothing besides.
 *
 *	probe [-c CPU] [-n ROUNDS] [-o] [-p] FILE...
 *
 * -o opens, reads and closes each file every time; -p prints "FILE VALUE" of the
 * last round. Otherwise one JSON object. Under -icount shift=0 a nanosecond is
 * an instruction. Reads that fail or say a word are counted in "words".
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define VALUE_MAX 32

struct value {
	char text[VALUE_MAX];
	ssize_t len;
};

struct usage {
	uint64_t wall_ns;
	uint64_t cpu_ns;
	uint64_t switches;
};

static void die(const char *what)
{
	fprintf(stderr, "probe: %s: %s\n", what, strerror(errno));
	exit(1);
}

static uint64_t clock_ns(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

static struct usage usage_now(void)
{
	struct rusage ru;

	getrusage(RUSAGE_THREAD, &ru);
	return (struct usage){
		.wall_ns = clock_ns(CLOCK_MONOTONIC),
		.cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID),
		.switches = (uint64_t)(ru.ru_nvcsw + ru.ru_nivcsw),
	};
}

static void pin(unsigned int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		die("sched_setaffinity");
}

static void read_open(const int *fds, struct value *values, int count)
{
	for (int i = 0; i < count; i++)
		values[i].len = pread(fds[i], values[i].text, VALUE_MAX, 0);
}

static void read_closed(char **paths, struct value *values, int count)
{
	for (int i = 0; i < count; i++) {
		int fd = open(paths[i], O_RDONLY | O_CLOEXEC);

		values[i].len = fd < 0 ? -1 : pread(fd, values[i].text, VALUE_MAX, 0);
		if (fd >= 0)
			close(fd);
	}
}

static void open_all(char **paths, int *fds, int count)
{
	struct rlimit limit;

	if (!getrlimit(RLIMIT_NOFILE, &limit)) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
	for (int i = 0; i < count; i++) {
		fds[i] = open(paths[i], O_RDONLY | O_CLOEXEC);
		if (fds[i] < 0)
			die(paths[i]);
	}
}

static void *idle(void *arg)
{
	pause();
	return arg;
}

static bool is_number(const struct value *v)
{
	return v->len > 0 && v->text[0] >= '0' && v->text[0] <= '9';
}

static void print_values(char **paths, const struct value *values, int count)
{
	for (int i = 0; i < count; i++) {
		if (values[i].len > 0)
			printf("%s %.*s", paths[i], (int)values[i].len, values[i].text);
		else
			printf("%s -\n", paths[i]);
	}
}

static void print_usage(const struct usage *a, const struct usage *b, int cpu, long rounds,
			const struct value *values, int count)
{
	uint64_t reads = (uint64_t)rounds * (uint64_t)count;
	int words = 0;

	for (int i = 0; i < count; i++)
		words += !is_number(&values[i]);
	printf("{\"cpu\":%d,\"files\":%d,\"reads\":%llu,\"words\":%d,\"switches\":%llu,"
	       "\"wall_ns\":%llu,\"cpu_ns\":%llu}\n",
	       cpu, count, (unsigned long long)reads, words,
	       (unsigned long long)(b->switches - a->switches),
	       (unsigned long long)(b->wall_ns - a->wall_ns),
	       (unsigned long long)(b->cpu_ns - a->cpu_ns));
}

int main(int argc, char **argv)
{
	bool reopen = false, print = false, share = false;
	struct usage before, after;
	struct value *values;
	long rounds = 1;
	pthread_t thread;
	int cpu = -1;
	char **paths;
	int *fds;
	int count;
	int opt;

	while ((opt = getopt(argc, argv, "c:n:opt")) != -1) {
		switch (opt) {
		case 'c':
			cpu = atoi(optarg);
			break;
		case 'n':
			rounds = atol(optarg);
			break;
		case 'o':
			reopen = true;
			break;
		case 't':
			share = true;
			break;
		case 'p':
			print = true;
			break;
		default:
			return 2;
		}
	}
	paths = argv + optind;
	count = argc - optind;
	if (count < 1 || rounds < 1) {
		fprintf(stderr, "usage: probe [-c CPU] [-n ROUNDS] [-o] [-p] FILE...\n");
		return 2;
	}

	fds = calloc((size_t)count, sizeof(*fds));
	values = calloc((size_t)count, sizeof(*values));
	if (!fds || !values)
		die("memory");
	if (share && pthread_create(&thread, NULL, idle, NULL))
		die("pthread_create");
	if (cpu >= 0)
		pin((unsigned int)cpu);
	if (!reopen) {
		open_all(paths, fds, count);
		read_open(fds, values, count); /* the first read of a file allocates */
	}

	before = usage_now();
	for (long i = 0; i < rounds; i++) {
		if (reopen)
			read_closed(paths, values, count);
		else
			read_open(fds, values, count);
	}
	after = usage_now();

	if (print)
		print_values(paths, values, count);
	else
		print_usage(&before, &after, cpu, rounds, values, count);
	free(values);
	free(fds);
	return 0;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Parts of the tool beside their floor, for callgrind to count: only what is below
 * measured() is collected (--toggle-collect=measured).
 *
 *	inside formats			the names of the formats for programs
 *	inside count TREE		how many counters and domains it has
 *	inside loop TREE		the counter loop, once over all counters
 *	inside bare TREE		one pread for each of them
 *	inside format NAME TREE		all records of a sample
 *	inside snprintf TREE		snprintf() for each value
 */
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "cli/format.h"
#include "cli/opt.h"

struct stand {
	struct mbmcat_ctx *ctx;
	struct mbmcat_snapshot *snap;
	struct mbmcat_wish *wish;
	struct mbmcat_subset *subset;
	struct mbmcat_plan *plan;
	struct mbmcat_sample *sample;
	int *fd; /* as the plan has them */
	size_t n_fds;
	const struct format_ops *format;
	void *state;
	struct layout layout;
	struct buf out;
};

static void die(const char *what)
{
	fprintf(stderr, "inside: %s failed\n", what);
	exit(1);
}

static void read_all(struct stand *s)
{
	for (size_t i = 0; i < mbmcat_plan_domains(s->plan); i++)
		mbmcat_read(s->plan, s->sample, i);
}

static void pread_all(struct stand *s)
{
	char text[32];

	for (size_t i = 0; i < s->n_fds; i++) {
		if (pread(s->fd[i], text, sizeof(text), 0) <= 0)
			die("pread");
	}
}

static void format_all(struct stand *s)
{
	struct record r = { .seq = 7, .cpu = 1, .path = PATH_DIRECT, .sample = s->sample };

	for (size_t i = 0; i < mbmcat_plan_domains(s->plan); i++) {
		r.i = i;
		r.domain = mbmcat_plan_domain(s->plan, i);
		r.pass = mbmcat_sample_pass(s->sample, i);
		if (i == 0 && s->format->begin)
			s->format->begin(s->state, &s->layout, &r, &s->out);
		s->format->record(s->state, &s->layout, &r, &s->out);
		/* As output.c does it. */
		if (!s->format->whole_sample)
			buf_reset(&s->out);
	}
	if (s->format->end)
		s->format->end(s->state, &s->layout, &s->out);
	buf_reset(&s->out);
}

static void snprintf_all(struct stand *s)
{
	char text[32];

	for (size_t i = 0; i < mbmcat_plan_domains(s->plan); i++) {
		const struct mbmcat_pass *pass = mbmcat_sample_pass(s->sample, i);

		for (size_t slot = 0; slot < pass->n_slots; slot++) {
			if (snprintf(text, sizeof(text), "%" PRIu64, pass->value[slot]) <= 0)
				die("snprintf");
		}
	}
}

static __attribute__((noinline, noclone)) void measured(void (*work)(struct stand *),
							 struct stand *s)
{
	work(s);
	/* No tail call: callgrind has to see the return. */
	__asm__ volatile("" ::: "memory");
}

static void *idle(void *arg)
{
	pause();
	return arg;
}

/* All that are open now are the counters' or no regular files. */
static void find_fds(struct stand *s)
{
	size_t n = mbmcat_subset_counters(s->subset);
	struct stat st;

	s->fd = calloc(n, sizeof(*s->fd));
	for (int fd = STDERR_FILENO + 1; s->fd && s->n_fds < n && fd < INT_MAX; fd++) {
		if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
			s->fd[s->n_fds++] = fd;
	}
}

static void open_plan(struct stand *s, const char *tree)
{
	struct rlimit limit;
	pthread_t thread;
	char path[4096];

	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
	snprintf(path, sizeof(path), "%s/sys/fs/resctrl", tree);
	s->wish = mbmcat_wish_new();
	if (!s->wish || mbmcat_ctx_open(&s->ctx, path, MBMCAT_OPEN_ANY) < 0 ||
	    mbmcat_scan(s->ctx, &s->snap) < 0 ||
	    mbmcat_select(s->snap, s->wish, &s->subset, NULL) < 0)
		die("opening the tree");
	if (mbmcat_plan_open(s->ctx, s->subset, limit.rlim_max, &s->plan) < 0 ||
	    mbmcat_plan_reopened(s->plan) || mbmcat_sample_new(s->plan, &s->sample) < 0)
		die("opening the counters");
	find_fds(s);
	/* The tool has threads, and libc takes shortcuts where there are none. */
	if (pthread_create(&thread, NULL, idle, NULL))
		die("starting a thread");
	read_all(s);
}

static void open_format(struct stand *s, const char *name)
{
	s->format = format_find(name);
	if (!s->format)
		die("finding the format");
	s->state = calloc(1, s->format->state_size);
	s->layout = (struct layout){ .host = "host", .header = true };
	layout_init(&s->layout, s->plan);
	if (!s->state || s->format->prepare(s->state, &s->layout) < 0)
		die("preparing the format");
	format_all(s);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	struct stand s = { 0 };

	if (!strcmp(what, "formats")) {
		for (size_t i = 0; formats[i]; i++) {
			if (strcmp(formats[i]->name, "table") != 0)
				puts(formats[i]->name);
		}
		return 0;
	}
	if (argc < 3) {
		fprintf(stderr, "usage: inside formats|count|loop|bare|format NAME|snprintf TREE\n");
		return 2;
	}
	open_plan(&s, argv[argc - 1]);
	if (!strcmp(what, "count"))
		printf("%zu %zu\n", s.n_fds, mbmcat_plan_domains(s.plan));
	else if (!strcmp(what, "loop"))
		measured(read_all, &s);
	else if (!strcmp(what, "bare"))
		measured(pread_all, &s);
	else if (!strcmp(what, "snprintf"))
		measured(snprintf_all, &s);
	else if (!strcmp(what, "format") && argc == 4) {
		open_format(&s, argv[2]);
		measured(format_all, &s);
	} else
		return 2;
	/* What is left goes with the process. */
	return 0;
}

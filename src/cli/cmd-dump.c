// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * dump: the road from mount point to output, once or at an interval.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/diag.h"
#include "cli/output.h"
#include "cli/report.h"
#include "cli/sig.h"
#include "cli/timer.h"
#include "host/privilege.h"

struct dump {
	struct options *options;
	struct source source;
	struct session session;
	struct sink *sink;
	struct output *output;
	struct timer timer;
	struct verdict verdict;
	bool broken_pipe;
};

static bool wants_color(const struct options *o)
{
	const char *no_color = getenv("NO_COLOR");

	if (o->color != COLOR_AUTO)
		return o->color == COLOR_ALWAYS;
	return !o->output && (!no_color || !*no_color) && isatty(STDOUT_FILENO);
}

static int open_sink(struct dump *dump)
{
	const struct options *o = dump->options;
	int ret = sink_open(&dump->sink, o->output, o->interval_ns ? SINK_APPEND : SINK_REPLACE);

	if (ret == -EISDIR)
		diag_error("can't write %s: it is a directory; name a file", o->output);
	else if (ret < 0)
		diag_error("can't write %s: %s", o->output, strerror(-ret));
	return ret < 0 ? EXIT_NOTHING : 0;
}

static int output_failed(struct dump *dump, int error)
{
	if (error == -EPIPE) {
		/* The reader has had enough. */
		dump->broken_pipe = true;
		return 0;
	}
	if (error == -ENOMEM)
		diag_error("out of memory");
	else
		diag_error("can't write to %s: %s", sink_name(dump->sink), strerror(-error));
	return EXIT_NOTHING;
}

static void drop_privileges(const struct dump *dump)
{
	bool kept;
	int ret = privilege_drop(sink_dir(dump->sink), &kept);

	if (kept)
		diag_info("kept CAP_DAC_OVERRIDE, to write in %s", sink_dir(dump->sink));
	if (ret == -ENOTSUP)
		diag_info("built without libcap: capabilities are kept");
	else if (ret < 0)
		diag_warn("can't drop privileges: %s", strerror(-ret));
}

static int prepare(struct dump *dump)
{
	const struct options *o = dump->options;
	int ret;

	ret = source_open(&dump->source, o);
	if (ret == 0)
		ret = session_open(&dump->session, o, &dump->source, o->interval_ns != 0);
	if (ret == 0)
		ret = open_sink(dump);
	if (ret)
		return ret;
	drop_privileges(dump);
	ret = output_new(&dump->output, o, dump->sink, dump->source.host, wants_color(o));
	if (ret == 0)
		ret = output_set_plan(dump->output, dump->session.plan);
	if (ret < 0)
		return output_failed(dump, ret);
	return session_start(&dump->session);
}

/* An exit code or 0. */
static int sample(struct dump *dump, uint64_t seq)
{
	struct session *s = &dump->session;
	int ret;

	session_read(s);
	ret = output_sample(dump->output, s->gather, s->has_before ? s->before : NULL, s->now, seq,
			    dump->timer.missed);
	report_sample(s, dump->options->interval_ns != 0, &dump->verdict);
	session_swap(s);
	return ret < 0 ? output_failed(dump, ret) : 0;
}

/* The file may have been rotated. An exit code or 0. */
static int reopen(struct dump *dump)
{
	int ret = sink_reopen(dump->sink);

	if (ret < 0)
		return output_failed(dump, ret);
	output_reopened(dump->output);
	return 0;
}

/* New groups, a rotated file: what happened since the last sample. */
static int catch_up(struct dump *dump)
{
	int ret;

	if (sig_reopen()) {
		ret = reopen(dump);
		if (ret)
			return ret;
	}
	ret = session_follow(&dump->session);
	if (ret < 0)
		return -ret;
	if (ret > 0 && dump->session.plan) {
		ret = output_set_plan(dump->output, dump->session.plan);
		if (ret < 0)
			return output_failed(dump, ret);
	}
	return 0;
}

/* 1: it is time; 0: the end was asked for; or a negative exit code. */
static int wait_for_turn(struct dump *dump)
{
	int ret;

	while (!sig_stopped()) {
		ret = timer_wait(&dump->timer, sig_fd());
		if (ret < 0) {
			diag_error("the timer failed: %s", strerror(-ret));
			return -EXIT_NOTHING;
		}
		if (ret > 0)
			return 1;
		sig_take();
		if (sig_reopen()) {
			ret = reopen(dump);
			if (ret)
				return -ret;
		}
	}
	return 0;
}

static int run(struct dump *dump)
{
	const struct options *o = dump->options;
	uint64_t seq = 0;
	int ret;

	if (!o->interval_ns)
		return sample(dump, seq);
	ret = timer_start(&dump->timer, o->interval_ns);
	if (ret < 0) {
		diag_error("can't make a timer: %s", strerror(-ret));
		return EXIT_NOTHING;
	}
	while ((ret = wait_for_turn(dump)) > 0) {
		if (seq)
			ret = catch_up(dump);
		else
			ret = 0;
		if (ret == 0 && dump->session.plan)
			ret = sample(dump, seq);
		seq++;
		if (ret || dump->broken_pipe || seq == o->count)
			break;
		timer_advance(&dump->timer, timer_now());
	}
	timer_end(&dump->timer);
	return ret < 0 ? -ret : ret;
}

static int judge(const struct dump *dump)
{
	const struct options *o = dump->options;

	if (!dump->verdict.read && dump->verdict.partial) {
		diag_error("no counter could be read: %s", dump->verdict.first_failure);
		return EXIT_NOTHING;
	}
	if (o->strict && dump->verdict.partial)
		return EXIT_PARTIAL;
	if (o->require_local && dump->verdict.remote)
		return EXIT_PARTIAL;
	return EXIT_DONE;
}

int cmd_dump(struct options *options)
{
	struct dump dump = { .options = options, .timer.fd = -1 };
	int code, ret;

	ret = sig_setup(options->output && options->interval_ns);
	if (ret < 0) {
		diag_error("can't watch for signals: %s", strerror(-ret));
		return EXIT_NOTHING;
	}
	code = prepare(&dump);
	if (code == 0)
		code = run(&dump);
	if (code == 0)
		code = judge(&dump);
	output_free(dump.output);
	ret = sink_close(dump.sink, code == EXIT_DONE || code == EXIT_PARTIAL);
	if (ret < 0) {
		diag_error("can't finish %s: %s", options->output ? options->output :
							      "standard output",
			   strerror(-ret));
		code = EXIT_NOTHING;
	}
	session_close(&dump.session);
	source_close(&dump.source);
	return code;
}

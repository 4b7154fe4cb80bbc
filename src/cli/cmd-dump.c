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
#include "cli/turn.h"
#include "cli/writer.h"
#include "host/privilege.h"

/* Databases suffer above this. */
#define SERIES_MANY 5000

struct dump {
	struct options *options;
	struct source source;
	struct session session;
	struct sink *sink;
	struct output *output;
	struct writer *writer;
	struct turns turns;
	struct verdict verdict;
	bool broken_pipe;
	bool series_said;
	bool ended; /* before it began */
};

static bool wants_color(const struct options *o)
{
	const char *no_color = getenv("NO_COLOR");

	if (o->color != COLOR_AUTO)
		return o->color == COLOR_ALWAYS;
	return !o->output && (!no_color || !*no_color) && isatty(STDOUT_FILENO);
}

static int cant_write(const struct options *o, int error)
{
	if (error == -EISDIR)
		diag_error("can't write %s: it is a directory; name a file", o->output);
	else if (error == -EBUSY)
		diag_error("another run of mbmcat writes %s; end that one, or name another file",
			   o->output);
	else
		diag_error("can't write %s: %s", o->output, strerror(-error));
	return EXIT_NOTHING;
}

/* An exit code or 0. */
static int open_sink(struct dump *dump)
{
	const struct options *o = dump->options;
	enum sink_mode mode = !options_repeat(o) ? SINK_REPLACE :
			      o->replace	 ? SINK_REWRITE :
						   SINK_APPEND;
	int ret = sink_open(&dump->sink, o->output, mode, false);

	if (ret == -ENXIO) {
		diag_warn("%s has no reader yet; waiting for one", o->output);
		ret = sink_open(&dump->sink, o->output, mode, true);
		if (ret == -EINTR && sig_stopped()) {
			dump->ended = true;
			return 0;
		}
	}
	return ret < 0 ? cant_write(o, ret) : 0;
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
	else if (error == -EBUSY)
		return cant_write(dump->options, error);
	else
		diag_error("can't write to %s: %s", sink_name(dump->sink), strerror(-error));
	return EXIT_NOTHING;
}

/* What is read and written is no less right. */
static void warn_of_series(struct dump *dump)
{
	const struct mbmcat_plan *plan = dump->session.plan;
	size_t n = 2, domains = mbmcat_plan_domains(plan);

	if (!dump->options->format->is_series || dump->series_said)
		return;
	for (size_t i = 0; i < domains; i++) {
		const struct mbmcat_plan_domain *d = mbmcat_plan_domain(plan, i);

		n += 2 + d->n_groups * d->n_events * (1 + dump->options->rates);
	}
	if (n <= SERIES_MANY)
		return;
	dump->series_said = true;
	diag_warn("%zu series are many for a database; select fewer with -g, -d or -e", n);
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
		ret = session_open(&dump->session, o, &dump->source, options_repeat(o));
	if (ret == 0)
		ret = open_sink(dump);
	if (ret || dump->ended)
		return ret;
	drop_privileges(dump);
	ret = output_new(&dump->output, o, dump->sink, dump->source.host, wants_color(o));
	if (ret == 0)
		ret = output_set_plan(dump->output, dump->session.plan);
	if (ret == 0 && !output_fits(dump->output)) {
		diag_error("%s has other columns than this run would append; move it away, or ask "
			   "for the same events and options",
			   sink_name(dump->sink));
		return EXIT_NOTHING;
	}
	if (ret == 0)
		warn_of_series(dump);
	if (ret == 0)
		ret = writer_new(&dump->writer, dump->output, dump->sink);
	if (ret < 0)
		return output_failed(dump, ret);
	return session_start(&dump->session);
}

/* An exit code or 0. */
static int sample(struct dump *dump, uint64_t seq)
{
	struct session *s = &dump->session;
	struct delivery delivery = { .now = s->now, .seq = seq, .commit = dump->options->replace };
	int ret;

	session_read(s);
	delivery.before = s->has_before ? s->before : NULL;
	delivery.missed = dump->turns.timer.missed;
	report_sample(s, options_repeat(dump->options), &dump->verdict);
	ret = writer_give(dump->writer, s->gather, &delivery);
	session_swap(s);
	return ret < 0 ? output_failed(dump, ret) : 0;
}

/* What happened to groups and domains since the last sample. */
static int catch_up(struct dump *dump)
{
	int ret = session_follow(&dump->session);

	if (ret < 0)
		return -ret;
	if (ret > 0 && dump->session.plan) {
		ret = output_set_plan(dump->output, dump->session.plan);
		if (ret < 0)
			return output_failed(dump, ret);
		warn_of_series(dump);
	}
	return 0;
}

/* Nothing of what is wanted is there just now. A file that is rewritten must not keep
 * what was there before. */
static int nothing(struct dump *dump, uint64_t seq)
{
	const struct delivery delivery = { .seq = seq, .missed = dump->turns.timer.missed,
					   .commit = true };
	int ret;

	diag_warn("nothing of what was asked for is there now; waiting for it to come back");
	if (!dump->options->replace)
		return 0;
	ret = writer_give(dump->writer, NULL, &delivery);
	return ret < 0 ? output_failed(dump, ret) : 0;
}

/* One turn of a run: an exit code or 0. */
static int take_turn(struct dump *dump, uint64_t seq)
{
	int ret = seq ? catch_up(dump) : 0;

	if (ret)
		return ret;
	return dump->session.plan ? sample(dump, seq) : nothing(dump, seq);
}

/* All that was handed over is out: an exit code or 0. */
static int settle(struct dump *dump)
{
	int ret = writer_settle(dump->writer);

	return ret < 0 && !dump->broken_pipe ? output_failed(dump, ret) : 0;
}

/* The same for the session, which changes what the writer uses; an error shows again
 * at the next hand-over. */
static void settle_for_change(void *arg)
{
	struct dump *dump = arg;

	writer_settle(dump->writer);
}

static int reopen(struct dump *dump)
{
	int ret = settle(dump);

	if (ret || dump->broken_pipe)
		return ret;
	ret = sink_reopen(dump->sink);
	/* The old file is open still: better there than lost. */
	if (ret < 0)
		diag_warn("can't open %s anew: %s; going on with the file that was open",
			  sink_name(dump->sink),
			  ret == -EBUSY ? "another run writes it" : strerror(-ret));
	else
		output_restart(dump->output);
	return 0;
}

/* Until the end is asked for; an exit code or 0. */
static int follow(struct dump *dump)
{
	const uint64_t count = dump->options->count;
	uint64_t seq = 0;
	int ret, code = 0;

	while (!code && !dump->broken_pipe && (!count || seq < count)) {
		ret = turns_wait(&dump->turns);
		if (ret < 0) {
			diag_error("waiting for the next sample failed: %s", strerror(-ret));
			return EXIT_NOTHING;
		}
		if (ret == TURN_END)
			return 0;
		if (ret == TURN_REOPEN) {
			code = reopen(dump);
			continue;
		}
		code = take_turn(dump, seq++);
		turns_advance(&dump->turns);
	}
	return code;
}

static int run(struct dump *dump)
{
	int ret;

	if (!options_repeat(dump->options))
		return sample(dump, 0);
	ret = writer_start(dump->writer);
	if (ret < 0) {
		diag_error("can't start a thread: %s; raise the limit (ulimit -u, the cgroup's "
			   "pids.max)",
			   strerror(-ret));
		return EXIT_NOTHING;
	}
	dump->session.settle = settle_for_change;
	dump->session.settle_arg = dump;
	ret = turns_start(&dump->turns, dump->options);
	if (ret < 0) {
		diag_error("can't make a timer: %s", strerror(-ret));
		return EXIT_NOTHING;
	}
	dump->turns.failed = writer_error(dump->writer);
	ret = follow(dump);
	if (ret == 0)
		ret = settle(dump);
	turns_finish(&dump->turns);
	return ret;
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

static int setup_signals(const struct options *o)
{
	enum sig_use hup = SIG_USE_NONE, usr1 = SIG_USE_NONE;

	if (o->trigger == TRIGGER_HUP)
		hup = SIG_USE_TRIGGER;
	else if (o->output && options_repeat(o))
		hup = SIG_USE_REOPEN;
	if (o->trigger == TRIGGER_USR1)
		usr1 = SIG_USE_TRIGGER;
	return sig_setup(hup, usr1);
}

int cmd_dump(struct options *options)
{
	struct dump dump = { .options = options };
	int code, ret;

	ret = setup_signals(options);
	if (ret < 0) {
		diag_error("can't watch for signals: %s", strerror(-ret));
		return EXIT_NOTHING;
	}
	code = prepare(&dump);
	if (code == 0 && !dump.ended)
		code = run(&dump);
	if (code == 0 && !dump.ended)
		code = judge(&dump);
	writer_free(dump.writer);
	output_free(dump.output);
	/* A run that rewrites its file has committed every whole sample. */
	ret = sink_close(dump.sink, (code == EXIT_DONE || code == EXIT_PARTIAL) && !options->replace);
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

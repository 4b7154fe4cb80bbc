// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * bench: what a dump costs, by the very plan and read function of dump.
 */
#include <errno.h>
#include <string.h>
#include <sys/random.h>

#include "cli/bench-run.h"
#include "cli/bench-sources.h"
#include "cli/commands.h"
#include "cli/diag.h"
#include "cli/sig.h"
#include "cli/sink.h"
#include "host/privilege.h"

struct bench {
	struct options *options;
	struct source source;
	struct session session;
	struct sink *file; /* NULL: no -o */
	struct dry dry;
	struct readers *readers;
	struct load *load;
	struct bench_result result;
};

static int failed(const char *what, int error)
{
	diag_error("can't %s: %s", what, strerror(-error));
	return EXIT_NOTHING;
}

static int open_file(struct bench *b)
{
	const char *path = b->options->output;
	int ret = path ? sink_open(&b->file, path, SINK_REPLACE, true) : 0;

	if (ret == 0)
		return 0;
	diag_error("can't write %s: %s", path, strerror(-ret));
	return EXIT_NOTHING;
}

static void choose_seed(struct bench *b)
{
	if (b->options->bench.has_seed)
		return;
	if (getrandom(&b->result.seed, sizeof(b->result.seed), GRND_NONBLOCK) < 0)
		b->result.seed = b->result.time_ns;
	/* As --seed takes it. */
	b->result.seed &= (1ull << 53) - 1;
}

/* A reader that is not in its domain would stand for what it is not. */
static int leave_out_unbound(struct bench *b)
{
	struct bench_result *r = &b->result;
	size_t kept = 0;

	for (size_t i = 0; i < r->n_cells; i++) {
		const struct bench_domain *d = &r->domains[r->cells[i].reader];
		const int error = readers_bind_error(b->readers, r->cells[i].reader);

		if (error == 0)
			r->cells[kept++] = r->cells[i];
		else
			diag_warn("no reader on domain %s:%llu: can't run on its CPUs (%s): %s",
				  d->resource, (unsigned long long)d->id,
				  d->cpus ? d->cpus : "unknown", strerror(-error));
	}
	r->n_cells = kept;
	if (kept)
		return 0;
	diag_error("no reader can run in its domain; --no-pin measures from anywhere");
	return EXIT_NOTHING;
}

static void drop_privileges(const struct bench *b)
{
	bool kept;
	int ret;

	/* A command that flips something may need what root may do. */
	if (b->options->bench.toggle_on)
		return;
	ret = privilege_drop(b->file ? sink_dir(b->file) : NULL, &kept);
	if (ret == -ENOTSUP)
		diag_info("built without libcap: capabilities are kept");
	else if (ret < 0)
		diag_warn("can't drop privileges: %s", strerror(-ret));
}

/* 1, 2, 4 ... and all domains. */
static int prepare_sweep(struct bench *b)
{
	struct bench_result *r = &b->result;

	if (!b->options->bench.sweep)
		return 0;
	r->sweep = calloc(66, sizeof(*r->sweep));
	if (!r->sweep)
		return failed("sweep", -ENOMEM);
	for (size_t n = 1; n < r->n_domains; n *= 2)
		r->sweep[r->n_sweep++].parallel = n;
	r->sweep[r->n_sweep++].parallel = r->n_domains;
	return session_start(&b->session);
}

static int prepare(struct bench *b)
{
	const struct options *o = b->options;
	int ret, dry;

	ret = source_open(&b->source, o);
	if (ret == 0)
		ret = session_open(&b->session, o, &b->source, false);
	if (ret == 0)
		ret = open_file(b);
	if (ret)
		return ret;
	ret = bench_result_init(&b->result, o, &b->session);
	if (ret < 0)
		return failed("describe this machine", ret);
	choose_seed(b);
	dry = dry_open(&b->dry, b->session.plan, 0);
	if (dry < 0)
		diag_warn("no dry cell: can't make files in memory: %s", strerror(-dry));
	ret = readers_new(&b->readers, &b->session, true);
	if (ret < 0)
		return failed("start a thread for each domain", ret);
	drop_privileges(b);
	b->result.pinned = readers_are_pinned(b->readers);
	readers_sources(b->readers, &b->result.machine, b->result.sources);
	ret = bench_cells(&b->result, dry == 0);
	if (ret < 0)
		return failed("lay out the cells", ret);
	ret = leave_out_unbound(b);
	if (ret == 0)
		ret = prepare_sweep(b);
	if (ret || o->bench.contention == CONTENTION_NONE)
		return ret;
	ret = load_start(&b->load, &b->result, b->readers);
	if (ret < 0)
		return failed("keep the caches busy", ret);
	diag_info("%zu walkers keep caches busy", load_walkers(b->load));
	return 0;
}

/* What was read counts only when there was something to be read. */
static int judge(const struct bench *b)
{
	const struct session *s = &b->session;
	size_t slots = 0, read = 0, gone = 0;

	for (size_t i = 0; i < b->result.n_domains; i++) {
		const struct mbmcat_pass *pass = mbmcat_sample_pass(s->now, i);

		if (!pass->start_ns)
			continue;
		slots += pass->n_slots;
		read += pass->n_read;
		gone += pass->n_gone;
	}
	if (gone)
		diag_warn("%zu of %zu counters left while they were measured: the figures are "
			  "not those of %zu groups",
			  gone, slots, b->result.groups);
	if (slots && !read) {
		diag_error("no counter could be read: there is nothing to measure");
		return EXIT_NOTHING;
	}
	if (!gone && read < slots)
		diag_warn("%zu of %zu counters could not be read; see mbmcat dump -v", slots - read,
			  slots);
	return 0;
}

static int write_to(struct sink *sink, const struct buf *out)
{
	int ret = out->failed ? -ENOMEM : sink_write(sink, out->data, out->len);

	/* The reader has had enough. */
	return ret == -EPIPE ? 0 : ret;
}

static int print(const struct bench *b)
{
	struct buf out = { 0 }, missing = { 0 };
	struct sink *sink = NULL;
	int ret, closed;

	if (b->options->json)
		bench_json(&b->result, &out);
	else
		bench_text(&b->result, &out);
	if (b->options->json && sources_missing(b->result.sources, &missing))
		diag_warn("%.*s", (int)missing.len, missing.data);
	ret = sink_open(&sink, NULL, SINK_APPEND, true);
	if (ret == 0) {
		ret = write_to(sink, &out);
		closed = sink_close(sink, true);
		if (ret == 0)
			ret = closed;
	}
	buf_free(&out);
	buf_free(&missing);
	return ret < 0 ? failed("write to standard output", ret) : 0;
}

/* The file first: it is what the run was for. */
static int save(struct bench *b)
{
	struct buf out = { 0 };
	int ret;

	if (!b->file)
		return 0;
	bench_json(&b->result, &out);
	ret = write_to(b->file, &out);
	buf_free(&out);
	if (ret < 0) {
		sink_close(b->file, false);
	} else {
		ret = sink_close(b->file, true);
	}
	b->file = NULL;
	if (ret == 0)
		return 0;
	diag_error("can't write %s: %s", b->options->output, strerror(-ret));
	return EXIT_NOTHING;
}

int cmd_bench(struct options *options)
{
	struct bench b = { .options = options };
	int code, ret;

	ret = sig_setup(SIG_USE_NONE, SIG_USE_NONE);
	if (ret < 0)
		return failed("watch for signals", ret);
	code = prepare(&b);
	if (code == 0) {
		struct bench_run run = {
			.result = &b.result,
			.session = &b.session,
			.readers = b.readers,
			.dry = &b.dry,
			.load = b.load,
		};

		code = bench_run(&run);
	}
	load_stop(b.load);
	if (code == 0)
		code = judge(&b);
	if (code == 0) {
		b.result.has_load_after = machine_load(options->sysroot, b.result.load_after) == 0;
		code = save(&b);
	}
	if (code == 0)
		code = print(&b);
	sink_close(b.file, false);
	readers_free(b.readers);
	dry_close(&b.dry);
	bench_result_free(&b.result);
	session_close(&b.session);
	source_close(&b.source);
	return code;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * compare: two sets of bench results side by side.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/compare.h"
#include "cli/diag.h"
#include "cli/sink.h"

static int read_one(struct bench_set *sets, int s, const char *name)
{
	char error[BENCH_ERROR_SIZE];
	struct bench_file *file;

	if (bench_file_read(name, &file, error) < 0) {
		diag_error("%s %s", name, error);
		return EXIT_USAGE;
	}
	sets[s].files[sets[s].n++] = file;
	for (int k = 0; k <= s; k++) {
		for (size_t i = 0; i < sets[k].n; i++) {
			const struct bench_file *other = sets[k].files[i];

			if (other == file || !file->identity || !other->identity ||
			    strcmp(file->identity, other->identity))
				continue;
			diag_error("%s holds the same result as %s; give each once", name,
				   other->name);
			return EXIT_USAGE;
		}
	}
	return EXIT_DONE;
}

static int read_sets(const struct options *o, struct bench_set *sets)
{
	int code = EXIT_DONE;

	for (int s = 0, i = 0; s < SIDES; s++, i++) {
		sets[s].files = calloc((size_t)o->compare.n_words + 1, sizeof(struct bench_file *));
		if (!sets[s].files) {
			diag_error("%s", strerror(ENOMEM));
			return EXIT_NOTHING;
		}
		for (; i < o->compare.n_words && strcmp(o->compare.words[i], "--"); i++) {
			code = read_one(sets, s, o->compare.words[i]);
			if (code)
				return code;
		}
		if (bench_set_group(&sets[s]) < 0) {
			diag_error("%s", strerror(ENOMEM));
			return EXIT_NOTHING;
		}
	}
	return code;
}

/* True: go on. */
static bool may_compare(const struct comparison *c, const struct options *o)
{
	for (size_t i = 0; i < c->n_findings; i++) {
		const struct finding *f = &c->findings[i];
		const char *after = f->text[AFTER] ? f->text[AFTER] : f->text[BEFORE];

		if (!f->refuse)
			continue;
		if (o->compare.force)
			diag_warn("not comparable: %s: %s -> %s", f->name, f->text[BEFORE], after);
		else
			diag_error("not comparable: %s: %s -> %s", f->name, f->text[BEFORE], after);
	}
	if (c->refused && !o->compare.force)
		diag_error("nothing was compared; --force does it all the same");
	return !c->refused || o->compare.force;
}

static int write_file(const char *name, const struct buf *text)
{
	struct sink *sink;
	int ret, closed;

	ret = text->failed ? -ENOMEM : sink_open(&sink, name, SINK_REPLACE, true);
	if (ret == 0) {
		ret = sink_write(sink, text->data, text->len);
		closed = sink_close(sink, ret == 0);
		ret = ret == 0 ? closed : ret;
	}
	if (ret == 0 || ret == -EPIPE)
		return EXIT_DONE;
	diag_error("can't write %s: %s", name ? name : "standard output", strerror(-ret));
	return EXIT_NOTHING;
}

static int print(const struct comparison *c, const struct options *o)
{
	static void (*const formats_of[])(const struct comparison *, struct buf *) = {
		[COMPARE_AS_TEXT] = compare_text,
		[COMPARE_AS_JSON] = compare_json,
		[COMPARE_AS_CSV] = compare_csv,
		[COMPARE_AS_MARKDOWN] = compare_markdown,
	};
	struct buf out = { 0 };
	int code;

	formats_of[o->compare.format](c, &out);
	code = write_file(o->output, &out);
	buf_reset(&out);
	if (code == EXIT_DONE && o->compare.plot) {
		compare_plot(c, &out);
		code = write_file(o->compare.plot, &out);
	}
	buf_free(&out);
	return code;
}

/* Beyond the limit for certain: the whole interval is. */
static int check_limit(const struct comparison *c, const struct options *o)
{
	int code = EXIT_DONE;
	bool known = false;

	for (size_t i = 0; i < c->n_rows; i++) {
		const struct compare_row *row = &c->rows[i];

		known |= row->has_interval;
		if (!row->has_interval || row->low <= o->compare.limit)
			continue;
		diag_error("%s costs more by %.1f%%, at least by %.1f%%: over the limit of %.4g%%",
			   row->label, row->change * 100, row->low * 100, o->compare.limit * 100);
		code = EXIT_REGRESSION;
	}
	if (!known)
		diag_warn("--fail-over can't be judged: there is no interval with one boot on a side");
	return code;
}

static int compare(const struct options *o, struct bench_set *sets)
{
	struct compare_wish wish = {
		.mode = o->compare.same ? COMPARE_SAME :
			o->compare.toggle ? COMPARE_TOGGLE : COMPARE_SIDES,
		.metric = o->compare.metric_chosen - 1,
		.per_domain = o->compare.per_domain,
	};
	char error[BENCH_ERROR_SIZE] = "";
	struct comparison c;
	int code = EXIT_USAGE, ret;

	ret = compare_sets(&sets[BEFORE], sets[AFTER].n ? &sets[AFTER] : NULL, &wish, &c, error);
	if (ret == 0 || c.refused) {
		if (may_compare(&c, o) && ret == 0)
			code = print(&c, o);
	}
	if (ret == -EINVAL && (!c.refused || o->compare.force))
		diag_error("can't compare: %s", error);
	else if (ret < 0 && ret != -EINVAL)
		diag_error("can't compare: %s", strerror(-ret));
	if (ret < 0 && ret != -EINVAL)
		code = EXIT_NOTHING;
	if (code == EXIT_DONE && ret == 0 && o->compare.has_limit)
		code = check_limit(&c, o);
	comparison_free(&c);
	return code;
}

int cmd_compare(struct options *options)
{
	struct bench_set sets[SIDES] = { 0 };
	int code;

	signal(SIGPIPE, SIG_IGN);
	code = read_sets(options, sets);
	if (code == EXIT_DONE)
		code = compare(options, sets);
	bench_set_free(&sets[BEFORE]);
	bench_set_free(&sets[AFTER]);
	return code;
}

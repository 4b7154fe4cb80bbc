// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Results -> boots, and what tells the sides apart besides the figures.
 */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

#include "cli/compare.h"

/* Of a fact's text; a list of 32 domains with their CPUs would be a page. */
#define SHOWN 120

static struct bench_boot *find_boot(struct bench_set *set, const struct bench_file *file)
{
	for (size_t i = 0; i < set->n_boots; i++) {
		const char *id = set->boots[i].id;

		if (file->boot && id ? !strcmp(id, file->boot) : file->boot == id)
			return &set->boots[i];
	}
	return NULL;
}

int bench_set_group(struct bench_set *set)
{
	set->boots = calloc(set->n + 1, sizeof(*set->boots));
	if (!set->boots)
		return -ENOMEM;
	for (size_t i = 0; i < set->n; i++) {
		const struct bench_file *file = set->files[i];
		struct bench_boot *boot = find_boot(set, file);

		if (!boot) {
			boot = &set->boots[set->n_boots];
			boot->id = file->boot;
			boot->files = calloc(set->n, sizeof(*boot->files));
			if (!boot->files)
				return -ENOMEM;
			set->n_boots++;
		}
		boot->files[boot->n++] = file;
	}
	return 0;
}

void bench_set_free(struct bench_set *set)
{
	for (size_t i = 0; i < set->n_boots; i++)
		free(set->boots[i].files);
	for (size_t i = 0; i < set->n; i++)
		bench_file_free(set->files[i]);
	free(set->boots);
	free(set->files);
	*set = (struct bench_set){ 0 };
}

int compare_note(struct comparison *c, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	buf_str(&c->notes, text);
	buf_char(&c->notes, '\0');
	return c->notes.failed ? -ENOMEM : 0;
}

const char *compare_next_note(const struct comparison *c, const char *note)
{
	const char *next = note ? note + strlen(note) + 1 : c->notes.data;

	return next && next < c->notes.data + c->notes.len ? next : NULL;
}

static char *copy(const struct buf *text)
{
	return text->failed ? NULL : strndup(text->data ? text->data : "", text->len);
}

static int add_finding(struct comparison *c, const char *name, const struct buf *text, bool refuse)
{
	struct finding *more =
		reallocarray(c->findings, c->n_findings + 1, sizeof(*c->findings));

	if (!more)
		return -ENOMEM;
	c->findings = more;
	more += c->n_findings++;
	*more = (struct finding){ .name = strdup(name), .refuse = refuse };
	c->refused |= refuse;
	for (int s = 0; s < SIDES && text; s++) {
		if (!c->set[s])
			continue;
		more->text[s] = copy(&text[s]);
		if (!more->text[s])
			return -ENOMEM;
	}
	return more->name ? 0 : -ENOMEM;
}

static const char *fact_text(const struct bench_file *file, const char *name)
{
	for (size_t i = 0; i < file->n_facts; i++) {
		if (!strcmp(file->facts[i].name, name))
			return file->facts[i].text ? file->facts[i].text : "unknown";
	}
	return "unknown";
}

static bool is_before(const struct bench_set *set, size_t i, const char *name)
{
	for (size_t k = 0; k < i; k++) {
		if (!strcmp(fact_text(set->files[k], name), fact_text(set->files[i], name)))
			return true;
	}
	return false;
}

/* The different texts of one side, in order of appearance. */
static size_t side_texts(const struct bench_set *set, const char *name, struct buf *out)
{
	size_t different = 0;

	for (size_t i = 0; i < set->n; i++) {
		const char *text = fact_text(set->files[i], name);

		if (is_before(set, i, name))
			continue;
		if (different++)
			buf_str(out, " | ");
		if (strlen(text) > SHOWN)
			buf_printf(out, "%.*s...", SHOWN, text);
		else
			buf_str(out, text);
	}
	return different;
}

static int judge_fact(struct comparison *c, const struct result_fact *fact)
{
	struct buf text[SIDES] = { 0 };
	bool differs = false;
	int ret = 0;

	for (int s = 0; s < SIDES && c->set[s]; s++) {
		differs |= side_texts(c->set[s], fact->name, &text[s]) > 1;
		differs |= strcmp(fact_text(c->set[s]->files[0], fact->name),
				  fact_text(c->set[BEFORE]->files[0], fact->name)) != 0;
	}
	if (differs)
		ret = add_finding(c, fact->name, text, fact->rule == RULE_SAME);
	for (int s = 0; s < SIDES; s++)
		buf_free(&text[s]);
	return ret;
}

/* Names that one file has and those before it don't: mitigations come and go. */
static int judge_facts(struct comparison *c)
{
	int ret = 0;

	for (int s = 0; s < SIDES && c->set[s]; s++) {
		for (size_t i = 0; i < c->set[s]->n; i++) {
			const struct bench_file *file = c->set[s]->files[i];
			const struct bench_file *first = c->set[BEFORE]->files[0];

			for (size_t f = 0; f < file->n_facts && ret == 0; f++) {
				bool known = false;

				for (size_t k = 0; file != first && k < first->n_facts; k++)
					known |= !strcmp(first->facts[k].name,
							 file->facts[f].name);
				for (size_t k = 0; k < c->n_findings; k++)
					known |= !strcmp(c->findings[k].name,
							 file->facts[f].name);
				if (!known)
					ret = judge_fact(c, &file->facts[f]);
			}
		}
	}
	return ret;
}

static int judge_load(struct comparison *c)
{
	struct buf text[SIDES] = { 0 };
	double middle[SIDES] = { 0 };
	int ret = 0;

	for (int s = 0; s < SIDES && c->set[s]; s++) {
		double low = INFINITY, high = -INFINITY;

		for (size_t i = 0; i < c->set[s]->n; i++) {
			low = fmin(low, c->set[s]->files[i]->load);
			high = fmax(high, c->set[s]->files[i]->load);
		}
		middle[s] = (low + high) / 2;
		if (high >= low)
			buf_printf(&text[s], high > low ? "%.2f to %.2f" : "%.2f", low, high);
		else
			buf_str(&text[s], "unknown");
	}
	/* It is never quite the same. */
	if (c->set[AFTER] && fabs(middle[AFTER] - middle[BEFORE]) > 0.1)
		ret = add_finding(c, "load of the minute before", text, false);
	for (int s = 0; s < SIDES; s++)
		buf_free(&text[s]);
	return ret;
}

static int judge_boots(struct comparison *c)
{
	const struct bench_set *b = c->set[BEFORE], *a = c->set[AFTER];
	struct buf text[SIDES] = { 0 };
	int ret = 0;

	for (size_t i = 0; a && i < b->n_boots && ret == 0; i++) {
		for (size_t k = 0; k < a->n_boots && ret == 0; k++) {
			const char *id = b->boots[i].id, *other = a->boots[k].id;

			if (!id || !other || strcmp(id, other))
				continue;
			buf_str(&text[BEFORE], b->boots[i].id);
			buf_str(&text[AFTER], b->boots[i].id);
			ret = add_finding(c, "the same boot on both sides", text, true);
			buf_reset(&text[BEFORE]);
			buf_reset(&text[AFTER]);
		}
	}
	buf_free(&text[BEFORE]);
	buf_free(&text[AFTER]);
	return ret;
}

static int note_files(struct comparison *c)
{
	for (int s = 0; s < SIDES && c->set[s]; s++) {
		for (size_t i = 0; i < c->set[s]->n; i++) {
			const struct bench_file *f = c->set[s]->files[i];

			if (f->interrupted)
				compare_note(c, "%.200s was interrupted: it has the rounds that "
						"were done", f->name);
			if (!f->boot)
				compare_note(c, "%.200s names no boot: such results of a side "
						"count as one boot", f->name);
			if (f->multiplexed)
				compare_note(c, "%.200s: counters were not on all the time in %llu "
						"iterations", f->name,
					     (unsigned long long)f->multiplexed);
		}
	}
	return c->notes.failed ? -ENOMEM : 0;
}

int compare_findings(struct comparison *c)
{
	int ret = judge_facts(c);

	if (ret == 0)
		ret = judge_load(c);
	if (ret == 0)
		ret = judge_boots(c);
	return ret == 0 ? note_files(c) : ret;
}

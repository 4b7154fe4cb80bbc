// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The loop that this library exists for. Everything that can be done before or
 * after it is done there.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/digits.h"
#include "lib/dir.h"
#include "lib/internal.h"
#include "lib/parse.h"

static uint64_t now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* pread(2) or, without an fd that stays open, its three calls; bytes or -errno. */
static ssize_t reread_slot(const struct mbmcat_plan *plan, const struct plan_domain *pd,
			   size_t slot, char text[COUNT_TEXT_SIZE])
{
	char path[PATH_SIZE];
	ssize_t n;
	int fd;

	if (!plan_slot_path(plan, pd, slot, path))
		return -ENAMETOOLONG;
	fd = dir_open_file(plan->ctx->root_fd, path);
	if (fd < 0)
		return fd;
	do {
		n = dir_reread(fd, text, COUNT_TEXT_SIZE);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		n = -errno;
	close(fd);
	return n;
}

/* A word of the domain's own: few, and the same ones again and again. */
static uint8_t keep_word(struct sample_pass *pass, const char *word)
{
	for (unsigned int i = 0; i < pass->n_words; i++) {
		if (!strcmp(pass->words[i], word))
			return (uint8_t)(MBMCAT_WORD + i);
	}
	if (pass->n_words == MBMCAT_WORDS)
		return MBMCAT_INVALID;
	strcpy(pass->words[pass->n_words], word);
	return (uint8_t)(MBMCAT_WORD + pass->n_words++);
}

/* All that is no plain number. */
static __attribute__((noinline, cold)) uint8_t
odd_slot(const struct mbmcat_plan *plan, const struct plan_domain *pd, struct sample_pass *pass,
	 size_t slot, ssize_t n, char text[COUNT_TEXT_SIZE])
{
	char word[MBMCAT_WORD_SIZE];
	enum mbmcat_status status;

	if (pd->fd[slot] == FD_DEAD)
		return pd->status[slot];
	if (pd->fd[slot] == FD_REOPEN)
		n = reread_slot(plan, pd, slot, text);
	else if (n < 0)
		n = -errno;
	while (n == -EINTR && pd->fd[slot] >= 0) {
		n = dir_reread(pd->fd[slot], text, COUNT_TEXT_SIZE);
		if (n < 0)
			n = -errno;
	}
	if (n < 0)
		return (uint8_t)plan_errno_status(plan, pd, slot, (int)-n);
	pass->pub.n_read++;
	status = parse_count(text, (size_t)n, &pass->value[slot], word);
	return status == MBMCAT_WORD ? keep_word(pass, word) : (uint8_t)status;
}

void mbmcat_read(const struct mbmcat_plan *plan, struct mbmcat_sample *sample, size_t i)
{
	const struct plan_domain *pd = &plan->domains[i];
	struct sample_pass *pass = sample->passes[i];
	char padded[DIGITS_PAD + COUNT_TEXT_SIZE], *const text = padded + DIGITS_PAD;
	size_t odd = 0;

	memset(padded, '0', DIGITS_PAD);
	pass->n_words = 0;
	pass->pub.n_read = 0;
	pass->pub.n_ok = 0;
	pass->pub.n_gone = 0;
	pass->pub.time_ns = now_ns(CLOCK_REALTIME);
	pass->pub.start_ns = now_ns(CLOCK_MONOTONIC);
	for (size_t slot = 0; slot < pd->n_slots; slot++) {
		ssize_t n = -1;

		if (pd->fd[slot] >= 0)
			n = dir_reread(pd->fd[slot], text, COUNT_TEXT_SIZE);
		/* Nearly always: digits and a newline, and not all that fits. */
		if (n > 1 && n < COUNT_TEXT_SIZE && text[n - 1] == '\n' &&
		    digits_get_padded(text, (size_t)n - 1, &pass->value[slot])) {
			pass->status[slot] = MBMCAT_OK;
			continue;
		}
		pass->value[slot] = 0;
		pass->status[slot] = odd_slot(plan, pd, pass, slot, n, text);
		pass->pub.n_ok += pass->status[slot] == MBMCAT_OK;
		pass->pub.n_gone += pass->status[slot] == MBMCAT_GONE;
		odd++;
	}
	pass->pub.end_ns = now_ns(CLOCK_MONOTONIC);
	pass->pub.n_ok += pd->n_slots - odd;
	pass->pub.n_read += pd->n_slots - odd;
}

static struct sample_pass *new_pass(const struct plan_domain *pd)
{
	size_t head = (sizeof(struct sample_pass) + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
	size_t size = head + pd->n_slots * (sizeof(uint64_t) + 1);
	struct sample_pass *pass;

	/* Padded at both ends: its neighbours on the heap belong to other threads. */
	pass = aligned_alloc(CACHE_LINE, (size / CACHE_LINE + 1) * CACHE_LINE);
	if (!pass)
		return NULL;
	memset(pass, 0, sizeof(*pass));
	pass->value = (uint64_t *)((char *)pass + head);
	pass->status = (uint8_t *)(pass->value + pd->n_slots);
	memset(pass->value, 0, pd->n_slots * sizeof(uint64_t));
	memset(pass->status, MBMCAT_UNREAD, pd->n_slots);
	pass->pub.value = pass->value;
	pass->pub.status = pass->status;
	pass->pub.n_slots = pd->n_slots;
	return pass;
}

int mbmcat_sample_new(const struct mbmcat_plan *plan, struct mbmcat_sample **sample)
{
	struct mbmcat_sample *s;

	s = calloc(1, sizeof(*s) + plan->n_domains * sizeof(s->passes[0]));
	if (!s)
		return -ENOMEM;
	for (; s->n_domains < plan->n_domains; s->n_domains++) {
		s->passes[s->n_domains] = new_pass(&plan->domains[s->n_domains]);
		if (!s->passes[s->n_domains]) {
			mbmcat_sample_free(s);
			return -ENOMEM;
		}
	}
	*sample = s;
	return 0;
}

void mbmcat_sample_free(struct mbmcat_sample *sample)
{
	if (!sample)
		return;
	for (size_t i = 0; i < sample->n_domains; i++)
		free(sample->passes[i]);
	free(sample);
}

const struct mbmcat_pass *mbmcat_sample_pass(const struct mbmcat_sample *sample, size_t i)
{
	return &sample->passes[i]->pub;
}

const char *mbmcat_status_text(const struct mbmcat_sample *sample, size_t i, uint8_t status)
{
	const struct sample_pass *pass = sample->passes[i];

	if (status < MBMCAT_WORD)
		return parse_status_text((enum mbmcat_status)status);
	if (status - MBMCAT_WORD < (int)pass->n_words)
		return pass->words[status - MBMCAT_WORD];
	return parse_status_text(MBMCAT_INVALID);
}

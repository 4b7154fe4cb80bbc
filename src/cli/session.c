// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/session.h"

#include <errno.h>
#include <string.h>

#include "cli/diag.h"
#include "cli/inventory.h"
#include "cli/timer.h"
#include "host/limits.h"

/* Files that may be opened beside the counters: output, timer, a scan under way. */
#define SPARE_FDS 24
/* Groups that come faster than this many scans are for the next sample. */
#define SCANS_MAX 3
#define REBIND_EVERY_NS 1000000000u

static int out_of_memory(void)
{
	diag_error("out of memory");
	return EXIT_NOTHING;
}

/* The snapshot and the watch on what it found, in step. */
static int scan(struct session *s, bool first, struct mbmcat_snapshot **snapshot)
{
	for (int i = 0;; i++) {
		int ret = source_scan(s->source, !first, snapshot);

		if (ret || !s->watch)
			return ret;
		ret = mbmcat_watch_add(s->watch, *snapshot);
		if (ret < 0)
			diag_warn("can't watch for new groups (%s); they are found when another "
				  "one leaves",
				  strerror(-ret));
		if (ret <= 0 || i == SCANS_MAX)
			return 0;
		mbmcat_snapshot_free(*snapshot);
		*snapshot = NULL;
	}
}

static int nothing_selected(const struct mbmcat_snapshot *snapshot)
{
	struct buf events = { 0 };

	inventory_events(snapshot, &events);
	diag_error("there is no counter of the kind asked for (pseudo-locked groups have none); "
		   "events here: %.*s",
		   (int)events.len, events.len ? events.data : "");
	buf_free(&events);
	return EXIT_NOTHING;
}

static int no_match(const struct mbmcat_snapshot *snapshot, const char *pattern)
{
	struct buf text = { 0 };

	inventory_text(snapshot, &text);
	diag_error("nothing here matches \"%s\"; there are %.*s; see mbmcat list", pattern,
		   (int)text.len, text.len ? text.data : "");
	buf_free(&text);
	return EXIT_USAGE;
}

static void close_plan(struct session *s)
{
	mbmcat_sample_free(s->now);
	mbmcat_sample_free(s->before);
	mbmcat_sample_free(s->spare);
	mbmcat_plan_close(s->plan);
	s->now = s->before = s->spare = NULL;
	s->plan = NULL;
	s->has_before = false;
}

static void warn_of_limit(struct session *s, const struct mbmcat_plan *plan, size_t counters)
{
	struct fd_limits limits;

	/* Once: the numbers change with every group. */
	if (s->limit_said || !mbmcat_plan_reopened(plan))
		return;
	s->limit_said = true;
	limits_fds(&limits);
	diag_warn("%zu of %zu counters are opened for each read, which is slower: the limit is "
		  "%zu open files; raise it (ulimit -n %zu)",
		  mbmcat_plan_reopened(plan), counters, limits.soft,
		  counters + limits.open + SPARE_FDS);
}

/* What is still the same keeps its open file and its last count. */
static int open_plan(struct session *s, const struct mbmcat_subset *subset)
{
	size_t counters = mbmcat_subset_counters(subset);
	size_t fds = limits_raise_fds(SPARE_FDS);
	struct mbmcat_sample *now = NULL, *before = NULL, *spare = NULL;
	struct mbmcat_plan *plan = NULL;
	bool carried = s->has_before;
	int ret;

	if (carried)
		ret = mbmcat_plan_renew(s->source->ctx, subset, fds + mbmcat_plan_held(s->plan),
					s->plan, s->before, &plan);
	else
		ret = mbmcat_plan_open(s->source->ctx, subset, fds, &plan);
	if (ret == 0)
		ret = mbmcat_sample_new(plan, &now);
	if (ret == 0)
		ret = mbmcat_sample_new(plan, &before);
	if (ret == 0 && options_repeat(s->options))
		ret = mbmcat_sample_new(plan, &spare);
	if (ret == 0 && carried)
		ret = mbmcat_sample_carry(s->plan, s->before, plan, before);
	if (ret < 0) {
		mbmcat_sample_free(now);
		mbmcat_sample_free(before);
		mbmcat_sample_free(spare);
		mbmcat_plan_close(plan);
		return out_of_memory();
	}
	warn_of_limit(s, plan, counters);
	close_plan(s);
	s->plan = plan;
	s->now = now;
	s->before = before;
	s->spare = spare;
	s->has_before = carried;
	return 0;
}

/* The world can't be looked at now; what is open is good still. */
#define GO_ON (-1)

/* @first: a pattern that matches nothing is a mistake, not a group that left. */
static int build(struct session *s, bool first)
{
	struct mbmcat_snapshot *snapshot = NULL;
	struct mbmcat_subset *subset = NULL;
	const char *unmatched = NULL;
	int ret;

	ret = scan(s, first, &snapshot);
	if (ret)
		return first || s->source->gone || !s->gather ? ret : GO_ON;
	ret = mbmcat_select(snapshot, s->options->wish, &subset, first ? &unmatched : NULL);
	if (ret == -ENODATA && !first)
		close_plan(s);
	else if (ret == -ENODATA)
		ret = nothing_selected(snapshot);
	else if (ret == -ESRCH)
		ret = no_match(snapshot, unmatched);
	else if (ret < 0)
		ret = out_of_memory();
	else
		ret = open_plan(s, subset);
	mbmcat_subset_free(subset);
	if (ret > 0) {
		mbmcat_snapshot_free(snapshot);
		return ret;
	}
	mbmcat_snapshot_free(s->snapshot);
	s->snapshot = snapshot;
	if (mbmcat_snapshot_omitted(snapshot) > s->omitted)
		s->omitted = mbmcat_snapshot_omitted(snapshot);
	return 0;
}

int session_open(struct session *s, const struct options *options, struct source *source,
		 bool watched)
{
	int ret;

	*s = (struct session){ .options = options, .source = source };
	if (watched) {
		ret = mbmcat_watch_new(source->ctx, &s->watch);
		if (ret < 0)
			diag_warn("can't watch for new groups (%s); they are found when another "
				  "one leaves",
				  strerror(-ret));
	}
	return build(s, true);
}

void session_close(struct session *s)
{
	gather_free(s->gather);
	close_plan(s);
	mbmcat_snapshot_free(s->snapshot);
	mbmcat_watch_free(s->watch);
}

/* The threads go, and what is known of CPUs is found out anew. */
static void drop_gather(struct session *s)
{
	gather_free(s->gather);
	s->gather = NULL;
	source_look_again(s->source, s->options);
}

int session_start(struct session *s)
{
	int ret;

	if (!s->plan || (s->gather && gather_fits(s->gather, s->plan)))
		return 0;
	/* Other domains, so perhaps other CPUs. */
	if (s->gather)
		drop_gather(s);
	ret = gather_new(&s->gather, s->source->topology, s->options, s->plan);
	if (ret == -ENOMEM)
		return out_of_memory();
	if (ret < 0) {
		diag_error("can't start %zu threads, one for each domain (%s); raise the limit "
			   "(ulimit -u, the cgroup's pids.max), or select fewer with -d",
			   mbmcat_plan_domains(s->plan), strerror(-ret));
		return EXIT_NOTHING;
	}
	return 0;
}

static bool has_gone(const struct session *s)
{
	if (!s->has_before)
		return false;
	for (size_t i = 0; i < mbmcat_plan_domains(s->plan); i++) {
		if (mbmcat_sample_pass(s->before, i)->n_gone)
			return true;
	}
	return false;
}

/* A thread that was bound to its domain and is not there any more: its CPU went, and
 * the kernel moved it. */
static bool has_displaced(const struct session *s)
{
	if (!s->gather || !s->has_before || s->options->no_pin)
		return false;
	for (size_t i = 0; i < mbmcat_plan_domains(s->plan); i++) {
		const struct reading *r = gather_reading(s->gather, i);

		if (r->path == PATH_REMOTE && !r->bind_error)
			return true;
	}
	return false;
}

/* CPUs come and go, and domains with them, and nothing tells. */
static bool cpus_changed(struct session *s)
{
	uint64_t now_ns = timer_now();

	/* Not again and again, should it be of no use. */
	if (has_displaced(s) && now_ns - s->rebound_ns > REBIND_EVERY_NS) {
		s->rebound_ns = now_ns;
		drop_gather(s);
	}
	return !s->gather || mbmcat_domains_changed(s->source->ctx, s->snapshot);
}

int session_follow(struct session *s)
{
	bool changed = s->watch && mbmcat_watch_changed(s->watch);
	int ret;

	changed |= has_gone(s);
	changed |= cpus_changed(s);
	if (!changed)
		return 0;
	diag_info("groups or domains changed; looking again");
	if (s->settle)
		s->settle(s->settle_arg);
	ret = build(s, false);
	if (ret == GO_ON)
		return 0;
	if (ret == 0)
		ret = session_start(s);
	return ret ? -ret : 1;
}

void session_read(struct session *s)
{
	gather_run(s->gather, s->plan, s->now);
}

void session_swap(struct session *s)
{
	struct mbmcat_sample *last = s->before;

	s->before = s->now;
	s->now = s->spare ? s->spare : last;
	if (s->spare)
		s->spare = last;
	s->has_before = true;
}

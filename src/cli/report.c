// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/report.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/diag.h"
#include "host/cgroup.h"

static void domain_text(const struct mbmcat_domain *d, char text[64])
{
	if (d->sub_id == MBMCAT_NO_SUB)
		snprintf(text, 64, "%.24s:%llu", d->resource, (unsigned long long)d->id);
	else
		snprintf(text, 64, "%.24s:%llu/%lld", d->resource, (unsigned long long)d->id,
			 (long long)d->sub_id);
}

static void report_bind(const struct session *s, size_t i, const char *domain)
{
	const struct place *place = gather_place(s->gather, i);
	int error = gather_reading(s->gather, i)->bind_error;
	cleanup(cleanup_free) char *cpus = place ? place_cpu_list(place) : NULL;
	cleanup(cleanup_free) char *cgroup = NULL;

	if (error == -EINVAL)
		cgroup = cgroup_of(getpid(), "cpuset");
	if (!error)
		diag_info("domain %s was read from outside: the CPU of its thread is not there "
			  "any more; choosing another",
			  domain);
	else if (cgroup)
		diag_warn("domain %s is read from outside, which is slower: its CPUs (%s) are not "
			  "in the cpuset of this process's cgroup %s",
			  domain, cpus ? cpus : "unknown", cgroup);
	else
		diag_warn("domain %s is read from outside, which is slower: can't run on its CPUs "
			  "(%s): %s",
			  domain, cpus ? cpus : "unknown", strerror(-error));
}

/* What is lacking, by status; the domain and slot where it was first seen. */
struct lacks {
	size_t n[MBMCAT_WORD];
	size_t domain[MBMCAT_WORD];
	size_t slot[MBMCAT_WORD];
};

static void count_lacks(const struct mbmcat_pass *pass, size_t i, struct lacks *lacks)
{
	for (size_t slot = 0; slot < pass->n_slots; slot++) {
		uint8_t status = pass->status[slot];

		if (status == MBMCAT_OK || status >= MBMCAT_WORD)
			continue;
		if (!lacks->n[status]++) {
			lacks->domain[status] = i;
			lacks->slot[status] = slot;
		}
	}
}

/* One line for each, once in a run. */
static void report_lacks(const struct session *s, const struct lacks *lacks,
			 struct verdict *verdict)
{
	static const uint8_t worth_a_line[] = { MBMCAT_MISSING, MBMCAT_DENIED, MBMCAT_FAILED,
						MBMCAT_INVALID };

	for (size_t w = 0; w < ARRAY_SIZE(worth_a_line); w++) {
		uint8_t status = worth_a_line[w];
		size_t i = lacks->domain[status], slot = lacks->slot[status];
		const struct mbmcat_plan_domain *d = mbmcat_plan_domain(s->plan, i);
		const struct mbmcat_group *g;
		char domain[64];

		if (!lacks->n[status] || verdict->said & 1u << status)
			continue;
		verdict->said |= 1u << status;
		domain_text(d->domain, domain);
		g = mbmcat_snapshot_group(s->snapshot, d->groups[slot / d->n_events]);
		diag_warn("%zu of %zu counters are %s, the first: domain %s, group \"%s/%s\", %s",
			  lacks->n[status], mbmcat_plan_counters(s->plan),
			  mbmcat_status_text(s->now, i, status), domain, g->ctrl_group,
			  g->mon_group,
			  mbmcat_plan_column(s->plan, d->events[slot % d->n_events])->name);
	}
}

static void report_cost(const struct session *s, size_t i, const char *domain)
{
	const struct mbmcat_pass *pass = mbmcat_sample_pass(s->now, i);
	const struct reading *r = gather_reading(s->gather, i);
	const char *path = record_path_text(r->path);

	diag_info("domain %s: cpu %d, path %s, %zu of %zu counters, %llu us, %llu switches", domain,
		  r->cpu, path ? path : "unknown", pass->n_ok, pass->n_slots,
		  (unsigned long long)(pass->end_ns - pass->start_ns) / 1000,
		  (unsigned long long)r->switches);
}

static uint8_t first_failure(const struct mbmcat_pass *pass)
{
	for (size_t slot = 0; slot < pass->n_slots; slot++) {
		if (pass->status[slot] != MBMCAT_OK)
			return pass->status[slot];
	}
	return MBMCAT_OK;
}

static bool any_read(const struct session *s)
{
	for (size_t i = 0; i < mbmcat_plan_domains(s->plan); i++) {
		if (mbmcat_sample_pass(s->now, i)->n_read)
			return true;
	}
	return false;
}

/* What --parallel auto made of the first samples. */
static void report_choice(const struct session *s, struct verdict *verdict)
{
	size_t at_once = gather_at_once(s->gather);
	uint64_t one_ns, all_ns;

	if (mbmcat_plan_domains(s->plan) < 2 || at_once == verdict->at_once ||
	    s->options->parallel != OPT_PARALLEL_AUTO)
		return;
	verdict->at_once = at_once;
	gather_trials(s->gather, &one_ns, &all_ns);
	if (at_once && all_ns != UINT64_MAX)
		diag_info("reading %zu of %zu domains at once: one took %llu us, all took %llu us",
			  at_once, mbmcat_plan_domains(s->plan), (unsigned long long)one_ns / 1000,
			  (unsigned long long)all_ns / 1000);
	else if (at_once)
		diag_info("reading 1 of %zu domains at once: more only take longer on this path",
			  mbmcat_plan_domains(s->plan));
}

void report_sample(const struct session *s, bool follows, struct verdict *verdict)
{
	/* To find out why takes time: only for the first sample it happens in. */
	const bool explained = verdict->remote || s->options->no_pin || s->options->quiet;
	struct lacks lacks = { 0 };

	for (size_t i = 0; i < mbmcat_plan_domains(s->plan); i++) {
		const struct mbmcat_pass *pass = mbmcat_sample_pass(s->now, i);
		char domain[64];

		domain_text(mbmcat_plan_domain(s->plan, i)->domain, domain);
		verdict->read += pass->n_read;
		if (gather_reading(s->gather, i)->path == PATH_REMOTE) {
			verdict->remote = true;
			if (!explained)
				report_bind(s, i, domain);
		}
		if (pass->n_ok + (follows ? pass->n_gone : 0) < pass->n_slots) {
			verdict->partial = true;
			snprintf(verdict->first_failure, sizeof(verdict->first_failure), "%s",
				 mbmcat_status_text(s->now, i, first_failure(pass)));
			count_lacks(pass, i, &lacks);
		}
		if (diag_is_verbose())
			report_cost(s, i, domain);
	}
	if (diag_is_verbose())
		report_choice(s, verdict);
	/* With nothing read at all there is an error to come. */
	if (follows || any_read(s))
		report_lacks(s, &lacks, verdict);
	if (s->omitted)
		verdict->partial = true;
}

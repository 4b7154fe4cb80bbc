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
		diag_warn("domain %s is read from outside, which is slower: its CPUs (%s) were "
			  "not used",
			  domain, cpus ? cpus : "unknown");
	else if (cgroup)
		diag_warn("domain %s is read from outside, which is slower: its CPUs (%s) are not "
			  "in the cpuset of this process's cgroup %s",
			  domain, cpus ? cpus : "unknown", cgroup);
	else
		diag_warn("domain %s is read from outside, which is slower: can't run on its CPUs "
			  "(%s): %s",
			  domain, cpus ? cpus : "unknown", strerror(-error));
}

/* The lacks of one domain by status; the slot each was first seen at. */
struct lacks {
	size_t n[MBMCAT_WORD];
	size_t first[MBMCAT_WORD];
};

static void count_lacks(const struct mbmcat_pass *pass, struct lacks *lacks)
{
	for (size_t slot = 0; slot < pass->n_slots; slot++) {
		uint8_t status = pass->status[slot];

		if (status == MBMCAT_OK || status >= MBMCAT_WORD)
			continue;
		if (!lacks->n[status]++)
			lacks->first[status] = slot;
	}
}

static void report_lacks(const struct session *s, size_t i, const char *domain)
{
	static const uint8_t worth_a_line[] = { MBMCAT_MISSING, MBMCAT_DENIED, MBMCAT_FAILED,
						MBMCAT_INVALID };
	const struct mbmcat_plan_domain *d = mbmcat_plan_domain(s->plan, i);
	const struct mbmcat_pass *pass = mbmcat_sample_pass(s->now, i);
	struct lacks lacks = { 0 };

	count_lacks(pass, &lacks);
	for (size_t w = 0; w < ARRAY_SIZE(worth_a_line); w++) {
		uint8_t status = worth_a_line[w];
		const struct mbmcat_group *g;
		size_t slot = lacks.first[status];

		if (!lacks.n[status])
			continue;
		g = mbmcat_snapshot_group(s->snapshot, d->groups[slot / d->n_events]);
		diag_warn("domain %s: %zu of %zu counters are %s, the first: group \"%s/%s\", %s",
			  domain, lacks.n[status], pass->n_slots,
			  mbmcat_status_text(s->now, i, status), g->ctrl_group, g->mon_group,
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

void report_sample(const struct session *s, bool follows, struct verdict *verdict)
{
	/* To find out why takes time: only for the first sample it happens in. */
	const bool explained = verdict->remote || s->options->no_pin || s->options->quiet;

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
			/* With nothing read at all there is an error to come. */
			if (follows || any_read(s))
				report_lacks(s, i, domain);
		}
		if (diag_is_verbose())
			report_cost(s, i, domain);
	}
	if (s->omitted)
		verdict->partial = true;
}

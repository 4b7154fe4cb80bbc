// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/metrics.h"

#include <errno.h>

#include <mbmcat/version.h>

#include "cli/escape.h"

static const struct {
	const char *name; /* without _total */
	const char *type;
	const char *unit;
	const char *help;
} families[N_FAMILIES] = {
	[BANDWIDTH] = { "resctrl_memory_bandwidth_bytes", "counter", "bytes",
			"Bytes moved from and to memory, as the kernel counts them." },
	[OCCUPANCY] = { "resctrl_llc_occupancy_bytes", "gauge", "bytes",
			"Bytes of the last-level cache that are in use." },
	/* The older text calls it untyped; see put_head(). */
	[OTHER_EVENT] = { "resctrl_event", "unknown", NULL, "Count of any other event." },
	[RATE] = { "resctrl_memory_bandwidth_bytes_per_second", "gauge", "bytes_per_second",
		   "Bytes per second since the sample before." },
	[STATUS] = { "resctrl_event_status", "gauge", NULL,
		     "1 for each count or rate that is missing, with the word for it." },
	[DURATION] = { "resctrl_dump_duration_seconds", "gauge", "seconds",
		       "Time that it took to read a domain's counters." },
	[DUMP_PATH] = { "resctrl_dump_path", "gauge", NULL,
			"1, with the way that a domain's counters were read." },
	[MISSED] = { "resctrl_dump_missed", "counter", NULL,
		     "Points in time at which no sample could be taken." },
	[BUILD] = { "resctrl_build_info", "gauge", NULL, "1, with the version of mbmcat." },
};

static bool is_counter(enum family f)
{
	return !strcmp(families[f].type, "counter");
}

static void render_head(struct metrics *m, enum family f)
{
	const char *suffix = m->classic && is_counter(f) ? "_total" : "";
	const char *type = families[f].type;
	struct buf *head = &m->head[f];

	if (m->classic && !strcmp(type, "unknown"))
		type = "untyped";
	buf_printf(head, "# HELP %s%s %s\n", families[f].name, suffix, families[f].help);
	buf_printf(head, "# TYPE %s%s %s\n", families[f].name, suffix, type);
	if (!m->classic && families[f].unit)
		buf_printf(head, "# UNIT %s %s\n", families[f].name, families[f].unit);
}

/* mbm_SCOPE_bytes: the length of SCOPE, or 0. */
static size_t scope_length(const char *event)
{
	size_t len = strlen(event);

	if (len <= 10 || strncmp(event, "mbm_", 4) || strcmp(event + len - 6, "_bytes"))
		return 0;
	return len - 10;
}

static enum family family_of(const char *event)
{
	if (scope_length(event))
		return BANDWIDTH;
	return strcmp(event, "llc_occupancy") ? OTHER_EVENT : OCCUPANCY;
}

static int render_families(struct metrics *m, const struct layout *layout)
{
	bool used[N_FAMILIES] = { [STATUS] = true, [DURATION] = true, [DUMP_PATH] = true,
				  [MISSED] = true, [BUILD] = true };

	m->columns = mbmcat_plan_columns(layout->plan);
	m->family = calloc(m->columns + 1, sizeof(*m->family));
	m->later = calloc(N_FAMILIES, sizeof(*m->later));
	if (!m->family || !m->later)
		return -ENOMEM;
	for (size_t c = 0; c < m->columns; c++) {
		m->family[c] = (uint8_t)family_of(mbmcat_plan_column(layout->plan, c)->name);
		used[m->family[c]] = true;
	}
	used[RATE] = layout->rates;
	for (enum family f = 0; f < N_FAMILIES; f++) {
		buf_printf(&m->name[f], "%s%s", families[f].name, is_counter(f) ? "_total" : "");
		if (used[f])
			render_head(m, f);
		if (m->name[f].failed || m->head[f].failed)
			return -ENOMEM;
	}
	buf_str(&m->head[BUILD], "resctrl_build_info{version=\"" MBMCAT_VERSION "\"} 1\n");
	return m->head[BUILD].failed ? -ENOMEM : 0;
}

static int render_groups(struct metrics *m, const struct mbmcat_snapshot *snap)
{
	struct buf *text = &m->group.text;

	for (size_t i = 0; i < mbmcat_snapshot_groups(snap); i++) {
		const struct mbmcat_group *g = mbmcat_snapshot_group(snap, i);

		buf_add(text, m->name[BANDWIDTH].data, m->name[BANDWIDTH].len);
		buf_str(text, "{ctrl_group=\"");
		escape_label(text, g->ctrl_group);
		buf_str(text, "\",mon_group=\"");
		escape_label(text, g->mon_group);
		buf_char(text, '"');
		if (pieces_close(&m->group) < 0)
			return -ENOMEM;
	}
	return 0;
}

/* A label that not every machine has is there for all of its domains or for none. */
static bool has_other_resource(const struct mbmcat_plan *plan)
{
	for (size_t i = 0; i < mbmcat_plan_domains(plan); i++) {
		if (strcmp(mbmcat_plan_domain(plan, i)->domain->resource, "L3"))
			return true;
	}
	return false;
}

static int render_domains(struct metrics *m, const struct layout *layout)
{
	bool other = has_other_resource(layout->plan);
	struct buf *text = &m->domain.text;

	for (size_t i = 0; i < mbmcat_plan_domains(layout->plan); i++) {
		const struct mbmcat_domain *d = mbmcat_plan_domain(layout->plan, i)->domain;

		buf_printf(text, ",domain=\"");
		buf_u64(text, d->id);
		if (layout->has_clusters)
			buf_str(text, "\",sub_domain=\"");
		if (d->sub_id != MBMCAT_NO_SUB)
			buf_u64(text, (uint64_t)d->sub_id);
		if (other)
			buf_printf(text, "\",resource=\"%s", d->resource);
		buf_char(text, '"');
		if (pieces_close(&m->domain) < 0)
			return -ENOMEM;
	}
	return 0;
}

static int render_tails(struct metrics *m, const struct layout *layout)
{
	struct buf *text = &m->tail.text;

	for (size_t i = 0; i < m->domain.n * m->columns; i++) {
		const char *event = mbmcat_plan_column(layout->plan, i % m->columns)->name;
		size_t domain = i / m->columns;

		buf_add(text, m->domain.text.data + piece_start(&m->domain, domain),
			piece_length(&m->domain, domain));
		if (scope_length(event))
			buf_printf(text, ",scope=\"%.*s\"", (int)scope_length(event), event + 4);
		else if (m->family[i % m->columns] == OTHER_EVENT)
			buf_printf(text, ",event=\"%s\"", event);
		buf_str(text, "} ");
		if (pieces_close(&m->tail) < 0)
			return -ENOMEM;
	}
	return 0;
}

int metrics_render(struct metrics *m, const struct layout *layout, bool classic)
{
	m->classic = classic;
	if (render_families(m, layout) < 0 ||
	    render_groups(m, mbmcat_plan_snapshot(layout->plan)) < 0 ||
	    render_domains(m, layout) < 0 || render_tails(m, layout) < 0)
		return -ENOMEM;
	/* RATE has the longest name. */
	m->line_max = m->name[RATE].len + pieces_longest(&m->group) + pieces_longest(&m->tail) +
		      DIGITS_MAX + 1;
	return 0;
}

void metrics_free(struct metrics *m)
{
	for (size_t f = 0; f < N_FAMILIES; f++) {
		buf_free(&m->head[f]);
		buf_free(&m->name[f]);
		if (m->later)
			buf_free(&m->later[f]);
	}
	pieces_free(&m->group);
	pieces_free(&m->domain);
	pieces_free(&m->tail);
	free(m->family);
	free(m->later);
}

// SPDX-License-Identifier: LGPL-2.1-or-later
/* What the resctrl file system holds. */
#include "fakefs.h"
#include "tree.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define EVENTS_MAX 16

uint64_t fakefs_value(unsigned group, unsigned domain, unsigned event)
{
	const uint64_t key = ((uint64_t)group << 20) + ((uint64_t)domain << 4) + event;

	return (2 * key + 1) << ((group + domain + event) % 28);
}

/* One counter directory of one group. */
struct place {
	const char *group_name, *resource;
	unsigned group, id;
	int sub;
	uint64_t nodes; /* a sum file's NUMA nodes: how many, from first_node on */
	unsigned first_node;
};

static bool rule_fits(const struct rule *r, const struct place *p, const char *event)
{
	if (!r->any_group && strcmp(r->group, p->group_name) != 0)
		return false;
	if (r->event && (!event || strcmp(r->event, event) != 0))
		return false;
	if (r->domain.any)
		return true;
	return r->domain.id == p->id && r->domain.sub == p->sub &&
	       !strcmp(r->domain.resource, p->resource);
}

static bool has_directory(const struct spec *s, const struct place *p)
{
	bool there = true;

	for (size_t i = 0; i < s->nrule; i++) {
		struct rule *r = &s->rule[i];
		if ((r->kind != RULE_DOMAIN && r->kind != RULE_NODOMAIN) || !rule_fits(r, p, NULL))
			continue;
		r->used = true;
		there = r->kind == RULE_DOMAIN;
	}
	return there;
}

static void write_counter(struct tree *t, const struct spec *s, const struct place *p,
			  const char *dir, const char *event, unsigned number)
{
	const struct rule *last = NULL;

	for (size_t i = 0; i < s->nrule; i++) {
		struct rule *r = &s->rule[i];
		if (!r->event || !rule_fits(r, p, event))
			continue;
		r->used = true;
		last = r;
	}
	const char *path = at(t, "%s/%s", dir, event);
	if (last && last->kind == RULE_MISSING)
		return;
	if (last) {
		tree_file(t, path, 0444, last->text.s, last->text.len);
		return;
	}
	uint64_t v = p->nodes ? 0 : fakefs_value(p->group, p->id, number);
	if (p->sub >= 0)
		v = fakefs_value(p->group, (unsigned)p->sub, number);
	for (unsigned i = 0; i < p->nodes; i++)
		v += fakefs_value(p->group, p->first_node + i, number);
	if (!strncmp(event, "mbm_", 4) || !strncmp(event, "llc_", 4))
		tree_text(t, path, 0444, "%" PRIu64 "\n", v);
	else
		tree_text(t, path, 0444, "%" PRIu64 ".%06u\n", v / 1000000,
			  (unsigned)(v % 1000000));
}

static bool is_file(const char *event)
{
	const size_t len = strlen(event);

	return len < 7 || strcmp(event + len - 7, "_config") != 0;
}

static void write_counters(struct tree *t, const struct spec *s, const struct place *p,
			   const char *dir, const struct names *events, unsigned number)
{
	tree_dir(t, dir);
	for (size_t i = 0; i < events->n; i++) {
		if (is_file(events->v[i]))
			write_counter(t, s, p, dir, events->v[i], number++);
	}
}

static void write_l3(struct tree *t, const struct spec *s, struct place p, size_t i,
		     const char *group_dir)
{
	const struct machine *m = &s->machine;
	char dir[sizeof(t->path)];

	p.resource = "L3";
	p.id = m->l3[i].id;
	p.sub = -1;
	if (m->numa_per_l3 > 1) {
		p.nodes = m->numa_per_l3;
		p.first_node = (unsigned)i * m->numa_per_l3;
	}
	if (!has_directory(s, &p))
		return;
	strcpy(dir, at(t, "%s/mon_data/mon_L3_%02u", group_dir, p.id));
	write_counters(t, s, &p, dir, &s->features, 0);
	const struct place sum = p;
	p.nodes = 0;
	for (unsigned n = 0; n < sum.nodes; n++) {
		p.sub = (int)(sum.first_node + n);
		if (!node_online(m, i, (unsigned)p.sub) || !has_directory(s, &p))
			continue;
		strcpy(dir,
		       at(t, "%s/mon_data/mon_L3_%02u/mon_sub_L3_%02d", group_dir, p.id, p.sub));
		write_counters(t, s, &p, dir, &s->features, 0);
	}
}

static void write_mon_data(struct tree *t, const struct spec *s, unsigned group, const char *dir)
{
	const struct group *g = &s->group[group];
	char name[600], sub[sizeof(t->path)];
	unsigned number = 0;

	snprintf(name, sizeof(name), "%s/%s", g->ctrl, g->mon);
	struct place p = { .group_name = name, .group = group, .sub = -1 };
	tree_dir(t, at(t, "%s/mon_data", dir));
	for (size_t i = 0; i < s->machine.nl3; i++) {
		if (l3_online(&s->machine, i))
			write_l3(t, s, p, i, dir);
	}
	for (size_t i = 0; i < s->features.n; i++)
		number += is_file(s->features.v[i]);
	for (size_t i = 0; i < s->nresource; i++) {
		const struct resource *r = &s->resource[i];
		p.resource = r->name;
		for (size_t d = 0; d < r->ids.n; d++) {
			p.id = r->ids.v[d];
			if (!has_directory(s, &p))
				continue;
			strcpy(sub, at(t, "%s/mon_data/mon_%s_%02u", dir, r->name, p.id));
			write_counters(t, s, &p, sub, &r->events, number);
		}
		number += (unsigned)r->events.n;
	}
	if (number > EVENTS_MAX)
		fail(t->err, EINVAL, "more than %d events", EVENTS_MAX);
}

static void write_cpu_files(struct tree *t, const struct spec *s, const struct group *g,
			    const char *dir)
{
	const struct machine *m = &s->machine;
	bool *set = calloc(m->ncpu, sizeof(*set));

	if (!set)
		fail(t->err, ENOMEM, "out of memory");
	for (unsigned i = 0; set && i < m->ncpu; i++)
		set[i] = m->cpu[i].online && (g->all_cpus || list_has(&g->cpus, i));
	struct text x;
	FILE *f = text_open(t, &x);
	if (f) {
		text_mask(f, set, m->ncpu);
		text_file(t, at(t, "%s/cpus", dir), 0644, &x);
		f = text_open(t, &x);
	}
	if (f) {
		text_list(f, set, m->ncpu);
		text_file(t, at(t, "%s/cpus_list", dir), 0644, &x);
	}
	free(set);
}

static void per_domain(struct tree *t, const struct spec *s, const char *path, const char *name,
		       const char *what)
{
	struct text x;
	FILE *f = text_open(t, &x);
	const char *before = name;

	if (!f)
		return;
	for (size_t i = 0; i < s->machine.nl3; i++) {
		if (!l3_online(&s->machine, i))
			continue;
		fprintf(f, "%s%u=%s", before, s->machine.l3[i].id, what);
		before = ";";
	}
	fputc('\n', f);
	text_file(t, path, 0644, &x);
}

static void write_group(struct tree *t, const struct spec *s, unsigned group)
{
	const struct group *g = &s->group[group];
	char dir[sizeof(t->path)];

	strcpy(dir, at(t, "%s%s%s%s%s", s->mount, *g->ctrl ? "/" : "", g->ctrl,
		       *g->mon ? "/mon_groups/" : "", g->mon));
	tree_dir(t, dir);
	tree_file(t, at(t, "%s/tasks", dir), 0644, g->tasks, strlen(g->tasks));
	write_cpu_files(t, s, g, dir);
	if (!*g->mon && !s->mononly) {
		tree_text(t, at(t, "%s/mode", dir), 0644, "%s\n", g->mode);
		per_domain(t, s, at(t, "%s/schemata", dir), "    L3:", "ffff");
		per_domain(t, s, at(t, "%s/size", dir), "    L3:", "33554432");
	}
	if (s->nomon)
		return;
	if (!*g->mon)
		tree_dir(t, at(t, "%s/mon_groups", dir));
	write_mon_data(t, s, group, dir);
}

static void write_info(struct tree *t, const struct spec *s)
{
	char dir[sizeof(t->path)];

	strcpy(dir, at(t, "%s/info", s->mount));
	tree_dir(t, dir);
	tree_text(t, at(t, "%s/last_cmd_status", dir), 0444, "ok\n");
	if (!s->mononly) {
		tree_dir(t, at(t, "%s/L3", dir));
		tree_text(t, at(t, "%s/L3/cbm_mask", dir), 0444, "ffff\n");
		tree_text(t, at(t, "%s/L3/min_cbm_bits", dir), 0444, "1\n");
		tree_text(t, at(t, "%s/L3/num_closids", dir), 0444, "16\n");
		tree_text(t, at(t, "%s/L3/shareable_bits", dir), 0444, "0\n");
	}
	if (s->nomon)
		return;
	tree_dir(t, at(t, "%s/L3_MON", dir));
	struct text x;
	FILE *f = text_open(t, &x);
	if (!f)
		return;
	for (size_t i = 0; i < s->features.n; i++)
		fprintf(f, "%s\n", s->features.v[i]);
	text_file(t, at(t, "%s/L3_MON/mon_features", dir), 0444, &x);
	tree_text(t, at(t, "%s/L3_MON/num_rmids", dir), 0444, "%u\n", s->num_rmids);
	tree_text(t, at(t, "%s/L3_MON/max_threshold_occupancy", dir), 0644, "131072\n");
	for (size_t i = 0; i < s->features.n; i++) {
		if (!is_file(s->features.v[i]))
			per_domain(t, s, at(t, "%s/L3_MON/%s", dir, s->features.v[i]), "", "0x7f");
	}
	for (size_t i = 0; i < s->ninfo; i++)
		tree_file(t, at(t, "%s/L3_MON/%s", dir, s->info[i].name), 0644, s->info[i].text.s,
			  s->info[i].text.len);
}

void write_resctrl(struct tree *t, const struct spec *s)
{
	tree_parents(t, "sys/fs/x");
	if (s->noresctrl)
		return;
	tree_dir(t, "sys/fs/resctrl");
	if (s->unmounted)
		return;
	tree_parents(t, s->mount);
	tree_dir(t, s->mount);
	write_info(t, s);
	for (unsigned g = 0; g < s->ngroup; g++)
		write_group(t, s, g);
	for (size_t i = 0; i < s->nrule; i++) {
		t->err->line = s->rule[i].line;
		if (!s->rule[i].used)
			fail(t->err, EINVAL, "matches nothing");
	}
	t->err->line = 0;
}

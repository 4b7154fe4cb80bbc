// SPDX-License-Identifier: LGPL-2.1-or-later
/* The directives about groups and their counter files. */
#include "spec.h"

#include <errno.h>
#include <string.h>

#define GROUPS_MAX 65535

static bool reserved(const char *name)
{
	return !strcmp(name, "info") || !strcmp(name, "mon_groups") || !strcmp(name, "mon_data");
}

static struct group *find_group(const struct spec *s, const char *ctrl, const char *mon)
{
	for (size_t i = 0; i < s->ngroup; i++) {
		if (!strcmp(s->group[i].ctrl, ctrl) && !strcmp(s->group[i].mon, mon))
			return &s->group[i];
	}
	return NULL;
}

static int add_group(struct spec *s, const char *ctrl, const char *mon)
{
	if (find_group(s, ctrl, mon))
		return fail(s->err, EINVAL, "group '%s/%s' twice", ctrl, mon);
	if (s->ngroup == GROUPS_MAX)
		return fail(s->err, EINVAL, "too many groups");
	struct group *g = spec_push(s, &s->group, &s->ngroup, sizeof(*g));
	if (!g)
		return s->err->rc;
	*g = (struct group){ .ctrl = ctrl, .mon = mon, .mode = "shareable", .tasks = "" };
	if (!*ctrl && !*mon) {
		g->tasks = "1\n";
		g->all_cpus = true;
	}
	return 0;
}

int do_ctrl(struct spec *s, const struct word *w, size_t n)
{
	const char *name;

	if (!n)
		return add_group(s, "", "");
	if (check_name(s, &w[1], &name))
		return s->err->rc;
	if (s->mononly)
		return fail(s->err, EINVAL, "a machine with monitoring only has no control groups");
	if (reserved(name))
		return fail(s->err, EINVAL, "'%s' is a name of resctrl's own", name);
	return add_group(s, name, "");
}

static int add_mon(struct spec *s, const char *ctrl, const char *name)
{
	if (s->nomon)
		return fail(s->err, EINVAL, "there is no monitoring");
	if (!find_group(s, ctrl, ""))
		return fail(s->err, EINVAL, "no control group '%s'", ctrl);
	return add_group(s, ctrl, name);
}

int do_mon(struct spec *s, const struct word *w, size_t n)
{
	const char *name;

	(void)n;
	if (check_name(s, &w[2], &name))
		return s->err->rc;
	return add_mon(s, w[1].s, name);
}

int do_groups(struct spec *s, const struct word *w, size_t n)
{
	const char *prefix = "g", *ctrl = "";
	unsigned count;
	int width = 1;

	if (parse_number(s, w[1].s, GROUPS_MAX, &count))
		return s->err->rc;
	for (size_t i = 2; i < n; i++) {
		if (!strncmp(w[i].s, "prefix=", 7))
			prefix = w[i].s + 7;
		else if (!strncmp(w[i].s, "ctrl=", 5))
			ctrl = w[i].s + 5;
		else
			return fail(s->err, EINVAL, "unknown key in '%s'", w[i].s);
	}
	for (unsigned last = count ? count - 1 : 0; last > 9; last /= 10)
		width++;
	for (unsigned i = 0; i < count; i++) {
		const char *text = spec_printf(s, "%s%0*u", prefix, width, i), *name;
		if (!text || check_name(s, &(struct word){ text, strlen(text), true }, &name) ||
		    add_mon(s, ctrl, name))
			return s->err->rc;
	}
	return 0;
}

/* "" is the default group, then CTRL, /MON, CTRL/MON: no name holds a slash. */
static struct group *named_group(struct spec *s, const struct word *w)
{
	const char *slash = strchr(w->s, '/');
	const size_t len = slash ? (size_t)(slash - w->s) : w->len;
	const char *ctrl = spec_printf(s, "%.*s", (int)len, w->s);
	struct group *g = ctrl ? find_group(s, ctrl, slash ? slash + 1 : "") : NULL;

	if (!g)
		fail(s->err, EINVAL, "no group '%s' in an earlier line", w->s);
	return g;
}

int do_mode(struct spec *s, const struct word *w, size_t n)
{
	struct group *g = named_group(s, &w[1]);

	(void)n;
	if (!g)
		return s->err->rc;
	if (*g->mon)
		return fail(s->err, EINVAL, "a monitoring group has no mode");
	g->mode = w[2].s;
	return 0;
}

int do_tasks(struct spec *s, const struct word *w, size_t n)
{
	struct group *g = named_group(s, &w[1]);
	const char *text = "";

	for (size_t i = 2; g && i < n; i++) {
		unsigned pid;
		if (parse_number(s, w[i].s, 4194304, &pid))
			return s->err->rc;
		text = spec_printf(s, "%s%u\n", text, pid);
		if (!text)
			return s->err->rc;
	}
	if (g)
		g->tasks = text;
	return s->err->rc;
}

int do_cpus(struct spec *s, const struct word *w, size_t n)
{
	struct group *g = named_group(s, &w[1]);

	(void)n;
	if (!g)
		return s->err->rc;
	g->all_cpus = false;
	return parse_list(s, w[2].s, &g->cpus);
}

int do_rule(struct spec *s, const struct word *w, size_t n)
{
	static const char *const kinds[] = {
		[RULE_VALUE] = "value",
		[RULE_MISSING] = "missing",
		[RULE_NODOMAIN] = "nodomain",
		[RULE_DOMAIN] = "domain",
	};
	struct rule r = { .line = s->err->line };

	while (strcmp(w[0].s, kinds[r.kind]) != 0)
		r.kind++;
	r.any_group = !strcmp(w[1].s, "*") && !w[1].quoted;
	if (!r.any_group) {
		const struct group *g = named_group(s, &w[1]);
		if (!g)
			return s->err->rc;
		r.group = spec_printf(s, "%s/%s", g->ctrl, g->mon);
	}
	if (parse_domain(s, &w[2], &r.domain))
		return s->err->rc;
	if (n > 3 && check_name(s, &w[3], &r.event))
		return s->err->rc;
	if (n > 4)
		r.text = w[4];
	struct rule *slot = spec_push(s, &s->rule, &s->nrule, sizeof(*slot));
	if (slot)
		*slot = r;
	return s->err->rc;
}

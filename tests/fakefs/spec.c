// SPDX-License-Identifier: LGPL-2.1-or-later
/* The table of directives, and those about what resctrl offers and about single files. */
#include "spec.h"

#include <errno.h>
#include <string.h>

#define ANY ((size_t)-1)

struct directive {
	const char *name;
	size_t min, max; /* words behind the name */
	int (*run)(struct spec *s, const struct word *w, size_t n);
	const char *usage;
};

static int do_features(struct spec *s, const struct word *w, size_t n)
{
	s->features = (struct names){ 0 };
	for (size_t i = 1; i < n; i++) {
		const char **slot = spec_push(s, &s->features.v, &s->features.n, sizeof(*slot));
		if (!slot || check_name(s, &w[i], slot))
			return s->err->rc;
	}
	return 0;
}

static int do_num_rmids(struct spec *s, const struct word *w, size_t n)
{
	(void)n;
	return parse_number(s, w[1].s, 1u << 20, &s->num_rmids);
}

static int do_info(struct spec *s, const struct word *w, size_t n)
{
	struct info *slot = spec_push(s, &s->info, &s->ninfo, sizeof(*slot));

	(void)n;
	if (!slot || check_name(s, &w[1], &slot->name))
		return s->err->rc;
	slot->text = w[2];
	return 0;
}

static int do_resource(struct spec *s, const struct word *w, size_t n)
{
	struct resource *r = spec_push(s, &s->resource, &s->nresource, sizeof(*r));

	if (!r || check_name(s, &w[1], &r->name) || parse_list(s, w[2].s, &r->ids))
		return s->err->rc;
	for (size_t i = 3; i < n; i++) {
		const char **slot = spec_push(s, &r->events.v, &r->events.n, sizeof(*slot));
		if (!slot || check_name(s, &w[i], slot))
			return s->err->rc;
	}
	return 0;
}

static int do_nomon(struct spec *s, const struct word *w, size_t n)
{
	(void)w;
	(void)n;
	if (s->ngroup > 1 || s->mononly)
		return fail(s->err, EINVAL, "nomon goes before groups, and without mononly");
	s->nomon = true;
	return 0;
}

static int do_mononly(struct spec *s, const struct word *w, size_t n)
{
	(void)w;
	(void)n;
	if (s->ngroup > 1 || s->nomon)
		return fail(s->err, EINVAL, "mononly goes before groups, and without nomon");
	s->mononly = true;
	return 0;
}

static int check_path(struct spec *s, const struct word *w, const char **out)
{
	const char *p = w->s;

	if (*p != '/' || !p[1] || strlen(p) != w->len)
		return fail(s->err, EINVAL, "'%s' is no path that starts with /", p);
	for (const char *part = p; part; part = strchr(part, '/')) {
		part++;
		if (!strncmp(part, "..", 2) && (!part[2] || part[2] == '/'))
			return fail(s->err, EINVAL, "'%s' leads out of the tree", p);
	}
	while (*p == '/')
		p++;
	*out = p;
	return 0;
}

static int do_mount(struct spec *s, const struct word *w, size_t n)
{
	if (n > 2)
		s->mount_options = w[2].s;
	return check_path(s, &w[1], &s->mount);
}

static int do_unmounted(struct spec *s, const struct word *w, size_t n)
{
	(void)n;
	s->unmounted = true;
	s->noresctrl = !strcmp(w[0].s, "noresctrl");
	return 0;
}

static int do_action(struct spec *s, const struct word *w, size_t n)
{
	static const char *const kinds[] = {
		[ACTION_FILE] = "file",   [ACTION_DIR] = "dir", [ACTION_SYMLINK] = "symlink",
		[ACTION_CHMOD] = "chmod", [ACTION_RM] = "rm",
	};
	struct action a = { .line = s->err->line };

	while (strcmp(w[0].s, kinds[a.kind]) != 0)
		a.kind++;
	if (check_path(s, &w[1], &a.path))
		return s->err->rc;
	if (n > 2)
		a.text = w[2];
	if (a.kind == ACTION_CHMOD) {
		const char *p = a.text.s;
		for (; *p >= '0' && *p <= '7' && a.mode < 01000; p++)
			a.mode = a.mode * 8 + (unsigned)(*p - '0');
		if (*p || p == a.text.s || a.mode > 07777)
			return fail(s->err, EINVAL, "'%s' is no mode like 0444", a.text.s);
	}
	struct action *slot = spec_push(s, &s->action, &s->naction, sizeof(*slot));
	if (slot)
		*slot = a;
	return s->err->rc;
}

static const struct directive directives[] = {
	{ "machine", 0, ANY, do_machine, "[KEY=VALUE...]" },
	{ "l3", 2, ANY, do_l3, "ID KEY=VALUE..." },
	{ "features", 0, ANY, do_features, "[EVENT...]" },
	{ "num_rmids", 1, 1, do_num_rmids, "N" },
	{ "info", 2, 2, do_info, "NAME TEXT" },
	{ "resource", 3, ANY, do_resource, "NAME IDS EVENT..." },
	{ "nomon", 0, 0, do_nomon, "" },
	{ "mononly", 0, 0, do_mononly, "" },
	{ "mount", 1, 2, do_mount, "POINT [OPTIONS]" },
	{ "unmounted", 0, 0, do_unmounted, "" },
	{ "noresctrl", 0, 0, do_unmounted, "" },
	{ "ctrl", 1, 1, do_ctrl, "NAME" },
	{ "mon", 2, 2, do_mon, "CTRL NAME" },
	{ "groups", 1, 3, do_groups, "N [prefix=TEXT] [ctrl=NAME]" },
	{ "mode", 2, 2, do_mode, "GROUP WORD" },
	{ "tasks", 1, ANY, do_tasks, "GROUP [PID...]" },
	{ "cpus", 2, 2, do_cpus, "GROUP LIST" },
	{ "value", 4, 4, do_rule, "GROUP DOMAIN EVENT TEXT" },
	{ "missing", 3, 3, do_rule, "GROUP DOMAIN EVENT" },
	{ "nodomain", 2, 2, do_rule, "GROUP DOMAIN" },
	{ "domain", 2, 2, do_rule, "GROUP DOMAIN" },
	{ "file", 2, 2, do_action, "PATH TEXT" },
	{ "dir", 1, 1, do_action, "PATH" },
	{ "symlink", 2, 2, do_action, "PATH TARGET" },
	{ "chmod", 2, 2, do_action, "PATH OCTAL" },
	{ "rm", 1, 1, do_action, "PATH" },
};

static int run_line(struct spec *s, const char *line, size_t len)
{
	struct word *w;
	size_t n;

	if (split_words(s, line, len, &w, &n) || !n)
		return s->err->rc;
	for (size_t i = 0; i < sizeof(directives) / sizeof(directives[0]); i++) {
		const struct directive *d = &directives[i];
		if (strcmp(d->name, w[0].s) != 0)
			continue;
		if (n - 1 < d->min || n - 1 > d->max)
			return fail(s->err, EINVAL, "usage: %s %s", d->name, d->usage);
		return d->run(s, w, n);
	}
	return fail(s->err, EINVAL, "unknown directive '%s'", w[0].s);
}

static int defaults(struct spec *s)
{
	static const struct word events[] = {
		{ "features", 8, false },
		{ "llc_occupancy", 13, false },
		{ "mbm_total_bytes", 15, false },
		{ "mbm_local_bytes", 15, false },
	};

	s->machine = (struct machine){
		.packages = 1,
		.cpus_per_l3 = 2,
		.threads = 1,
		.numa_per_l3 = 1,
		.nodes_per_package = 1,
		.host = "fake",
		.kernel = "6.12.0",
	};
	s->num_rmids = 256;
	s->mount = "sys/fs/resctrl";
	s->mount_options = "rw,relatime";
	if (do_features(s, events, 4))
		return s->err->rc;
	return do_ctrl(s, NULL, 0);
}

int spec_parse(struct spec *s, const char *text)
{
	if (defaults(s))
		return s->err->rc;
	for (const char *p = text; *p;) {
		const size_t len = strcspn(p, "\n");
		s->err->line++;
		if (run_line(s, p, len))
			return s->err->rc;
		p += len + (p[len] == '\n');
	}
	s->err->line = 0;
	if (!s->machine.seen && do_machine(s, NULL, 0))
		return s->err->rc;
	return topo_layout(s);
}

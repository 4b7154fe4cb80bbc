/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a spec says, between reading it (words, spec, topo) and writing it (sysfs, resctrl). */
#ifndef FAKEFS_SPEC_H
#define FAKEFS_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct err {
	char *buf;
	size_t size;
	unsigned line;
	int rc;
};

/* Keeps the first failure only; returns -errnum. */
int fail(struct err *e, int errnum, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

struct word {
	const char *s;
	size_t len;
	bool quoted;
};

struct list {
	unsigned *v;
	size_t n;
};

struct names {
	const char **v;
	size_t n;
};

struct l3 {
	unsigned id, package, cores, threads, atoms;
};

struct cpu {
	unsigned package, core, node;
	int l3; /* index, or -1 */
	bool online, atom;
};

struct machine {
	unsigned packages, cpus_per_l3, threads, numa_per_l3, nodes_per_package, loose;
	bool adjacent, intel, hybrid, seen;
	const char *host, *kernel;
	struct list online, offline;
	struct l3 *l3;
	struct cpu *cpu;
	size_t nl3, ncpu;
	unsigned nnode;
};

struct group {
	const char *ctrl, *mon, *mode, *tasks;
	struct list cpus;
	bool all_cpus;
};

struct resource {
	const char *name;
	struct list ids;
	struct names events;
};

struct domref {
	bool any;
	const char *resource;
	unsigned id;
	int sub; /* NUMA node, or -1 for the domain's own directory */
};

enum rule_kind { RULE_VALUE, RULE_MISSING, RULE_NODOMAIN, RULE_DOMAIN };

struct rule {
	enum rule_kind kind;
	bool any_group, used;
	const char *group, *event;
	struct domref domain;
	struct word text;
	unsigned line;
};

enum action_kind { ACTION_FILE, ACTION_DIR, ACTION_SYMLINK, ACTION_CHMOD, ACTION_RM };

struct action {
	enum action_kind kind;
	const char *path;
	struct word text;
	unsigned mode, line;
};

struct info {
	const char *name;
	struct word text;
};

struct chunk;

struct spec {
	struct err *err;
	struct chunk *memory;
	struct machine machine;
	struct names features;
	unsigned num_rmids;
	bool nomon, mononly, unmounted, noresctrl;
	const char *mount, *mount_options;
	struct info *info;
	struct resource *resource;
	struct group *group;
	struct rule *rule;
	struct action *action;
	size_t ninfo, nresource, ngroup, nrule, naction;
};

/* words.c: memory that lives as long as the spec, words, numbers and lists */
void *spec_alloc(struct spec *s, size_t size);
void *spec_push(struct spec *s, void *array, size_t *n, size_t size);
char *spec_printf(struct spec *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void spec_free(struct spec *s);
int split_words(struct spec *s, const char *line, size_t len, struct word **words, size_t *n);
int parse_number(struct spec *s, const char *text, unsigned max, unsigned *out);
int parse_list(struct spec *s, const char *text, struct list *out);
int parse_domain(struct spec *s, const struct word *w, struct domref *out);
int check_name(struct spec *s, const struct word *w, const char **out);
bool list_has(const struct list *l, unsigned v);

/* spec.c, spec-groups.c, topo.c */
int spec_parse(struct spec *s, const char *text);
int do_ctrl(struct spec *s, const struct word *w, size_t n);
int do_mon(struct spec *s, const struct word *w, size_t n);
int do_groups(struct spec *s, const struct word *w, size_t n);
int do_mode(struct spec *s, const struct word *w, size_t n);
int do_tasks(struct spec *s, const struct word *w, size_t n);
int do_cpus(struct spec *s, const struct word *w, size_t n);
int do_rule(struct spec *s, const struct word *w, size_t n);
int do_machine(struct spec *s, const struct word *w, size_t n);
int do_l3(struct spec *s, const struct word *w, size_t n);
int topo_layout(struct spec *s);
bool l3_online(const struct machine *m, size_t l3);
bool node_online(const struct machine *m, size_t l3, unsigned node);

#endif

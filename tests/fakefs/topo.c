// SPDX-License-Identifier: LGPL-2.1-or-later
#include "spec.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#define CPUS_MAX 4096

enum key_kind { KEY_NUMBER, KEY_LIST, KEY_TEXT, KEY_FLAG };

struct key {
	const char *name;
	enum key_kind kind;
	size_t offset;
	unsigned min, max;
	const char *word[2]; /* KEY_FLAG: for false and for true */
};

static const struct key machine_keys[] = {
	{ .name = "packages",
	  .kind = KEY_NUMBER,
	  .offset = offsetof(struct machine, packages),
	  .min = 1,
	  .max = 64 },
	{ .name = "cpus-per-l3",
	  .kind = KEY_NUMBER,
	  .offset = offsetof(struct machine, cpus_per_l3),
	  .min = 1,
	  .max = 1024 },
	{ .name = "threads",
	  .kind = KEY_NUMBER,
	  .offset = offsetof(struct machine, threads),
	  .min = 1,
	  .max = 8 },
	{ .name = "numa-per-l3",
	  .kind = KEY_NUMBER,
	  .offset = offsetof(struct machine, numa_per_l3),
	  .min = 1,
	  .max = 16 },
	{ .name = "nodes-per-package",
	  .kind = KEY_NUMBER,
	  .offset = offsetof(struct machine, nodes_per_package),
	  .min = 1,
	  .max = 16 },
	{ .name = "loose",
	  .kind = KEY_NUMBER,
	  .offset = offsetof(struct machine, loose),
	  .min = 0,
	  .max = 64 },
	{ .name = "online", .kind = KEY_LIST, .offset = offsetof(struct machine, online) },
	{ .name = "offline", .kind = KEY_LIST, .offset = offsetof(struct machine, offline) },
	{ .name = "host", .kind = KEY_TEXT, .offset = offsetof(struct machine, host) },
	{ .name = "kernel", .kind = KEY_TEXT, .offset = offsetof(struct machine, kernel) },
	{ .name = "numbering",
	  .kind = KEY_FLAG,
	  .offset = offsetof(struct machine, adjacent),
	  .word = { "split", "adjacent" } },
	{ .name = "vendor",
	  .kind = KEY_FLAG,
	  .offset = offsetof(struct machine, intel),
	  .word = { "amd", "intel" } },
	{ .name = NULL },
};

static const struct key l3_keys[] = {
	{ .name = "cores",
	  .kind = KEY_NUMBER,
	  .offset = offsetof(struct l3, cores),
	  .min = 0,
	  .max = 1024 },
	{ .name = "threads",
	  .kind = KEY_NUMBER,
	  .offset = offsetof(struct l3, threads),
	  .min = 1,
	  .max = 8 },
	{ .name = "atoms",
	  .kind = KEY_NUMBER,
	  .offset = offsetof(struct l3, atoms),
	  .min = 0,
	  .max = 1024 },
	{ .name = NULL },
};

static int set_key(struct spec *s, const struct key *k, char *base, const char *value)
{
	char *const at = base + k->offset;
	unsigned number;

	switch (k->kind) {
	case KEY_NUMBER:
		if (parse_number(s, value, k->max, &number))
			return s->err->rc;
		if (number < k->min)
			return fail(s->err, EINVAL, "%s=%s is below %u", k->name, value, k->min);
		memcpy(at, &number, sizeof(number));
		return 0;
	case KEY_LIST:
		return parse_list(s, value, (struct list *)(void *)at);
	case KEY_TEXT:
		memcpy(at, &value, sizeof(value));
		return 0;
	case KEY_FLAG:
		break;
	}
	const bool yes = !strcmp(value, k->word[1]);
	if (!yes && strcmp(value, k->word[0]) != 0)
		return fail(s->err, EINVAL, "%s is %s or %s", k->name, k->word[0], k->word[1]);
	memcpy(at, &yes, sizeof(yes));
	return 0;
}

/* Sets what a KEY=VALUE word names; a value for *l3 instead where that is asked for. */
static int set_word(struct spec *s, const struct key *keys, void *base, const struct word *w,
		    struct list *l3)
{
	const char *equals = strchr(w->s, '=');

	if (!equals)
		return fail(s->err, EINVAL, "'%s' is not KEY=VALUE", w->s);
	const size_t len = (size_t)(equals - w->s);
	if (l3 && len == 2 && !memcmp(w->s, "l3", 2))
		return parse_list(s, equals + 1, l3);
	for (const struct key *k = keys; k->name; k++) {
		if (strlen(k->name) == len && !memcmp(k->name, w->s, len))
			return set_key(s, k, base, equals + 1);
	}
	return fail(s->err, EINVAL, "unknown key '%.*s'", (int)len, w->s);
}

int do_machine(struct spec *s, const struct word *w, size_t n)
{
	struct machine *m = &s->machine;
	struct list ids = { 0 };

	if (m->seen)
		return fail(s->err, EINVAL, "second machine");
	m->seen = true;
	for (size_t i = 1; i < n; i++) {
		if (set_word(s, machine_keys, m, &w[i], &ids))
			return s->err->rc;
	}
	if (!ids.n && parse_list(s, "0", &ids))
		return s->err->rc;
	if (ids.n % m->packages)
		return fail(s->err, EINVAL, "%zu L3 caches can't be split over %u packages", ids.n,
			    m->packages);
	if (m->cpus_per_l3 % m->threads)
		return fail(s->err, EINVAL, "cpus-per-l3=%u is no multiple of threads=%u",
			    m->cpus_per_l3, m->threads);
	if (m->online.n && m->offline.n)
		return fail(s->err, EINVAL, "online and offline exclude each other");
	if (m->numa_per_l3 > 1 && m->nodes_per_package > 1)
		return fail(s->err, EINVAL, "numa-per-l3 and nodes-per-package exclude each other");
	if (m->nodes_per_package > ids.n / m->packages)
		return fail(s->err, EINVAL, "more nodes than L3 caches in a package");
	m->nl3 = ids.n;
	m->l3 = spec_alloc(s, ids.n * sizeof(*m->l3));
	for (size_t i = 0; m->l3 && i < ids.n; i++) {
		m->l3[i] = (struct l3){
			.id = ids.v[i],
			.package = (unsigned)(i / (ids.n / m->packages)),
			.cores = m->cpus_per_l3 / m->threads,
			.threads = m->threads,
		};
	}
	return s->err->rc;
}

int do_l3(struct spec *s, const struct word *w, size_t n)
{
	unsigned id;
	struct l3 *l3 = NULL;

	if (parse_number(s, w[1].s, 65535, &id))
		return s->err->rc;
	for (size_t i = 0; i < s->machine.nl3; i++) {
		if (s->machine.l3[i].id == id)
			l3 = &s->machine.l3[i];
	}
	if (!l3)
		return fail(s->err, EINVAL, "no L3 %u in an earlier machine line", id);
	for (size_t i = 2; i < n; i++) {
		if (set_word(s, l3_keys, l3, &w[i], NULL))
			return s->err->rc;
	}
	if (!l3->cores && !l3->atoms)
		return fail(s->err, EINVAL, "L3 %u has no cores", id);
	return 0;
}

static unsigned node_of(const struct machine *m, size_t i, unsigned core)
{
	const struct l3 *l3 = &m->l3[i];
	const unsigned per_package = (unsigned)(m->nl3 / m->packages);

	if (m->numa_per_l3 > 1)
		return (unsigned)i * m->numa_per_l3 +
		       core * m->numa_per_l3 / (l3->cores + l3->atoms);
	return l3->package * m->nodes_per_package +
	       (unsigned)(i % per_package) * m->nodes_per_package / per_package;
}

struct core {
	struct cpu cpu;
	unsigned threads;
};

static struct core *all_cores(struct spec *s, size_t *n)
{
	struct machine *m = &s->machine;
	struct core *cores = NULL;
	unsigned number[64] = { 0 };

	*n = 0;
	for (size_t i = 0; i < m->nl3; i++) {
		const struct l3 *l3 = &m->l3[i];
		for (unsigned c = 0; c < l3->cores + l3->atoms; c++) {
			struct core *core = spec_push(s, &cores, n, sizeof(*core));
			if (!core)
				return NULL;
			core->threads = c < l3->cores ? l3->threads : 1;
			core->cpu = (struct cpu){
				l3->package, number[l3->package]++, node_of(m, i, c), (int)i,
				true,        c >= l3->cores
			};
			m->hybrid |= core->cpu.atom;
		}
	}
	for (unsigned c = 0; c < m->loose; c++) {
		struct core *core = spec_push(s, &cores, n, sizeof(*core));
		if (!core)
			return NULL;
		core->threads = 1;
		core->cpu = (struct cpu){ 0, number[0]++, 0, -1, true, m->hybrid };
	}
	return cores;
}

static int add_cpu(struct spec *s, const struct core *core)
{
	struct machine *m = &s->machine;
	const unsigned number = (unsigned)m->ncpu;

	if (number == CPUS_MAX)
		return fail(s->err, EINVAL, "more than %u CPUs", CPUS_MAX);
	struct cpu *cpu = spec_push(s, &m->cpu, &m->ncpu, sizeof(*cpu));
	if (!cpu)
		return s->err->rc;
	*cpu = core->cpu;
	if (m->online.n)
		cpu->online = list_has(&m->online, number);
	else
		cpu->online = !list_has(&m->offline, number);
	return 0;
}

static int check_cpus(struct spec *s, const struct list *l)
{
	for (size_t i = 0; i < l->n; i++) {
		if (l->v[i] >= s->machine.ncpu)
			return fail(s->err, EINVAL, "there is no CPU %u", l->v[i]);
	}
	return 0;
}

/* Gives every CPU its number and its place, once all lines are read. */
int topo_layout(struct spec *s)
{
	struct machine *m = &s->machine;
	size_t n;
	struct core *cores = all_cores(s, &n);
	unsigned most = 0;

	for (size_t i = 0; i < n && m->adjacent; i++) {
		for (unsigned t = 0; t < cores[i].threads; t++) {
			if (add_cpu(s, &cores[i]))
				return s->err->rc;
		}
	}
	for (size_t i = 0; i < n; i++)
		most = cores[i].threads > most ? cores[i].threads : most;
	for (unsigned t = 0; t < most && !m->adjacent; t++) {
		for (size_t i = 0; i < n; i++) {
			if (t < cores[i].threads && add_cpu(s, &cores[i]))
				return s->err->rc;
		}
	}
	m->nnode = m->numa_per_l3 > 1 ? (unsigned)m->nl3 * m->numa_per_l3
				      : m->packages * m->nodes_per_package;
	if (check_cpus(s, &m->online) || check_cpus(s, &m->offline))
		return s->err->rc;
	for (size_t i = 0; i < s->ngroup; i++) {
		if (check_cpus(s, &s->group[i].cpus))
			return s->err->rc;
	}
	return s->err->rc;
}

bool l3_online(const struct machine *m, size_t l3)
{
	for (size_t i = 0; i < m->ncpu; i++) {
		if (m->cpu[i].online && m->cpu[i].l3 == (int)l3)
			return true;
	}
	return false;
}

bool node_online(const struct machine *m, size_t l3, unsigned node)
{
	for (size_t i = 0; i < m->ncpu; i++) {
		if (m->cpu[i].online && m->cpu[i].l3 == (int)l3 && m->cpu[i].node == node)
			return true;
	}
	return false;
}

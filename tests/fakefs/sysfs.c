// SPDX-License-Identifier: LGPL-2.1-or-later
/* What /sys/devices and /proc say about the machine. */
#include "tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CPU  "sys/devices/system/cpu"
#define NODE "sys/devices/system/node"

typedef bool same_fn(const struct cpu *a, const struct cpu *b);

static bool same_package(const struct cpu *a, const struct cpu *b)
{
	return a->package == b->package;
}

static bool same_core(const struct cpu *a, const struct cpu *b)
{
	return same_package(a, b) && a->core == b->core;
}

static bool same_l3(const struct cpu *a, const struct cpu *b)
{
	return a->l3 == b->l3;
}

static bool same_node(const struct cpu *a, const struct cpu *b)
{
	return a->node == b->node;
}

static bool same_kind(const struct cpu *a, const struct cpu *b)
{
	return a->atom == b->atom;
}

static bool any_cpu(const struct cpu *a, const struct cpu *b)
{
	(void)a;
	(void)b;
	return true;
}

enum what { MASK, LIST };

/* The online CPUs that are like `cpu`; the caller frees. */
static bool *like(struct tree *t, const struct machine *m, const struct cpu *cpu, same_fn *same)
{
	bool *set = calloc(m->ncpu ? m->ncpu : 1, sizeof(*set));

	if (!set)
		fail(t->err, ENOMEM, "out of memory");
	for (size_t i = 0; set && i < m->ncpu; i++)
		set[i] = m->cpu[i].online && same(&m->cpu[i], cpu);
	return set;
}

static void set_file(struct tree *t, const char *path, const bool *set, size_t n, enum what what)
{
	struct text x;
	FILE *f = text_open(t, &x);

	if (!f)
		return;
	if (what == MASK)
		text_mask(f, set, n);
	else
		text_list(f, set, n);
	text_file(t, path, 0444, &x);
}

/* Two files, since the kernel has each set as a mask and as a list. */
static void set_files(struct tree *t, const struct machine *m, const struct cpu *cpu, same_fn *same,
		      const char *dir, const char *mask, const char *list)
{
	bool *set = like(t, m, cpu, same);

	if (set) {
		set_file(t, at(t, "%s/%s", dir, mask), set, m->ncpu, MASK);
		set_file(t, at(t, "%s/%s", dir, list), set, m->ncpu, LIST);
	}
	free(set);
}

static void write_cache(struct tree *t, const struct machine *m, const struct cpu *cpu,
			const char *cpu_dir)
{
	char dir[128];

	snprintf(dir, sizeof(dir), "%s/cache", cpu_dir);
	tree_dir(t, dir);
	if (cpu->l3 < 0)
		return;
	snprintf(dir, sizeof(dir), "%s/cache/index3", cpu_dir);
	tree_dir(t, dir);
	tree_text(t, at(t, "%s/id", dir), 0444, "%u\n", m->l3[cpu->l3].id);
	tree_text(t, at(t, "%s/level", dir), 0444, "3\n");
	tree_text(t, at(t, "%s/type", dir), 0444, "Unified\n");
	tree_text(t, at(t, "%s/size", dir), 0444, "32768K\n");
	tree_text(t, at(t, "%s/coherency_line_size", dir), 0444, "64\n");
	tree_text(t, at(t, "%s/ways_of_associativity", dir), 0444, "16\n");
	tree_text(t, at(t, "%s/number_of_sets", dir), 0444, "32768\n");
	tree_text(t, at(t, "%s/physical_line_partition", dir), 0444, "1\n");
	set_files(t, m, cpu, same_l3, dir, "shared_cpu_map", "shared_cpu_list");
}

static void write_cpu(struct tree *t, const struct machine *m, size_t number)
{
	const struct cpu *cpu = &m->cpu[number];
	char cpu_dir[64], dir[96];

	snprintf(cpu_dir, sizeof(cpu_dir), CPU "/cpu%zu", number);
	tree_dir(t, cpu_dir);
	tree_text(t, at(t, "%s/online", cpu_dir), 0644, "%d\n", cpu->online);
	if (!cpu->online)
		return;
	snprintf(dir, sizeof(dir), "%s/topology", cpu_dir);
	tree_dir(t, dir);
	tree_text(t, at(t, "%s/physical_package_id", dir), 0444, "%u\n", cpu->package);
	tree_text(t, at(t, "%s/die_id", dir), 0444, "0\n");
	tree_text(t, at(t, "%s/core_id", dir), 0444, "%u\n", cpu->core);
	set_files(t, m, cpu, same_core, dir, "core_cpus", "core_cpus_list");
	set_files(t, m, cpu, same_core, dir, "thread_siblings", "thread_siblings_list");
	set_files(t, m, cpu, same_package, dir, "core_siblings", "core_siblings_list");
	set_files(t, m, cpu, same_package, dir, "die_cpus", "die_cpus_list");
	set_files(t, m, cpu, same_package, dir, "package_cpus", "package_cpus_list");
	write_cache(t, m, cpu, cpu_dir);
	if (!m->hybrid)
		return;
	/* The only sign of hybrid CPUs that hwloc 2.9 looks for. */
	tree_dir(t, at(t, "%s/cpufreq", cpu_dir));
	tree_text(t, at(t, "%s/cpufreq/base_frequency", cpu_dir), 0444, "%d\n",
		  cpu->atom ? 1800000 : 2400000);
	tree_text(t, at(t, "%s/cpufreq/cpuinfo_max_freq", cpu_dir), 0444, "%d\n",
		  cpu->atom ? 3800000 : 5000000);
}

static void write_cpus(struct tree *t, const struct machine *m)
{
	static const struct cpu none = { 0 };
	const size_t last = m->ncpu - 1;

	tree_parents(t, CPU "/x");
	tree_text(t, CPU "/possible", 0444, last ? "0-%zu\n" : "%zu\n", last);
	tree_text(t, CPU "/present", 0444, last ? "0-%zu\n" : "%zu\n", last);
	tree_text(t, CPU "/kernel_max", 0444, "8191\n");
	bool *set = like(t, m, &none, any_cpu);
	if (set)
		set_file(t, CPU "/online", set, m->ncpu, LIST);
	for (size_t i = 0; set && i < m->ncpu; i++)
		set[i] = !set[i];
	if (set)
		set_file(t, CPU "/offline", set, m->ncpu, LIST);
	free(set);
	for (size_t i = 0; i < m->ncpu; i++)
		write_cpu(t, m, i);
}

static void write_kinds(struct tree *t, const struct machine *m)
{
	static const char *const names[] = { "cpu_core", "cpu_atom" };

	for (int atom = 0; m->hybrid && atom < 2; atom++) {
		const struct cpu kind = { .atom = atom };
		tree_dir(t, at(t, "sys/devices/%s", names[atom]));
		bool *set = like(t, m, &kind, same_kind);
		if (set)
			set_file(t, at(t, "sys/devices/%s/cpus", names[atom]), set, m->ncpu, LIST);
		free(set);
	}
}

static void write_nodes(struct tree *t, const struct machine *m)
{
	const unsigned last = m->nnode - 1;
	char dir[64];

	tree_dir(t, NODE);
	static const char *const lists[] = { "online", "possible", "has_cpu", "has_memory",
					     "has_normal_memory" };
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		tree_text(t, at(t, NODE "/%s", lists[i]), 0444, last ? "0-%u\n" : "%u\n", last);
	for (unsigned n = 0; n <= last; n++) {
		const struct cpu place = { .node = n };
		snprintf(dir, sizeof(dir), NODE "/node%u", n);
		tree_dir(t, dir);
		set_files(t, m, &place, same_node, dir, "cpumap", "cpulist");
		tree_text(
			t, at(t, "%s/meminfo", dir), 0444,
			"Node %u MemTotal:       16777216 kB\nNode %u MemFree:        8388608 kB\n",
			n, n);
		struct text x;
		FILE *f = text_open(t, &x);
		if (!f)
			return;
		for (unsigned to = 0; to <= last; to++)
			fprintf(f, "%d%c", to == n ? 10 : 20, to == last ? '\n' : ' ');
		text_file(t, at(t, "%s/distance", dir), 0444, &x);
	}
}

static bool has_feature(const struct spec *s, const char *name)
{
	for (size_t i = 0; i < s->features.n && !s->nomon; i++) {
		if (!strcmp(s->features.v[i], name))
			return true;
	}
	return false;
}

static void write_cpuinfo(struct tree *t, const struct spec *s)
{
	const struct machine *m = &s->machine;
	const bool hw = !s->noresctrl, mon = hw && !s->nomon;
	struct text x;
	FILE *f = text_open(t, &x);

	if (!f)
		return;
	for (size_t i = 0; i < m->ncpu; i++) {
		if (!m->cpu[i].online)
			continue;
		fprintf(f, "processor\t: %zu\nvendor_id\t: %s\n", i,
			m->intel ? "GenuineIntel" : "AuthenticAMD");
		fprintf(f,
			"cpu family\t: %d\nmodel\t\t: 1\nmodel name\t: Fake CPU\nstepping\t: 0\n",
			m->intel ? 6 : 25);
		fprintf(f, "physical id\t: %u\ncore id\t\t: %u\n", m->cpu[i].package,
			m->cpu[i].core);
		fprintf(f, "flags\t\t: fpu tsc msr constant_tsc nonstop_tsc%s%s%s%s%s%s\n\n",
			hw ? " rdt_a" : "", hw && !s->mononly ? " cat_l3 mba" : "",
			mon && s->features.n ? " cqm cqm_llc" : "",
			mon && has_feature(s, "llc_occupancy") ? " cqm_occup_llc" : "",
			mon && has_feature(s, "mbm_total_bytes") ? " cqm_mbm_total" : "",
			mon && has_feature(s, "mbm_local_bytes") ? " cqm_mbm_local" : "");
	}
	text_file(t, "proc/cpuinfo", 0444, &x);
}

/* Blanks, tabs and backslashes in a mount point, as the kernel writes them. */
static void escape_mount(FILE *f, const char *p)
{
	fputc('/', f);
	for (; *p; p++) {
		if (strchr(" \t\n\\#", *p))
			fprintf(f, "\\%03o", (unsigned)(unsigned char)*p);
		else
			fputc(*p, f);
	}
}

static void write_mounts(struct tree *t, const struct spec *s)
{
	struct text x;
	FILE *f = text_open(t, &x);

	if (!f)
		return;
	fputs("sysfs /sys sysfs rw,nosuid,nodev,noexec,relatime 0 0\n"
	      "proc /proc proc rw,nosuid,nodev,noexec,relatime 0 0\n",
	      f);
	if (!s->unmounted) {
		fputs("resctrl ", f);
		escape_mount(f, s->mount);
		fprintf(f, " resctrl %s 0 0\n", s->mount_options);
	}
	text_file(t, "proc/self/mounts", 0444, &x);
	f = text_open(t, &x);
	if (!f)
		return;
	fputs("23 29 0:22 / /sys rw,nosuid,nodev,noexec,relatime shared:2 - sysfs sysfs rw\n"
	      "24 29 0:23 / /proc rw,nosuid,nodev,noexec,relatime shared:3 - proc proc rw\n",
	      f);
	if (!s->unmounted) {
		fputs("57 23 0:51 / ", f);
		escape_mount(f, s->mount);
		fprintf(f, " rw,relatime shared:31 - resctrl resctrl %s\n", s->mount_options);
	}
	text_file(t, "proc/self/mountinfo", 0444, &x);
}

void write_machine(struct tree *t, const struct spec *s)
{
	const struct machine *m = &s->machine;
	const unsigned long total = 16777216ul * m->nnode;

	write_cpus(t, m);
	write_kinds(t, m);
	write_nodes(t, m);
	tree_parents(t, "proc/self/x");
	tree_parents(t, "proc/sys/kernel/x");
	write_cpuinfo(t, s);
	tree_text(t, "proc/meminfo", 0444, "MemTotal:       %lu kB\nMemFree:        %lu kB\n",
		  total, total / 2);
	tree_text(t, "proc/version", 0444, "Linux version %s (fake@fake) (gcc) #1 SMP\n",
		  m->kernel);
	tree_text(t, "proc/sys/kernel/osrelease", 0444, "%s\n", m->kernel);
	tree_text(t, "proc/sys/kernel/hostname", 0444, "%s\n", m->host);
	tree_text(t, "proc/filesystems", 0444, "nodev\tsysfs\nnodev\tproc\n%s\text4\n",
		  s->noresctrl ? "" : "nodev\tresctrl\n");
	write_mounts(t, s);
	tree_symlink(t, "proc/mounts", "self/mounts");
}

// SPDX-License-Identifier: LGPL-2.1-or-later
#include "host/machine.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <mntent.h>
#include <string.h>
#include <sys/types.h>
#include <sys/utsname.h>

#include "base/cleanup.h"
#include "base/ranges.h"

#define CPUS_DIR "/sys/devices/system/cpu"

static FILE *open_file(const char *sysroot, const char *name)
{
	char path[PATH_MAX];

	if ((size_t)snprintf(path, sizeof(path), "%s%s", sysroot, name) >= sizeof(path))
		return NULL;
	return fopen(path, "re");
}

/* The first line without its newline, to be freed; NULL: no file, or an empty one. */
static char *first_line(const char *sysroot, const char *name)
{
	cleanup(cleanup_file) FILE *file = open_file(sysroot, name);
	char *line = NULL;
	size_t size = 0;

	if (file && getline(&line, &size, file) > 0) {
		line[strcspn(line, "\n")] = '\0';
		/* How the kernel prints an empty set of nohz_full CPUs. */
		if (*line && !strstr(line, "(null)"))
			return line;
	}
	free(line);
	return NULL;
}

/* The text behind "key : " in the first block of /proc/cpuinfo. */
static char *cpuinfo(const char *sysroot, const char *key)
{
	cleanup(cleanup_file) FILE *file = open_file(sysroot, "/proc/cpuinfo");
	cleanup(cleanup_free) char *line = NULL;
	const size_t len = strlen(key);
	size_t size = 0;

	while (file && getline(&line, &size, file) > 0) {
		const char *text = line + len;

		if (*line == '\n')
			return NULL;
		if (strncmp(line, key, len) || !strchr(" \t:", *text))
			continue;
		text += strspn(text, " \t:");
		line[strcspn(line, "\n")] = '\0';
		return *text ? strdup(text) : NULL;
	}
	return NULL;
}

static char *find_governor(const char *sysroot)
{
	char *governor = NULL;

	for (unsigned int cpu = 0; cpu < 8192; cpu++) {
		char name[128];
		char *other;

		snprintf(name, sizeof(name), CPUS_DIR "/cpu%u/cpufreq/scaling_governor", cpu);
		other = first_line(sysroot, name);
		/* Offline CPUs have none; the first without a directory is the end. */
		if (!other && cpu)
			break;
		if (governor && other && strcmp(governor, other) != 0) {
			free(governor);
			free(other);
			return strdup("mixed");
		}
		if (governor)
			free(other);
		else
			governor = other;
	}
	return governor;
}

static char *find_boost(const char *sysroot)
{
	cleanup(cleanup_free) char *boost = first_line(sysroot, CPUS_DIR "/cpufreq/boost");
	cleanup(cleanup_free) char *no_turbo =
		first_line(sysroot, CPUS_DIR "/intel_pstate/no_turbo");

	if (boost)
		return strdup(strcmp(boost, "0") ? "on" : "off");
	if (no_turbo)
		return strdup(strcmp(no_turbo, "0") ? "off" : "on");
	return NULL;
}

static char *find_hypervisor(const char *sysroot)
{
	cleanup(cleanup_free) char *flags = cpuinfo(sysroot, "flags");
	char *name;

	if (!flags)
		return NULL;
	if (!strstr(flags, " hypervisor"))
		return strdup("none");
	name = first_line(sysroot, "/sys/hypervisor/type");
	if (!name)
		name = first_line(sysroot, "/sys/class/dmi/id/sys_vendor");
	return name ? name : strdup("unknown");
}

static char *find_mount_options(const char *sysroot)
{
	cleanup(cleanup_file) FILE *file = open_file(sysroot, "/proc/self/mounts");
	char text[4096];
	struct mntent entry;

	if (!file)
		file = open_file(sysroot, "/proc/mounts");
	while (file && getmntent_r(file, &entry, text, sizeof(text))) {
		if (!strcmp(entry.mnt_type, "resctrl"))
			return strdup(entry.mnt_opts);
	}
	return NULL;
}

static int compare_mitigations(const void *a, const void *b)
{
	const struct machine_mitigation *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static int add_mitigation(struct machine *m, const char *name, char *text)
{
	struct machine_mitigation *more;
	char *copy = strdup(name);

	more = realloc(m->mitigations, (m->n_mitigations + 1) * sizeof(*more));
	if (more)
		m->mitigations = more;
	if (!more || !copy) {
		free(copy);
		free(text);
		return -ENOMEM;
	}
	m->mitigations[m->n_mitigations++] =
		(struct machine_mitigation){ .name = copy, .text = text };
	return 0;
}

static int find_mitigations(struct machine *m, const char *sysroot)
{
	static const char where[] = CPUS_DIR "/vulnerabilities";
	char path[PATH_MAX];
	struct dirent *entry;
	DIR *dir = NULL;
	int ret = 0;

	if ((size_t)snprintf(path, sizeof(path), "%s%s", sysroot, where) < sizeof(path))
		dir = opendir(path);
	while (dir && ret == 0 && (entry = readdir(dir))) {
		char name[sizeof(where) + 1 + NAME_MAX];
		char *text;

		if (entry->d_name[0] == '.')
			continue;
		snprintf(name, sizeof(name), "%s/%s", where, entry->d_name);
		text = first_line(sysroot, name);
		if (text)
			ret = add_mitigation(m, entry->d_name, text);
	}
	if (dir)
		closedir(dir);
	if (m->n_mitigations)
		qsort(m->mitigations, m->n_mitigations, sizeof(*m->mitigations),
		      compare_mitigations);
	return ret;
}

/* Facts that are the one line of a file. */
static const struct {
	size_t offset;
	const char *file;
} lines[] = {
	{ offsetof(struct machine, kernel_release), "/proc/sys/kernel/osrelease" },
	{ offsetof(struct machine, kernel_version), "/proc/sys/kernel/version" },
	{ offsetof(struct machine, boot_id), "/proc/sys/kernel/random/boot_id" },
	{ offsetof(struct machine, cmdline), "/proc/cmdline" },
	{ offsetof(struct machine, nohz_full), CPUS_DIR "/nohz_full" },
	{ offsetof(struct machine, isolated), CPUS_DIR "/isolated" },
	{ offsetof(struct machine, smt), CPUS_DIR "/smt/control" },
	{ offsetof(struct machine, perf_event_paranoid), "/proc/sys/kernel/perf_event_paranoid" },
};

static char **line_of(struct machine *m, size_t i)
{
	return (char **)((char *)m + lines[i].offset);
}

/* A kernel without /proc/sys answers this all the same. */
static void ask_kernel(struct machine *m)
{
	struct utsname name;

	if (uname(&name) < 0)
		return;
	if (!m->kernel_release)
		m->kernel_release = strdup(name.release);
	if (!m->kernel_version)
		m->kernel_version = strdup(name.version);
}

int machine_open(struct machine *m, const char *sysroot)
{
	*m = (struct machine){ 0 };
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		*line_of(m, i) = first_line(sysroot, lines[i].file);
	if (!*sysroot)
		ask_kernel(m);
	m->cpu_model = cpuinfo(sysroot, "model name");
	m->microcode = cpuinfo(sysroot, "microcode");
	m->governor = find_governor(sysroot);
	m->boost = find_boost(sysroot);
	m->hypervisor = find_hypervisor(sysroot);
	m->mount_options = find_mount_options(sysroot);
	return find_mitigations(m, sysroot);
}

void machine_free(struct machine *m)
{
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		free(*line_of(m, i));
	free(m->cpu_model);
	free(m->microcode);
	free(m->governor);
	free(m->boost);
	free(m->hypervisor);
	free(m->mount_options);
	for (size_t i = 0; i < m->n_mitigations; i++) {
		free(m->mitigations[i].name);
		free(m->mitigations[i].text);
	}
	free(m->mitigations);
	*m = (struct machine){ 0 };
}

int machine_load(const char *sysroot, double load[3])
{
	cleanup(cleanup_free) char *line = first_line(sysroot, "/proc/loadavg");
	const char *text = line;

	if (!line)
		return -ENOENT;
	for (size_t i = 0; i < 3; i++) {
		unsigned int whole, part;
		int len = 0;

		/* No locale: the kernel's point is a point. */
		if (sscanf(text, " %u.%2u%n", &whole, &part, &len) != 2 || !len)
			return -EINVAL;
		load[i] = whole + part / 100.0;
		text += len;
	}
	return 0;
}

size_t machine_cache_size(const char *sysroot, unsigned int cpu, unsigned int level)
{
	size_t largest = 0;

	for (unsigned int i = 0; i < 16; i++) {
		cleanup(cleanup_free) char *has = NULL;
		cleanup(cleanup_free) char *size = NULL;
		char name[128];
		size_t bytes;

		snprintf(name, sizeof(name), CPUS_DIR "/cpu%u/cache/index%u/level", cpu, i);
		has = first_line(sysroot, name);
		if (!has)
			continue;
		snprintf(name, sizeof(name), CPUS_DIR "/cpu%u/cache/index%u/size", cpu, i);
		size = first_line(sysroot, name);
		if (!size || strtoul(has, NULL, 10) != level)
			continue;
		bytes = strtoul(size, NULL, 10) << (strchr(size, 'M') ? 20 : 10);
		if (bytes > largest)
			largest = bytes;
	}
	return largest;
}

int machine_sibling(const char *sysroot, unsigned int cpu)
{
	cleanup(cleanup_free) struct range *ranges = NULL;
	cleanup(cleanup_free) char *list = NULL;
	char name[128];
	size_t n = 0;

	snprintf(name, sizeof(name), CPUS_DIR "/cpu%u/topology/thread_siblings_list", cpu);
	list = first_line(sysroot, name);
	if (!list || ranges_parse(list, &ranges, &n) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		for (uint64_t c = ranges[i].first; c <= ranges[i].last && c < INT_MAX; c++) {
			if (c != cpu)
				return (int)c;
		}
	}
	return -1;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
#include "host/sysfs.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/digits.h"

#define SYSTEM_DIR "/sys/devices/system/"
/* A list of CPUs is a page at most. */
#define TEXT_SIZE  4096
#define INDEX_MAX  8

/* The first line. */
static int read_text(const char *sysroot, const char *file, char text[TEXT_SIZE])
{
	cleanup(cleanup_fd) int fd = -1;
	char path[PATH_MAX];
	ssize_t n;

	if ((size_t)snprintf(path, sizeof(path), "%s" SYSTEM_DIR "%s", sysroot, file) >= sizeof(path))
		return -ENAMETOOLONG;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return -errno;
	n = read(fd, text, TEXT_SIZE - 1);
	if (n < 0)
		return -errno;
	text[n] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return 0;
}

int sysfs_list(const char *sysroot, const char *file, struct range **ranges, size_t *n)
{
	char text[TEXT_SIZE];
	int ret = read_text(sysroot, file, text);

	*ranges = NULL;
	*n = 0;
	if (ret < 0 || !*text)
		return ret;
	return ranges_parse(text, ranges, n);
}

/* Takes @cpus over in any case. */
static int add_part(struct sysfs_map *map, uint64_t number, struct range *cpus, size_t n)
{
	struct sysfs_part *bigger = reallocarray(map->part, map->n + 1, sizeof(*bigger));

	if (!bigger) {
		free(cpus);
		return -ENOMEM;
	}
	map->part = bigger;
	bigger[map->n++] = (struct sysfs_part){ number, cpus, n };
	return 0;
}

void sysfs_map_free(struct sysfs_map *map)
{
	for (size_t i = 0; i < map->n; i++)
		free(map->part[i].cpus);
	free(map->part);
	*map = (struct sysfs_map){ 0 };
}

struct walk {
	const char *sysroot;
	unsigned int level;
	unsigned int index; /* where the last CPU had its cache of that level */
	struct sysfs_map *map;
	bool *seen; /* per CPU */
	size_t n_cpus;
};

static int cache_text(const struct walk *w, size_t cpu, unsigned int index, const char *what,
		      char text[TEXT_SIZE])
{
	char file[128];

	snprintf(file, sizeof(file), "cpu/cpu%zu/cache/index%u/%s", cpu, index, what);
	return read_text(w->sysroot, file, text);
}

/* 1: it is of the level that is wanted, and holds data; 0 or less: not. */
static int is_wanted(const struct walk *w, size_t cpu, unsigned int index)
{
	char text[TEXT_SIZE];
	uint64_t level;
	int ret = cache_text(w, cpu, index, "level", text);

	if (ret < 0)
		return ret;
	if (!digits_get(text, strlen(text), &level) || level != w->level)
		return 0;
	return cache_text(w, cpu, index, "type", text) < 0 || strcmp(text, "Instruction") != 0;
}

/* The same as on the CPU before, nearly always. */
static int find_index(struct walk *w, size_t cpu)
{
	int ret = is_wanted(w, cpu, w->index);

	for (unsigned int i = 0; ret <= 0 && i < INDEX_MAX; i++) {
		ret = is_wanted(w, cpu, i);
		if (ret > 0)
			w->index = i;
	}
	return ret < 0 ? 0 : ret;
}

static int look_at(struct walk *w, size_t cpu)
{
	struct range *shared = NULL;
	char text[TEXT_SIZE];
	uint64_t number;
	size_t n = 0;
	int ret = find_index(w, cpu);

	/* Some cores of a mixed machine have no such cache. */
	if (ret <= 0)
		return ret;
	if (cache_text(w, cpu, w->index, "id", text) < 0 ||
	    !digits_get(text, strlen(text), &number))
		return -ENODATA;
	ret = cache_text(w, cpu, w->index, "shared_cpu_list", text);
	if (ret == 0)
		ret = ranges_parse(text, &shared, &n);
	if (ret < 0)
		return ret;
	for (size_t r = 0; r < n; r++) {
		for (uint64_t c = shared[r].first; c <= shared[r].last && c < w->n_cpus; c++)
			w->seen[c] = true;
	}
	return add_part(w->map, number, shared, n);
}

static int walk_cpus(const char *sysroot, unsigned int level, struct sysfs_map *map)
{
	struct walk w = { .sysroot = sysroot, .level = level, .map = map, .index = level };
	cleanup(cleanup_free) struct range *online = NULL;
	cleanup(cleanup_free) bool *seen = NULL;
	size_t n;
	int ret = sysfs_list(sysroot, "cpu/online", &online, &n);

	for (size_t r = 0; ret == 0 && r < n; r++) {
		if (online[r].last >= SYSFS_CPUS_MAX)
			return -EINVAL;
		if (online[r].last >= w.n_cpus)
			w.n_cpus = (size_t)online[r].last + 1;
	}
	w.seen = seen = calloc(w.n_cpus + 1, sizeof(*seen));
	if (!seen)
		return -ENOMEM;
	for (size_t r = 0; ret == 0 && r < n; r++) {
		for (size_t c = (size_t)online[r].first; ret == 0 && c <= online[r].last; c++) {
			if (!seen[c])
				ret = look_at(&w, c);
		}
	}
	return ret;
}

void sysfs_caches(const char *sysroot, unsigned int level, struct sysfs_map *map)
{
	int ret = walk_cpus(sysroot, level, map);

	map->state = ret < 0 ? ret : 1;
}

static int walk_nodes(const char *sysroot, struct sysfs_map *map)
{
	cleanup(cleanup_free) struct range *nodes = NULL;
	size_t n;
	int ret = sysfs_list(sysroot, "node/online", &nodes, &n);

	for (size_t r = 0; ret == 0 && r < n; r++) {
		for (uint64_t node = nodes[r].first; ret == 0 && node <= nodes[r].last; node++) {
			struct range *cpus;
			char file[64];
			size_t count;

			snprintf(file, sizeof(file), "node/node%llu/cpulist",
				 (unsigned long long)node);
			ret = sysfs_list(sysroot, file, &cpus, &count);
			if (ret == 0)
				ret = add_part(map, node, cpus, count);
		}
	}
	return ret;
}

void sysfs_nodes(const char *sysroot, struct sysfs_map *map)
{
	int ret = walk_nodes(sysroot, map);

	map->state = ret < 0 ? ret : 1;
}

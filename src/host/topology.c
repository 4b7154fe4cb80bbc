// SPDX-License-Identifier: LGPL-2.1-or-later
#include "host/topology.h"

#include <errno.h>
#include <hwloc.h>
#include <hwloc/linux.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "host/sysfs.h"

enum { MAP_L3, MAP_L2, MAP_NODE, MAPS };

struct known {
	struct sysfs_map map[MAPS]; /* looked up when first asked for */
	hwloc_bitmap_t online;
	hwloc_bitmap_t reserved; /* isolated, or without a tick: somebody's own */
	bool loaded; /* hwloc has discovered the whole machine */
	int error;   /* or could not */
};

struct topology {
	hwloc_topology_t hwloc;
	bool here;
	char *sysroot;
	struct known *known;
};

struct place {
	hwloc_bitmap_t cpus;
	hwloc_bitmap_t common; /* those that are nobody's own, or all where there are none */
};

/* What a resource's domains are instances of. */
static const struct {
	const char *resource;
	hwloc_obj_type_t type;
	int map; /* or negative: only hwloc knows */
} resources[] = {
	{ "L3", HWLOC_OBJ_L3CACHE, MAP_L3 },
	{ "L2", HWLOC_OBJ_L2CACHE, MAP_L2 },
	{ "NODE", HWLOC_OBJ_NUMANODE, MAP_NODE },
	{ "PERF_PKG", HWLOC_OBJ_PACKAGE, -1 },
};

static int load(hwloc_topology_t hwloc, const char *sysroot)
{
	unsigned long flags = HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED |
			      HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING |
			      HWLOC_TOPOLOGY_FLAG_NO_DISTANCES | HWLOC_TOPOLOGY_FLAG_NO_MEMATTRS |
			      HWLOC_TOPOLOGY_FLAG_NO_CPUKINDS;
	int ret;

	/* The x86 component runs on every CPU in turn, behind whatever runs there. */
	hwloc_topology_set_components(hwloc, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
	hwloc_topology_set_flags(hwloc, flags);
	hwloc_topology_set_all_types_filter(hwloc, HWLOC_TYPE_FILTER_KEEP_NONE);
	for (size_t i = 0; i < ARRAY_SIZE(resources); i++)
		hwloc_topology_set_type_filter(hwloc, resources[i].type,
					       HWLOC_TYPE_FILTER_KEEP_ALL);
	/* Without it a NUMA node that is part of a cache has all the cache's CPUs. */
	hwloc_topology_set_type_filter(hwloc, HWLOC_OBJ_GROUP, HWLOC_TYPE_FILTER_KEEP_STRUCTURE);
	/* There is no call for this. */
	if (*sysroot && setenv("HWLOC_FSROOT", sysroot, 1) < 0)
		return -errno;
	errno = 0;
	ret = hwloc_topology_load(hwloc) < 0 ? -(errno ? errno : EIO) : 0;
	if (*sysroot)
		unsetenv("HWLOC_FSROOT");
	return ret;
}

static void add_ranges(hwloc_bitmap_t set, const struct range *cpus, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (cpus[i].last < SYSFS_CPUS_MAX)
			hwloc_bitmap_set_range(set, (unsigned int)cpus[i].first,
					       (int)cpus[i].last);
	}
}

/*
 * hwloc's own discovery reads dozens of files for every CPU, half of what a one-shot
 * dump of a large machine costs. It is done where sysfs has no plain answer, and for
 * questions that only lists and benchmarks ask.
 */
static int discover(const struct topology *t)
{
	struct known *known = t->known;

	if (!known->loaded && !known->error) {
		known->error = load(t->hwloc, t->sysroot);
		known->loaded = known->error == 0;
	}
	return known->error;
}

/* A list of sysfs; nothing where there is none. */
static void add_list(hwloc_bitmap_t set, const char *sysroot, const char *file)
{
	cleanup(cleanup_free) struct range *cpus = NULL;
	size_t n;

	if (sysfs_list(sysroot, file, &cpus, &n) == 0)
		add_ranges(set, cpus, n);
}

int topology_open(struct topology **topology, const char *sysroot)
{
	struct topology *t = calloc(1, sizeof(*t));
	int ret = -ENOMEM;

	if (!t)
		return -ENOMEM;
	t->known = calloc(1, sizeof(*t->known));
	t->sysroot = strdup(sysroot);
	if (!t->known || !t->sysroot || hwloc_topology_init(&t->hwloc) < 0)
		goto fail;
	t->known->online = hwloc_bitmap_alloc();
	t->known->reserved = hwloc_bitmap_alloc();
	if (!t->known->online || !t->known->reserved)
		goto fail;
	add_list(t->known->online, sysroot, "cpu/online");
	add_list(t->known->reserved, sysroot, "cpu/isolated");
	add_list(t->known->reserved, sysroot, "cpu/nohz_full");
	ret = hwloc_bitmap_iszero(t->known->online) ? discover(t) : 0;
	if (ret < 0)
		goto fail;
	t->here = !*sysroot && (!t->known->loaded || hwloc_topology_is_thissystem(t->hwloc));
	*topology = t;
	return 0;
fail:
	topology_close(t);
	return ret;
}

static void free_known(struct known *known)
{
	if (!known)
		return;
	for (size_t m = 0; m < MAPS; m++)
		sysfs_map_free(&known->map[m]);
	hwloc_bitmap_free(known->online);
	hwloc_bitmap_free(known->reserved);
	free(known);
}

void topology_close(struct topology *topology)
{
	if (!topology)
		return;
	if (topology->hwloc)
		hwloc_topology_destroy(topology->hwloc);
	free_known(topology->known);
	free(topology->sysroot);
	free(topology);
}

bool topology_is_here(const struct topology *topology)
{
	return topology->here;
}

/* Add the CPUs of all objects of this type and number. */
static void add_objects(hwloc_topology_t hwloc, hwloc_obj_type_t type, uint64_t number,
			hwloc_bitmap_t cpus)
{
	hwloc_obj_t object = NULL;

	while ((object = hwloc_get_next_obj_by_type(hwloc, type, object))) {
		if (object->os_index != HWLOC_UNKNOWN_INDEX && object->os_index == number)
			hwloc_bitmap_or(cpus, cpus, object->cpuset);
	}
}

static const struct sysfs_map *look_up(const struct topology *t, int which)
{
	struct sysfs_map *map = &t->known->map[which];

	if (hwloc_bitmap_iszero(t->known->online))
		return NULL;
	if (!map->state && which == MAP_NODE)
		sysfs_nodes(t->sysroot, map);
	else if (!map->state)
		sysfs_caches(t->sysroot, which == MAP_L3 ? 3 : 2, map);
	return map->state > 0 ? map : NULL;
}

/* A cache that a kernel describes in two parts is still one domain. */
static void add_cpus(const struct topology *t, int which, hwloc_obj_type_t type, uint64_t number,
		     hwloc_bitmap_t cpus)
{
	const struct sysfs_map *map = which < 0 ? NULL : look_up(t, which);

	if (map) {
		for (size_t i = 0; i < map->n; i++) {
			if (map->part[i].number == number)
				add_ranges(cpus, map->part[i].cpus, map->part[i].n);
		}
		hwloc_bitmap_and(cpus, cpus, t->known->online);
	} else if (discover(t) == 0) {
		add_objects(t->hwloc, type, number, cpus);
	}
}

static bool find_row(const char *resource, size_t *row)
{
	for (*row = 0; *row < ARRAY_SIZE(resources); (*row)++) {
		if (!strcmp(resources[*row].resource, resource))
			return true;
	}
	return false;
}

struct place *place_find(const struct topology *topology, const char *resource, uint64_t id,
			 int64_t sub_id)
{
	hwloc_bitmap_t node = hwloc_bitmap_alloc();
	struct place *place = calloc(1, sizeof(*place));
	size_t row;

	if (!place || !node || !find_row(resource, &row))
		goto none;
	place->cpus = hwloc_bitmap_alloc();
	place->common = hwloc_bitmap_alloc();
	if (!place->cpus || !place->common)
		goto none;
	add_cpus(topology, resources[row].map, resources[row].type, id, place->cpus);
	if (sub_id >= 0) {
		add_cpus(topology, MAP_NODE, HWLOC_OBJ_NUMANODE, (uint64_t)sub_id, node);
		hwloc_bitmap_and(place->cpus, place->cpus, node);
	}
	if (hwloc_bitmap_iszero(place->cpus))
		goto none;
	hwloc_bitmap_andnot(place->common, place->cpus, topology->known->reserved);
	if (hwloc_bitmap_iszero(place->common))
		hwloc_bitmap_copy(place->common, place->cpus);
	hwloc_bitmap_free(node);
	return place;
none:
	hwloc_bitmap_free(node);
	place_free(place);
	return NULL;
}

void place_free(struct place *place)
{
	if (!place)
		return;
	hwloc_bitmap_free(place->cpus);
	hwloc_bitmap_free(place->common);
	free(place);
}

bool place_has_cpu(const struct place *place, unsigned int cpu)
{
	return hwloc_bitmap_isset(place->cpus, cpu);
}

size_t place_cpus(const struct place *place)
{
	int n = hwloc_bitmap_weight(place->cpus);

	return n < 0 ? 0 : (size_t)n;
}

int place_next_cpu(const struct place *place, int cpu)
{
	return hwloc_bitmap_next(place->cpus, cpu);
}

/* As the kernel writes lists of CPUs: ranges and commas. */
static char *list_text(hwloc_const_bitmap_t set)
{
	char *text;

	return hwloc_bitmap_list_asprintf(&text, set) < 0 ? NULL : text;
}

char *place_cpu_list(const struct place *place)
{
	return list_text(place->cpus);
}

char *place_node_list(const struct topology *topology, const struct place *place)
{
	hwloc_bitmap_t nodes = hwloc_bitmap_alloc();
	hwloc_obj_t node = NULL;
	char *text;

	while (nodes && discover(topology) == 0 &&
	       (node = hwloc_get_next_obj_by_type(topology->hwloc, HWLOC_OBJ_NUMANODE, node))) {
		if (hwloc_bitmap_intersects(node->cpuset, place->cpus))
			hwloc_bitmap_set(nodes, node->os_index);
	}
	text = nodes ? list_text(nodes) : NULL;
	hwloc_bitmap_free(nodes);
	return text;
}

int place_package(const struct topology *topology, const struct place *place)
{
	hwloc_obj_t package = NULL;

	while (discover(topology) == 0 &&
	       (package = hwloc_get_next_obj_by_type(topology->hwloc, HWLOC_OBJ_PACKAGE,
						     package))) {
		if (hwloc_bitmap_isset(package->cpuset,
				       (unsigned int)hwloc_bitmap_first(place->cpus)))
			return (int)package->os_index;
	}
	return -1;
}

/* Needs no discovery, unlike hwloc_set_cpubind(). */
static int bind_to(const struct topology *topology, hwloc_const_bitmap_t set)
{
	if (hwloc_linux_set_tid_cpubind(topology->hwloc, 0, set) < 0)
		return -errno;
	return 0;
}

static int bind_to_cpu(const struct topology *topology, int cpu)
{
	hwloc_bitmap_t one = hwloc_bitmap_alloc();
	int ret;

	if (!one)
		return -ENOMEM;
	hwloc_bitmap_only(one, (unsigned int)cpu);
	ret = bind_to(topology, one);
	hwloc_bitmap_free(one);
	return ret;
}

/* The kernel took those of the CPUs that a cpuset leaves; choose one. */
static int narrow_to_first(const struct topology *topology, hwloc_const_bitmap_t set)
{
	hwloc_bitmap_t allowed = hwloc_bitmap_alloc();
	int ret = 0;

	if (!allowed)
		return -ENOMEM;
	if (hwloc_linux_get_tid_cpubind(topology->hwloc, 0, allowed) < 0)
		ret = -errno;
	else if (!hwloc_bitmap_and(allowed, allowed, set) && hwloc_bitmap_iszero(allowed))
		ret = -EINVAL;
	if (ret == 0)
		ret = bind_to_cpu(topology, hwloc_bitmap_first(allowed));
	hwloc_bitmap_free(allowed);
	return ret;
}

static int bind_to_first(const struct topology *topology, hwloc_const_bitmap_t set)
{
	int ret = bind_to_cpu(topology, hwloc_bitmap_first(set));

	if (ret == 0)
		return 0;
	ret = bind_to(topology, set);
	return ret < 0 ? ret : narrow_to_first(topology, set);
}

int place_bind(const struct topology *topology, const struct place *place, enum cpu_choice choice)
{
	int ret = -EINVAL, cpu;

	if (!topology->here)
		return -EXDEV;
	if (choice == CPU_AUTO)
		ret = bind_to_first(topology, place->common);
	else if (choice == CPU_COMMON)
		ret = bind_to(topology, place->common);
	if (ret < 0 && choice != CPU_ANY && choice != CPU_COMMON)
		ret = bind_to_first(topology, place->cpus);
	else if (ret < 0)
		ret = bind_to(topology, place->cpus);
	if (ret < 0)
		return ret;
	/* Some environments say so without doing anything: look. */
	cpu = sched_getcpu();
	return cpu >= 0 && place_has_cpu(place, (unsigned int)cpu) ? 0 : -ENOSYS;
}

int topology_bind_cpu(const struct topology *topology, unsigned int cpu)
{
	int ret;

	if (!topology->here)
		return -EXDEV;
	ret = bind_to_cpu(topology, (int)cpu);
	if (ret < 0)
		return ret;
	return sched_getcpu() == (int)cpu ? 0 : -ENOSYS;
}

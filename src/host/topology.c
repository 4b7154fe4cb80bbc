// SPDX-License-Identifier: LGPL-2.1-or-later
#include "host/topology.h"

#include <errno.h>
#include <hwloc.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

struct topology {
	hwloc_topology_t hwloc;
	bool here;
};

struct place {
	hwloc_bitmap_t cpus;
};

/* What a resource's domains are instances of. */
static const struct {
	const char *resource;
	hwloc_obj_type_t type;
} resources[] = {
	{ "L3", HWLOC_OBJ_L3CACHE },
	{ "L2", HWLOC_OBJ_L2CACHE },
	{ "NODE", HWLOC_OBJ_NUMANODE },
	{ "PERF_PKG", HWLOC_OBJ_PACKAGE },
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

int topology_open(struct topology **topology, const char *sysroot)
{
	struct topology *t = calloc(1, sizeof(*t));
	int ret;

	if (!t)
		return -ENOMEM;
	if (hwloc_topology_init(&t->hwloc) < 0) {
		free(t);
		return -ENOMEM;
	}
	ret = load(t->hwloc, sysroot);
	if (ret < 0) {
		topology_close(t);
		return ret;
	}
	t->here = !*sysroot && hwloc_topology_is_thissystem(t->hwloc);
	*topology = t;
	return 0;
}

void topology_close(struct topology *topology)
{
	if (!topology)
		return;
	hwloc_topology_destroy(topology->hwloc);
	free(topology);
}

bool topology_is_here(const struct topology *topology)
{
	return topology->here;
}

static bool type_of(const char *resource, hwloc_obj_type_t *type)
{
	for (size_t i = 0; i < ARRAY_SIZE(resources); i++) {
		if (!strcmp(resources[i].resource, resource)) {
			*type = resources[i].type;
			return true;
		}
	}
	return false;
}

/* Add the CPUs of all objects of this type and number: a cache that a kernel
 * describes in two parts is still one domain. */
static void add_objects(hwloc_topology_t hwloc, hwloc_obj_type_t type, uint64_t number,
			hwloc_bitmap_t cpus)
{
	hwloc_obj_t object = NULL;

	while ((object = hwloc_get_next_obj_by_type(hwloc, type, object))) {
		if (object->os_index != HWLOC_UNKNOWN_INDEX && object->os_index == number)
			hwloc_bitmap_or(cpus, cpus, object->cpuset);
	}
}

struct place *place_find(const struct topology *topology, const char *resource, uint64_t id,
			 int64_t sub_id)
{
	hwloc_bitmap_t node = hwloc_bitmap_alloc();
	struct place *place = calloc(1, sizeof(*place));
	hwloc_obj_type_t type;

	if (!place || !node || !type_of(resource, &type))
		goto none;
	place->cpus = hwloc_bitmap_alloc();
	if (!place->cpus)
		goto none;
	add_objects(topology->hwloc, type, id, place->cpus);
	if (sub_id >= 0) {
		add_objects(topology->hwloc, HWLOC_OBJ_NUMANODE, (uint64_t)sub_id, node);
		hwloc_bitmap_and(place->cpus, place->cpus, node);
	}
	if (hwloc_bitmap_iszero(place->cpus))
		goto none;
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

	while (nodes && (node = hwloc_get_next_obj_by_type(topology->hwloc, HWLOC_OBJ_NUMANODE,
							   node))) {
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

	while ((package = hwloc_get_next_obj_by_type(topology->hwloc, HWLOC_OBJ_PACKAGE,
						     package))) {
		if (hwloc_bitmap_isset(package->cpuset,
				       (unsigned int)hwloc_bitmap_first(place->cpus)))
			return (int)package->os_index;
	}
	return -1;
}

static int bind_to(const struct topology *topology, hwloc_const_bitmap_t set)
{
	if (hwloc_set_cpubind(topology->hwloc, set, HWLOC_CPUBIND_THREAD) < 0)
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

/* The kernel took those of the domain's CPUs that a cpuset leaves; choose one. */
static int narrow_to_first(const struct topology *topology, const struct place *place)
{
	hwloc_bitmap_t allowed = hwloc_bitmap_alloc();
	int ret = -ENOMEM;

	if (!allowed)
		return ret;
	if (hwloc_get_cpubind(topology->hwloc, allowed, HWLOC_CPUBIND_THREAD) < 0)
		ret = -errno;
	else if (!hwloc_bitmap_and(allowed, allowed, place->cpus) && hwloc_bitmap_iszero(allowed))
		ret = -EINVAL;
	else
		ret = bind_to_cpu(topology, hwloc_bitmap_first(allowed));
	hwloc_bitmap_free(allowed);
	return ret;
}

int place_bind(const struct topology *topology, const struct place *place, enum cpu_choice choice)
{
	int ret, cpu;

	if (!topology->here)
		return -EXDEV;
	ret = choice == CPU_ANY ? -EINVAL :
				  bind_to_cpu(topology, hwloc_bitmap_first(place->cpus));
	if (ret < 0) {
		ret = bind_to(topology, place->cpus);
		if (ret == 0 && choice != CPU_ANY)
			ret = narrow_to_first(topology, place);
	}
	if (ret < 0)
		return ret;
	/* hwloc succeeds without doing anything in some environments: look. */
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

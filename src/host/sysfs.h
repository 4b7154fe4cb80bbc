/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which CPUs share a cache or a node, from the few files of sysfs that say so: one CPU
 * of each is looked at, and not all of them.
 */
#ifndef HOST_SYSFS_H
#define HOST_SYSFS_H

#include <stddef.h>

#include "base/ranges.h"

/* Far more CPUs than any kernel has. */
#define SYSFS_CPUS_MAX 65536

struct sysfs_part {
	uint64_t number; /* of the cache or node; a cache may come in several parts */
	struct range *cpus;
	size_t n;
};

struct sysfs_map {
	struct sysfs_part *part;
	size_t n;
	int state; /* 0: not looked up; 1: good; or a negative errno */
};

/* @file below /sys/devices/system of @sysroot holds a list: 0, or a negative errno
 * (-ENOENT, -EINVAL, -ENOMEM). Free with free(). */
int sysfs_list(const char *sysroot, const char *file, struct range **ranges, size_t *n);

/* Every cache of @level that an online CPU has; map->state says how it went: -ENODATA
 * where one has no number. Free in any case. */
void sysfs_caches(const char *sysroot, unsigned int level, struct sysfs_map *map);
/* Every NUMA node. */
void sysfs_nodes(const char *sysroot, struct sysfs_map *map);
void sysfs_map_free(struct sysfs_map *map);

#endif

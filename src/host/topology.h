/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which CPUs a domain has, and running on one of them. The only user of hwloc.
 */
#ifndef HOST_TOPOLOGY_H
#define HOST_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct topology;

/* @sysroot: "" for this machine, or a captured tree, on which nothing is bound.
 * 0 or a negative errno; free with topology_close(). */
int topology_open(struct topology **topology, const char *sysroot);
void topology_close(struct topology *topology);
/* Threads can be bound: it is this very machine. */
bool topology_is_here(const struct topology *topology);

/* The CPUs of one domain that are online, and where they are. */
struct place;

/* @sub_id: the NUMA node of a sub-NUMA cluster, or negative. NULL when the topology
 * knows no such domain, or there is no memory. Free with place_free(). */
struct place *place_find(const struct topology *topology, const char *resource, uint64_t id,
			 int64_t sub_id);
void place_free(struct place *place);

bool place_has_cpu(const struct place *place, unsigned int cpu);
size_t place_cpus(const struct place *place);
/* The lowest CPU above @cpu, or -1: begin with -1. */
int place_next_cpu(const struct place *place, int cpu);
/* "0-7,64-71"; to be freed by the caller, NULL without memory. */
char *place_cpu_list(const struct place *place);
/* NUMA nodes of those CPUs, as a list. The same. */
char *place_node_list(const struct topology *topology, const struct place *place);
/* Physical package of the first CPU, or -1. */
int place_package(const struct topology *topology, const struct place *place);

/* Which CPUs of the domain a thread may wander over. */
enum cpu_choice {
	CPU_AUTO,   /* the first that is not set aside (isolated, nohz_full): where the
		       kernel's own worker runs */
	CPU_FIRST,  /* the first one allowed */
	CPU_ANY,    /* all that are allowed */
	CPU_COMMON, /* all that are allowed and not set aside: a thread that wakes up there
		       is put on an idle one */
};

/*
 * Bind the calling thread to the domain. 0 when it then runs there; otherwise a
 * negative errno, -EINVAL where no CPU of the domain is allowed (cpuset), and the
 * thread's binding is as before.
 */
int place_bind(const struct topology *topology, const struct place *place, enum cpu_choice choice);
/* Bind the calling thread to one CPU. 0 or a negative errno. */
int topology_bind_cpu(const struct topology *topology, unsigned int cpu);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which cgroup a process is in. cgroup.c is the only user of libcgroup.
 */
#ifndef HOST_CGROUP_H
#define HOST_CGROUP_H

#include <sys/types.h>

/*
 * The cgroup of a process in the hierarchy that has @controller ("cpuset"), or in
 * the v2 hierarchy where no v1 hierarchy has it: a path such as
 * "/system.slice/x.service", to be freed by the caller. NULL when there is none.
 */
char *cgroup_of(pid_t pid, const char *controller);

/* The same from the "0::" line of /proc/PID/cgroup: the v2 hierarchy alone. */
char *cgroup_of_v2(pid_t pid);

#endif

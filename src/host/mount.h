/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Where resctrl is mounted, whether it could be, and mounting it.
 */
#ifndef HOST_MOUNT_H
#define HOST_MOUNT_H

#include <stdbool.h>

#define MOUNT_DEFAULT "/sys/fs/resctrl"
#define MOUNT_PATH_SIZE 4096

/*
 * The first resctrl in @sysroot's mount table ("" is this machine), as a path that
 * can be opened from here. 0, -ENOENT when none is mounted, another negative errno
 * when the table can't be read.
 */
int mount_find(const char *sysroot, char path[MOUNT_PATH_SIZE]);

/* What this kernel and CPU could do. */
struct mount_support {
	bool known;  /* the rest was found out */
	bool kernel; /* /proc/filesystems has resctrl */
	bool cpu;    /* /proc/cpuinfo has a bandwidth monitoring flag */
};

void mount_support(const char *sysroot, struct mount_support *support);

/* mount(2) resctrl at MOUNT_DEFAULT; a negative errno. */
int mount_resctrl(void);

#endif

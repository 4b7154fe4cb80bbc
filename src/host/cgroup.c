// SPDX-License-Identifier: LGPL-2.1-or-later
#include "host/cgroup.h"

#include <libcgroup.h>
#include <stdarg.h>
#include <stddef.h>

/* The library's own logger writes to stdout, where our data goes. */
static void no_log(void *arg, int level, const char *format, va_list args)
{
	(void)arg;
	(void)level;
	(void)format;
	(void)args;
}

char *cgroup_of(pid_t pid, const char *controller)
{
	char *path = NULL;

	cgroup_set_logger(no_log, CGROUP_LOG_ERROR, NULL);
	if (cgroup_init() == 0 && cgroup_get_current_controller_path(pid, controller, &path) == 0 &&
	    path)
		return path;
	return cgroup_of_v2(pid);
}

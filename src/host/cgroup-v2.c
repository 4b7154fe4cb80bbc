// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * libcgroup 2.0.2 finds nothing on a machine with cgroup v2 alone.
 */
#include "host/cgroup.h"

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"

char *cgroup_of_v2(pid_t pid)
{
	cleanup(cleanup_free) char *line = NULL;
	cleanup(cleanup_file) FILE *file = NULL;
	size_t size = 0;
	char path[32];
	ssize_t len;

	snprintf(path, sizeof(path), "/proc/%d/cgroup", (int)pid);
	file = fopen(path, "re");
	if (!file)
		return NULL;
	while ((len = getline(&line, &size, file)) > 0) {
		if (strncmp(line, "0::", 3))
			continue;
		if (line[len - 1] == '\n')
			line[len - 1] = '\0';
		return strdup(line + 3);
	}
	return NULL;
}

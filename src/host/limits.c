// SPDX-License-Identifier: LGPL-2.1-or-later
#include "host/limits.h"

#include <dirent.h>
#include <stdint.h>
#include <sys/resource.h>

static size_t count_open_fds(void)
{
	DIR *dir = opendir("/proc/self/fd");
	size_t n = 0;

	/* Without /proc: the three that every program has, and ours. */
	if (!dir)
		return 8;
	while (readdir(dir))
		n++;
	closedir(dir);
	/* ".", ".." and the directory itself. */
	return n > 3 ? n - 3 : 0;
}

static size_t to_size(rlim_t limit)
{
	return limit == RLIM_INFINITY || limit > SIZE_MAX ? SIZE_MAX : (size_t)limit;
}

void limits_fds(struct fd_limits *limits)
{
	struct rlimit r = { 0 };

	getrlimit(RLIMIT_NOFILE, &r);
	limits->soft = to_size(r.rlim_cur);
	limits->hard = to_size(r.rlim_max);
	limits->open = count_open_fds();
}

size_t limits_raise_fds(size_t spare)
{
	struct fd_limits limits;
	struct rlimit r;

	if (getrlimit(RLIMIT_NOFILE, &r) == 0 && r.rlim_cur < r.rlim_max) {
		r.rlim_cur = r.rlim_max;
		setrlimit(RLIMIT_NOFILE, &r);
	}
	limits_fds(&limits);
	if (limits.soft <= limits.open + spare)
		return 0;
	return limits.soft - limits.open - spare;
}

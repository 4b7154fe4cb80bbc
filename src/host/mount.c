// SPDX-License-Identifier: LGPL-2.1-or-later
#include "host/mount.h"

#include <errno.h>
#include <mntent.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>

#include "base/cleanup.h"

static FILE *open_proc(const char *sysroot, const char *name)
{
	char path[MOUNT_PATH_SIZE];

	if ((size_t)snprintf(path, sizeof(path), "%s/proc/%s", sysroot, name) >= sizeof(path)) {
		errno = ENAMETOOLONG;
		return NULL;
	}
	return fopen(path, "re");
}

int mount_find(const char *sysroot, char path[MOUNT_PATH_SIZE])
{
	cleanup(cleanup_file) FILE *file = open_proc(sysroot, "self/mounts");
	char text[3 * MOUNT_PATH_SIZE];
	struct mntent entry;

	/* A captured tree need not have a "self". */
	if (!file)
		file = open_proc(sysroot, "mounts");
	if (!file)
		return -errno;
	while (getmntent_r(file, &entry, text, sizeof(text))) {
		if (strcmp(entry.mnt_type, "resctrl"))
			continue;
		if ((size_t)snprintf(path, MOUNT_PATH_SIZE, "%s%s", sysroot, entry.mnt_dir) >=
		    MOUNT_PATH_SIZE)
			return -ENAMETOOLONG;
		return 0;
	}
	return -ENOENT;
}

static bool has_word(FILE *file, const char *prefix, const char *const *words)
{
	cleanup(cleanup_free) char *line = NULL;
	size_t size = 0;

	while (getline(&line, &size, file) > 0) {
		char *save, *word;

		if (strncmp(line, prefix, strlen(prefix)))
			continue;
		for (word = strtok_r(line, " \t\n:", &save); word;
		     word = strtok_r(NULL, " \t\n:", &save)) {
			for (const char *const *w = words; *w; w++) {
				if (!strcmp(word, *w))
					return true;
			}
		}
	}
	return false;
}

void mount_support(const char *sysroot, struct mount_support *support)
{
	static const char *const kernel_words[] = { "resctrl", NULL };
	static const char *const cpu_words[] = { "cqm_mbm_total", "cqm_mbm_local", NULL };
	cleanup(cleanup_file) FILE *filesystems = open_proc(sysroot, "filesystems");
	cleanup(cleanup_file) FILE *cpuinfo = open_proc(sysroot, "cpuinfo");

	*support = (struct mount_support){ 0 };
	if (!filesystems || !cpuinfo)
		return;
	support->known = true;
	support->kernel = has_word(filesystems, "nodev", kernel_words);
	support->cpu = has_word(cpuinfo, "flags", cpu_words);
}

int mount_resctrl(void)
{
	if (mount("resctrl", MOUNT_DEFAULT, "resctrl", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) < 0)
		return -errno;
	return 0;
}

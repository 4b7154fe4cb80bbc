// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/source.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/diag.h"
#include "host/mount.h"

static void explain_not_mounted(const struct options *o)
{
	struct mount_support support;

	mount_support(o->sysroot, &support);
	if (support.known && !support.kernel)
		diag_error("resctrl is not mounted, and this kernel does not have it: "
			   "it needs CONFIG_X86_CPU_RESCTRL and a CPU with RDT or QoS%s",
			   support.cpu ? "" : " (no cqm_mbm_local or cqm_mbm_total in /proc/cpuinfo)");
	else if (support.known && !support.cpu)
		diag_error("resctrl is not mounted, and this CPU has no bandwidth monitoring "
			   "(no cqm_mbm_local or cqm_mbm_total in /proc/cpuinfo)");
	else
		diag_error("resctrl is not mounted; mount it with "
			   "\"mount -t resctrl resctrl " MOUNT_DEFAULT "\", or run with --mount");
}

/* 0 or an exit code. */
static int mount_it(struct source *source)
{
	int ret = mount_resctrl();

	if (ret == 0) {
		diag_info("mounted resctrl at " MOUNT_DEFAULT);
		strcpy(source->dir, MOUNT_DEFAULT);
		return 0;
	}
	if (ret == -EPERM || ret == -EACCES)
		diag_error("may not mount resctrl: that needs the capability CAP_SYS_ADMIN (root)");
	else if (ret == -ENODEV)
		diag_error("can't mount resctrl: this kernel does not have it "
			   "(CONFIG_X86_CPU_RESCTRL, and a CPU with RDT or QoS)");
	else if (ret == -ENOENT)
		diag_error("can't mount resctrl: there is no directory " MOUNT_DEFAULT
			   "; this kernel, or this CPU, does not have it");
	else
		diag_error("can't mount resctrl at " MOUNT_DEFAULT ": %s", strerror(-ret));
	return EXIT_NOTHING;
}

static int find_dir(struct source *source, const struct options *o)
{
	int ret;

	if (o->resctrl) {
		const char *slash = *o->sysroot && *o->resctrl != '/' ? "/" : "";

		if ((size_t)snprintf(source->dir, sizeof(source->dir), "%s%s%s", o->sysroot, slash,
				     o->resctrl) < sizeof(source->dir))
			return 0;
		diag_error("the name behind --resctrl is too long");
		return EXIT_USAGE;
	}
	if (*o->sysroot && access(o->sysroot, F_OK) < 0) {
		diag_error("can't look at --sysroot %s: %s", o->sysroot, strerror(errno));
		return EXIT_NOTHING;
	}
	ret = mount_find(o->sysroot, source->dir);
	if (ret == 0)
		return 0;
	if (ret != -ENOENT)
		diag_info("can't read the mount table: %s", strerror(-ret));
	/* A captured tree may come without its mount table. */
	if (*o->sysroot && ret != -ENOENT) {
		snprintf(source->dir, sizeof(source->dir), "%s" MOUNT_DEFAULT, o->sysroot);
		return 0;
	}
	if (o->mount && !*o->sysroot)
		return mount_it(source);
	explain_not_mounted(o);
	return EXIT_NOTHING;
}

static int open_ctx(struct source *source, const struct options *o)
{
	int ret = mbmcat_ctx_open(&source->ctx, source->dir, *o->sysroot ? MBMCAT_OPEN_ANY : 0);

	switch (ret) {
	case 0:
		mbmcat_ctx_set_log(source->ctx, diag_from_library, NULL);
		return 0;
	case -EMEDIUMTYPE:
		diag_error("%s is no mount point of resctrl; name the mount point, or a captured tree "
			   "with --sysroot",
			   source->dir);
		return EXIT_NOTHING;
	case -EACCES:
	case -EPERM:
		diag_error("may not open %s: it lets its owner in, not this user; run as root or "
			   "have the mount point's rights changed",
			   source->dir);
		return EXIT_NOTHING;
	default:
		diag_error("can't open %s: %s; name the mount point with --resctrl", source->dir,
			   strerror(-ret));
		return EXIT_NOTHING;
	}
}

/* A captured machine has a name of its own. */
static void find_host(struct source *source, const char *sysroot)
{
	char path[4096];
	FILE *file;

	if (!*sysroot) {
		if (gethostname(source->host, sizeof(source->host) - 1) < 0)
			source->host[0] = '\0';
		return;
	}
	snprintf(path, sizeof(path), "%s/proc/sys/kernel/hostname", sysroot);
	file = fopen(path, "re");
	if (file && fgets(source->host, sizeof(source->host), file))
		source->host[strcspn(source->host, "\n")] = '\0';
	if (file)
		fclose(file);
}

static void load_topology(struct source *source, const struct options *o)
{
	int ret = topology_open(&source->topology, o->sysroot);

	if (ret == 0)
		return;
	source->topology = NULL;
	diag_warn("can't find out which CPUs are in which domain (%s); "
		  "every domain is read from anywhere",
		  strerror(-ret));
}

int source_open(struct source *source, const struct options *o)
{
	int ret;

	*source = (struct source){ 0 };
	find_host(source, o->sysroot);
	ret = find_dir(source, o);
	if (ret == 0)
		ret = open_ctx(source, o);
	if (ret)
		return ret;
	load_topology(source, o);
	return 0;
}

void source_look_again(struct source *source, const struct options *o)
{
	topology_close(source->topology);
	load_topology(source, o);
}

void source_close(struct source *source)
{
	topology_close(source->topology);
	mbmcat_ctx_close(source->ctx);
}

int source_scan(struct source *source, bool again, struct mbmcat_snapshot **snapshot)
{
	int ret = mbmcat_scan(source->ctx, snapshot);
	void (*say)(const char *, ...) printf_like(1) =
		again && ret != -ESTALE ? diag_warn : diag_error;

	switch (ret) {
	case 0:
		return 0;
	case -ENODATA:
		say("%s holds no monitoring data: this machine, or this mount, can't "
			   "monitor (no mon_data with domains in any group)",
			   source->dir);
		break;
	case -EMFILE:
	case -ENFILE:
		say("too few file descriptors even to look at the groups; raise the limit "
			   "(ulimit -n)");
		break;
	case -ESTALE:
		source->gone = true;
		say("%s is gone: resctrl was unmounted", source->dir);
		break;
	case -EACCES:
		say("may not list %s; run as root or have its rights changed", source->dir);
		break;
	default:
		say("can't look at %s: %s", source->dir, strerror(-ret));
	}
	return EXIT_NOTHING;
}

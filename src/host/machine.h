/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What is to be known of a machine before figures from it are set beside others.
 */
#ifndef HOST_MACHINE_H
#define HOST_MACHINE_H

#include <stddef.h>

struct machine_mitigation {
	char *name; /* "spectre_v2" */
	char *text; /* "Mitigation: ..." */
};

/* Texts are owned and one line each; NULL: unknown, or there is no such thing. */
struct machine {
	char *kernel_release;
	char *kernel_version;
	char *boot_id;
	char *cmdline;
	char *nohz_full;
	char *isolated;
	char *cpu_model;
	char *microcode;
	char *governor;      /* "performance"; "mixed" where CPUs differ */
	char *boost;         /* "on", "off" */
	char *smt;           /* "on", "off", "notsupported", ... */
	char *hypervisor;    /* "none", its name, or "unknown" where there is some */
	char *mount_options; /* of resctrl */
	char *perf_event_paranoid;
	struct machine_mitigation *mitigations;
	size_t n_mitigations;
};

/* @sysroot: "" for this machine. 0 or -ENOMEM; free in any case. */
int machine_open(struct machine *machine, const char *sysroot);
void machine_free(struct machine *machine);

/* Load averages of 1, 5 and 15 minutes. 0 or a negative errno. */
int machine_load(const char *sysroot, double load[3]);

/* Bytes in the largest cache of @level that @cpu has, or 0: unknown. */
size_t machine_cache_size(const char *sysroot, unsigned int cpu, unsigned int level);
/* A CPU that shares the core with @cpu, or -1. */
int machine_sibling(const char *sysroot, unsigned int cpu);

#endif

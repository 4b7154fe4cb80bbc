/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * fakefs: builds the tree of a captured machine (a --sysroot) in a directory, from a short text.
 *
 *	DIR/sys/fs/resctrl/...			groups, mon_data, info
 *	DIR/sys/devices/system/{cpu,node}/...	topology, good enough for hwloc's HWLOC_FSROOT
 *	DIR/proc/...				cpuinfo, meminfo, version, mounts, filesystems
 *
 * The text is read line by line. Words are separated by blanks, `#` at the start of a word begins
 * a comment. "..." keeps blanks (and marks a lone * as an ordinary name). C escapes hold inside
 * and outside quotes: \n \t \r \\ \" \# \0 and \xHH with exactly two digits.
 *
 * The machine
 *	machine KEY=VALUE...
 *		packages=1	l3=0		ids in order, split evenly over the packages
 *		cpus-per-l3=2	threads=1	a multiple of threads
 *		numbering=split|adjacent	SMT siblings in the second half, or side by side
 *		nodes-per-package=1		NUMA nodes of several L3 caches
 *		numa-per-l3=1			2 and more: sub-NUMA clusters
 *		loose=0				CPUs behind no L3
 *		online=LIST or offline=LIST	CPUs; a domain without any isn't there
 *		vendor=amd|intel	host=fake	kernel=6.12.0
 *	l3 ID [cores=N] [threads=N] [atoms=N]	one L3; any atoms make the machine hybrid
 *
 * What resctrl offers
 *	features [EVENT...]	default: llc_occupancy mbm_total_bytes mbm_local_bytes; a word
 *				that ends in _config is listed and is no counter file
 *	num_rmids N		default: 256
 *	info NAME TEXT		a file of info/L3_MON, replaces a default one
 *	resource NAME IDS EVENT...	mon_NAME_XX beside mon_L3_XX, in every group
 *	nomon			no monitoring: no mon_data, mon_groups, info/L3_MON
 *	mononly			no allocation: no control groups, schemata, size, mode
 *	mount POINT [OPTIONS]	default: /sys/fs/resctrl rw,relatime
 *	unmounted		the kernel knows resctrl, nothing is mounted
 *	noresctrl		the kernel doesn't know resctrl
 *
 * Groups. GROUP is "" (the default group), CTRL, /MON or CTRL/MON
 *	ctrl NAME		a control group
 *	mon CTRL NAME		a monitoring group of CTRL ("" is the default group)
 *	groups N [prefix=g] [ctrl=NAME]	N monitoring groups g0, g1, ... of equal width
 *	mode GROUP WORD		default: shareable
 *	tasks GROUP [PID...]	default: 1 in the default group, none elsewhere
 *	cpus GROUP LIST		default: all online ones in the default group, none elsewhere
 *
 * Counter files. GROUP and DOMAIN may be *; of several lines for a file the last one counts.
 * DOMAIN is [RESOURCE:]ID (mon_L3_XX itself) or [RESOURCE:]ID/NODE (mon_sub_L3_YY in it)
 *	value GROUP DOMAIN EVENT TEXT	the file's bytes, exactly
 *	missing GROUP DOMAIN EVENT	no such file
 *	nodomain GROUP DOMAIN		no such directory
 *	domain GROUP DOMAIN		takes an earlier nodomain back
 *
 * Afterwards, in the order of the text; PATH starts with / and stays inside the tree
 *	file PATH TEXT | dir PATH | symlink PATH TARGET | chmod PATH OCTAL | rm PATH
 */
#ifndef FAKEFS_H
#define FAKEFS_H

#include <stddef.h>
#include <stdint.h>

/*
 * What a counter file holds unless the text says otherwise: a different number for each group,
 * domain and event, 1 to 20 digits wide, many of them above 2^53:
 *
 *	(2 * (group * 2^20 + domain * 2^4 + event) + 1) * 2^((group + domain + event) % 28)
 *
 * group: 0 is the default group, then in the order of the text; below 2^16.
 * domain: the id in the directory's name (of a mon_sub directory: its NUMA node); below 2^16.
 * event: position among the counter files of `features`, then of each `resource`; below 16.
 * A sum file (mon_L3_XX above mon_sub directories) holds the sum of its nodes' numbers, modulo
 * 2^64. Events that don't start with mbm_ or llc_ are fixed-point: the number with six decimals.
 */
uint64_t fakefs_value(unsigned group, unsigned domain, unsigned event);

/*
 * Builds the tree in `dir`, which is made if it isn't there and must be empty. 0, or a negative
 * errno with one line in `err` (without a newline; "line N: ..." where a line of the text is to
 * blame): -EINVAL for a bad text, -ENOTEMPTY, -ENOMEM, whatever the file system said. A counter
 * line that matches no file is a bad text. After a failure part of the tree may be there.
 */
int fakefs_build(const char *dir, const char *spec_text, char *err, size_t errsz);

/*
 * Removes `dir` and all below it, unreadable directories too; follows no symbolic link and leaves
 * other mounts alone (-EXDEV). 0, or a negative errno.
 */
int fakefs_remove(const char *dir);

/* Makes a new directory in $TMPDIR (or /tmp) and puts its name in `buf`. 0 or a negative errno. */
int fakefs_tmp(char *buf, size_t size);

#endif

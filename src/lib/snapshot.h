/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Building a snapshot: memory only, no file system.
 */
#ifndef LIB_SNAPSHOT_H
#define LIB_SNAPSHOT_H

#include "lib/internal.h"

/* Each copies its strings. 0 or -ENOMEM; the index goes to *@i where asked for. */
int snapshot_add_group(struct mbmcat_snapshot *snap, const char *ctrl_group, const char *mon_group,
		       const char *mode, uint64_t inode, size_t *i);
int snapshot_add_domain(struct mbmcat_snapshot *snap, const char *resource, size_t resource_len,
			uint64_t id, const char *name, size_t *i);
/* A sub-NUMA cluster of domain @parent, which becomes a sum. */
int snapshot_add_cluster(struct mbmcat_snapshot *snap, size_t parent, int64_t id, const char *name);
int snapshot_add_event(struct mbmcat_snapshot *snap, const char *resource, const char *name,
		       size_t name_len, bool in_files, bool in_features);
/* Say that the group has the domain (and its clusters). */
int snapshot_add_presence(struct mbmcat_snapshot *snap, size_t group, size_t domain);

/* The domain whose directory has this name, clusters aside; SIZE_MAX: none. @hint
 * is where to look first. */
size_t snapshot_find_domain(const struct mbmcat_snapshot *snap, const char *name, size_t hint);

/* Drop the last group added: it vanished while it was looked at. */
void snapshot_drop_last_group(struct mbmcat_snapshot *snap);

/* Sort groups and domains as the header promises. 0 or -ENOMEM. */
int snapshot_finish(struct mbmcat_snapshot *snap);
void snapshot_sort_events(struct mbmcat_snapshot *snap);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The road from a spec to a plan, for tests that need one to stand on.
 */
#ifndef RIG_H
#define RIG_H

#include <mbmcat/mbmcat.h>

#include <string.h>

struct rig {
	struct mbmcat_ctx *ctx;
	struct mbmcat_snapshot *snap;
	struct mbmcat_wish *wish;
	struct mbmcat_subset *subset;
	struct mbmcat_plan *plan;
	size_t warnings, infos;
	char last_warning[512];
};

/* Build the tree (of unit_fixture()) and open it. */
void rig_open(struct rig *rig, const char *spec);
/* The steps after that; each also does those before it that are still to be done. */
void rig_scan(struct rig *rig);
void rig_select(struct rig *rig);
void rig_plan(struct rig *rig, size_t fds);
void rig_close(struct rig *rig);

/* Index of a group or event, which must be there. */
size_t rig_group(const struct rig *rig, const char *ctrl_group, const char *mon_group);
size_t rig_event(const struct rig *rig, const char *name);

#endif

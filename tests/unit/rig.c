// SPDX-License-Identifier: LGPL-2.1-or-later
#include "rig.h"

#include <stdio.h>

#include "unit.h"

static void take_log(void *arg, enum mbmcat_log_level level, const char *text)
{
	struct rig *rig = arg;

	ck_assert_ptr_null(strchr(text, '\n'));
	if (level == MBMCAT_LOG_INFO) {
		rig->infos++;
		return;
	}
	rig->warnings++;
	snprintf(rig->last_warning, sizeof(rig->last_warning), "%s", text);
}

void rig_open(struct rig *rig, const char *spec)
{
	*rig = (struct rig){ 0 };
	unit_build(spec);
	ck_assert_int_eq(mbmcat_ctx_open(&rig->ctx, unit_path(RESCTRL), MBMCAT_OPEN_ANY), 0);
	mbmcat_ctx_set_log(rig->ctx, take_log, rig);
	rig->wish = mbmcat_wish_new();
	ck_assert_ptr_nonnull(rig->wish);
}

void rig_scan(struct rig *rig)
{
	ck_assert_int_eq(mbmcat_scan(rig->ctx, &rig->snap), 0);
}

void rig_select(struct rig *rig)
{
	const char *unmatched = "";

	if (!rig->snap)
		rig_scan(rig);
	ck_assert_int_eq(mbmcat_select(rig->snap, rig->wish, &rig->subset, &unmatched), 0);
	ck_assert_ptr_null(unmatched);
}

void rig_plan(struct rig *rig, size_t fds)
{
	if (!rig->subset)
		rig_select(rig);
	ck_assert_int_eq(mbmcat_plan_open(rig->ctx, rig->subset, fds, &rig->plan), 0);
}

void rig_close(struct rig *rig)
{
	mbmcat_plan_close(rig->plan);
	mbmcat_subset_free(rig->subset);
	mbmcat_wish_free(rig->wish);
	mbmcat_snapshot_free(rig->snap);
	mbmcat_ctx_close(rig->ctx);
}

size_t rig_group(const struct rig *rig, const char *ctrl_group, const char *mon_group)
{
	for (size_t i = 0; i < mbmcat_snapshot_groups(rig->snap); i++) {
		const struct mbmcat_group *g = mbmcat_snapshot_group(rig->snap, i);

		if (!strcmp(g->ctrl_group, ctrl_group) && !strcmp(g->mon_group, mon_group))
			return i;
	}
	ck_abort_msg("no group %s/%s", ctrl_group, mon_group);
}

size_t rig_event(const struct rig *rig, const char *name)
{
	for (size_t i = 0; i < mbmcat_snapshot_events(rig->snap); i++) {
		if (!strcmp(mbmcat_snapshot_event(rig->snap, i)->name, name))
			return i;
	}
	ck_abort_msg("no event %s", name);
}

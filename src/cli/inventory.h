/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What is there, in a few words for a message.
 */
#ifndef CLI_INVENTORY_H
#define CLI_INVENTORY_H

#include <mbmcat/mbmcat.h>

#include "base/buf.h"

/* "llc_occupancy, mbm_local_bytes" */
void inventory_events(const struct mbmcat_snapshot *snapshot, struct buf *out);
/* "12 groups, domains L3:0-7,16-23, events llc_occupancy, ..." */
void inventory_text(const struct mbmcat_snapshot *snapshot, struct buf *out);

#endif

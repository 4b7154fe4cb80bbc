// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/inventory.h"

static bool is_first_of_name(const struct mbmcat_snapshot *snapshot, size_t e)
{
	for (size_t i = 0; i < e; i++) {
		if (!strcmp(mbmcat_snapshot_event(snapshot, i)->name,
			    mbmcat_snapshot_event(snapshot, e)->name))
			return false;
	}
	return true;
}

void inventory_events(const struct mbmcat_snapshot *snapshot, struct buf *out)
{
	size_t n = 0;

	for (size_t e = 0; e < mbmcat_snapshot_events(snapshot); e++) {
		const struct mbmcat_event *event = mbmcat_snapshot_event(snapshot, e);

		if (event->in_files && is_first_of_name(snapshot, e))
			buf_printf(out, "%s%s", n++ ? ", " : "", event->name);
	}
	if (!n)
		buf_str(out, "none");
}

/* Ids of one resource from @i on, as ranges; the index behind them. */
static size_t add_ids(const struct mbmcat_snapshot *snapshot, size_t i, struct buf *out)
{
	const char *resource = mbmcat_snapshot_domain(snapshot, i)->resource;
	size_t n = mbmcat_snapshot_domains(snapshot);
	bool first = true;

	buf_printf(out, "%s:", resource);
	while (i < n && !strcmp(mbmcat_snapshot_domain(snapshot, i)->resource, resource)) {
		uint64_t from = mbmcat_snapshot_domain(snapshot, i)->id, to = from;

		for (i++; i < n; i++) {
			const struct mbmcat_domain *d = mbmcat_snapshot_domain(snapshot, i);

			/* Clusters have the id of what they are parts of. */
			if (strcmp(d->resource, resource) || d->id > to + 1)
				break;
			to = d->id;
		}
		if (!first)
			buf_char(out, ',');
		first = false;
		buf_u64(out, from);
		if (to > from) {
			buf_char(out, '-');
			buf_u64(out, to);
		}
	}
	return i;
}

void inventory_text(const struct mbmcat_snapshot *snapshot, struct buf *out)
{
	size_t groups = mbmcat_snapshot_groups(snapshot);

	buf_printf(out, "%zu group%s, domains ", groups, groups == 1 ? "" : "s");
	for (size_t i = 0; i < mbmcat_snapshot_domains(snapshot);) {
		if (i)
			buf_char(out, ' ');
		i = add_ids(snapshot, i, out);
	}
	buf_str(out, ", events ");
	inventory_events(snapshot, out);
}

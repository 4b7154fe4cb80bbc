// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Which readers with which targets: pure.
 */
#include <errno.h>
#include <string.h>

#include "cli/bench.h"

static int add(struct bench_result *r, enum cell_kind kind, size_t reader, size_t target)
{
	const bool toggles = r->options->bench.toggle_on != NULL;
	enum cell_toggle toggle = toggles ? TOGGLE_OFF : TOGGLE_NONE;
	struct bench_cell *more;

	more = realloc(r->cells, (r->n_cells + 2) * sizeof(*more));
	if (!more)
		return -ENOMEM;
	r->cells = more;
	for (;;) {
		r->cells[r->n_cells++] = (struct bench_cell){
			.kind = kind,
			.toggle = toggle,
			.reader = reader,
			.target = target,
			.cpu = -1,
		};
		if (!toggles || toggle == TOGGLE_ON)
			return 0;
		toggle = TOGGLE_ON;
	}
}

/* False where they have no packages to be the same or another. */
static bool relation(const struct bench_result *r, size_t reader, size_t target,
		     enum cell_kind *kind)
{
	const struct bench_domain *a = &r->domains[reader], *b = &r->domains[target];

	if (strcmp(a->resource, b->resource) != 0)
		return false;
	if (reader == target) {
		*kind = CELL_LOCAL;
		return true;
	}
	*kind = a->package == b->package ? CELL_REMOTE_SAME : CELL_REMOTE_OTHER;
	return a->package >= 0 && b->package >= 0;
}

/* The next domain behind @target that has this relation to it: each reader serves
 * about as often as any other. */
static int add_representative(struct bench_result *r, size_t target, enum cell_kind wanted)
{
	for (size_t i = 0; i < r->n_domains; i++) {
		size_t reader = (target + i) % r->n_domains;
		enum cell_kind kind;

		if (relation(r, reader, target, &kind) && kind == wanted)
			return add(r, kind, reader, target);
	}
	return 0;
}

static int add_all_readers(struct bench_result *r, size_t target)
{
	int ret = 0;

	for (size_t reader = 0; ret == 0 && reader < r->n_domains; reader++) {
		enum cell_kind kind;

		if (relation(r, reader, target, &kind))
			ret = add(r, kind, reader, target);
	}
	return ret;
}

int bench_cells(struct bench_result *r, bool dry)
{
	static const enum cell_kind kinds[] = { CELL_LOCAL, CELL_REMOTE_SAME, CELL_REMOTE_OTHER };
	int ret = 0;

	for (size_t target = 0; ret == 0 && target < r->n_domains; target++) {
		if (r->options->bench.matrix) {
			ret = add_all_readers(r, target);
			continue;
		}
		for (size_t i = 0; ret == 0 && i < ARRAY_SIZE(kinds); i++)
			ret = add_representative(r, target, kinds[i]);
	}
	if (ret == 0 && dry && r->n_domains)
		ret = add(r, CELL_DRY, 0, BENCH_NO_TARGET);
	return ret;
}

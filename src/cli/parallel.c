// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/parallel.h"

void parallel_reset(struct parallel *p, size_t domains)
{
	*p = (struct parallel){
		.domains = domains,
		.choice = domains < 2 ? 1 : 0,
		.best_ns = { UINT64_MAX, UINT64_MAX },
	};
}

size_t parallel_next(const struct parallel *p, enum read_path path)
{
	if (p->choice)
		return p->choice;
	/* All domains wait for one worker queue, or for one lock across it: no trial. */
	if (path != PATH_DIRECT)
		return 1;
	return p->samples % 2 ? p->domains : 1;
}

void parallel_learn(struct parallel *p, size_t at_once, uint64_t took_ns)
{
	uint64_t *best = &p->best_ns[at_once > 1];

	if (p->choice)
		return;
	if (took_ns < *best)
		*best = took_ns;
	p->samples++;
	if (p->samples == 2 * PARALLEL_TRIALS)
		p->choice = p->best_ns[1] < p->best_ns[0] ? p->domains : 1;
}

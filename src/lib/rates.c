// SPDX-License-Identifier: LGPL-2.1-or-later
#include "lib/internal.h"

/* Nanoseconds between the two reads of slot @i of @n: a pass takes time, and not
 * always the same. */
static uint64_t slot_interval(const struct mbmcat_pass *before, const struct mbmcat_pass *now,
			      size_t i, size_t n)
{
	uint64_t took_before = before->end_ns - before->start_ns;
	uint64_t took_now = now->end_ns - now->start_ns;

	return now->start_ns + (uint64_t)((unsigned __int128)took_now * i / n) -
	       before->start_ns - (uint64_t)((unsigned __int128)took_before * i / n);
}

static enum mbmcat_rate one_rate(const struct mbmcat_pass *before, const struct mbmcat_pass *now,
				 size_t i, uint64_t max_bps, uint64_t *rate)
{
	unsigned __int128 bps;
	uint64_t interval_ns;

	if (before->status[i] != MBMCAT_OK || now->status[i] != MBMCAT_OK)
		return MBMCAT_RATE_NONE;
	if (now->value[i] < before->value[i])
		return MBMCAT_RATE_RESET;
	interval_ns = slot_interval(before, now, i, now->n_slots);
	if (!interval_ns)
		return MBMCAT_RATE_NONE;
	bps = ((unsigned __int128)(now->value[i] - before->value[i]) * 1000000000 +
	       interval_ns / 2) /
	      interval_ns;
	if (bps > UINT64_MAX || (max_bps && bps > max_bps))
		return MBMCAT_RATE_IMPLAUSIBLE;
	*rate = (uint64_t)bps;
	return MBMCAT_RATE_OK;
}

void mbmcat_rates(const struct mbmcat_plan *plan, const struct mbmcat_sample *before,
		  const struct mbmcat_sample *now, size_t i, uint64_t max_bps, uint64_t *rate,
		  uint8_t *why)
{
	const struct plan_domain *pd = &plan->domains[i];
	const struct mbmcat_pass *b = before ? &before->passes[i]->pub : NULL;
	const struct mbmcat_pass *n = &now->passes[i]->pub;

	for (size_t slot = 0; slot < pd->n_slots; slot++) {
		uint32_t column = pd->pub.events[slot % pd->pub.n_events];

		rate[slot] = 0;
		why[slot] = MBMCAT_RATE_NONE;
		if (b && b->start_ns && plan->columns[column]->is_counter)
			why[slot] = (uint8_t)one_rate(b, n, slot, max_bps, &rate[slot]);
	}
}

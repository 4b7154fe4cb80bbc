// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/bench-run.h"

/* SplitMix64: the same order from the same seed on every machine. */
uint64_t bench_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

void bench_shuffle(uint64_t *state, size_t *order, size_t n)
{
	for (size_t i = n; i > 1; i--) {
		size_t j = (size_t)((unsigned __int128)bench_random(state) * i >> 64);
		size_t kept = order[i - 1];

		order[i - 1] = order[j];
		order[j] = kept;
	}
}

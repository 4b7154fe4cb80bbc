// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * How often the 95 % interval holds the true change, by simulation: boots that vary by
 * 1 %, iterations by 2 %, of two kernels 10 % apart. Prints a line per number of boots.
 * Not a test: it takes a minute, and what to expect of few boots is a question of degree.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "cli/stats.h"

#define MOST 20
#define ITERATIONS 30

static double noise(struct stats_rng *rng)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += (double)(stats_random(rng) >> 11) / 9007199254740992.0;
	return sum;
}

struct side {
	double values[MOST][ITERATIONS];
	struct stats_cell cell[MOST];
	struct stats_boot boot[MOST];
	double value[MOST];
};

static struct stats_side fill(struct side *s, size_t boots, double level, struct stats_rng *rng)
{
	for (size_t b = 0; b < boots; b++) {
		double boot = level * (1 + 0.01 * noise(rng));

		for (size_t i = 0; i < ITERATIONS; i++)
			s->values[b][i] = boot * (1 + 0.02 * noise(rng));
		stats_sort(s->values[b], ITERATIONS);
		s->cell[b] = (struct stats_cell){ s->values[b], ITERATIONS };
		s->boot[b] = (struct stats_boot){ &s->cell[b], 1 };
		stats_boot_value(&s->boot[b], &s->value[b]);
	}
	return (struct stats_side){ s->boot, boots };
}

int main(int argc, char **argv)
{
	static const size_t boots[] = { 2, 3, 4, 5, 8, 12, 20 };
	int trials = argc > 1 ? atoi(argv[1]) : 500;
	static struct side before, after;

	printf("boots  trials  coverage  width  power(10%%)\n");
	for (size_t n = 0; n < ARRAY_SIZE(boots); n++) {
		struct stats_rng rng, drawn;
		double width = 0;
		int held = 0, told = 0;

		stats_seed(&rng, 7);
		for (int i = 0; i < trials; i++) {
			struct stats_side b = fill(&before, boots[n], 1e6, &rng);
			struct stats_side a = fill(&after, boots[n], 0.9e6, &rng);
			struct stats_test test;
			double low, high;

			stats_seed(&drawn, 1);
			if (stats_interval(&b, &a, &drawn, &low, &high) < 0)
				return 1;
			held += low <= -0.1 && high >= -0.1;
			width += high - low;
			if (boots[n] > 8)
				continue;
			if (stats_permutation(before.value, boots[n], after.value, boots[n], &drawn,
					      &test) < 0)
				return 1;
			told += test.p <= 0.05;
		}
		printf("%5zu %7d %8.1f%% %5.2f%%", boots[n], trials, 100.0 * held / trials,
		       100 * width / trials);
		printf(boots[n] > 8 ? "\n" : " %9.1f%%\n", 100.0 * told / trials);
	}
	return 0;
}

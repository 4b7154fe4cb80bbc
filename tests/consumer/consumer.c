// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A program of somebody else's: reads everything below a directory once, with what
 * is installed and nothing more.
 */
#include <mbmcat/mbmcat.h>

#include <stdio.h>
#include <string.h>

static int count(const struct mbmcat_plan *plan)
{
	struct mbmcat_sample *sample;
	size_t ok = 0;
	int ret;

	ret = mbmcat_sample_new(plan, &sample);
	if (ret < 0)
		return ret;
	for (size_t i = 0; i < mbmcat_plan_domains(plan); i++) {
		mbmcat_read(plan, sample, i);
		ok += mbmcat_sample_pass(sample, i)->n_ok;
	}
	printf("%zu domains, %zu counters, %zu counts\n", mbmcat_plan_domains(plan),
	       mbmcat_plan_counters(plan), ok);
	mbmcat_sample_free(sample);
	return 0;
}

static int read_all(struct mbmcat_ctx *ctx)
{
	struct mbmcat_wish *wish = mbmcat_wish_new();
	struct mbmcat_snapshot *snapshot = NULL;
	struct mbmcat_subset *subset = NULL;
	struct mbmcat_plan *plan = NULL;
	int ret;

	ret = wish ? mbmcat_scan(ctx, &snapshot) : -1;
	if (ret == 0)
		ret = mbmcat_select(snapshot, wish, &subset, NULL);
	if (ret == 0)
		ret = mbmcat_plan_open(ctx, subset, 1000, &plan);
	if (ret == 0)
		ret = count(plan);
	mbmcat_plan_close(plan);
	mbmcat_subset_free(subset);
	mbmcat_snapshot_free(snapshot);
	mbmcat_wish_free(wish);
	return ret;
}

int main(int argc, char **argv)
{
	struct mbmcat_ctx *ctx;
	int ret;

	if (argc != 2 || strcmp(mbmcat_version(), MBMCAT_VERSION)) {
		fprintf(stderr, "no directory, or library %s with headers " MBMCAT_VERSION "\n",
			mbmcat_version());
		return 2;
	}
	ret = mbmcat_ctx_open(&ctx, argv[1], MBMCAT_OPEN_ANY);
	if (ret == 0) {
		ret = read_all(ctx);
		mbmcat_ctx_close(ctx);
	}
	if (ret < 0)
		fprintf(stderr, "%s: %s\n", argv[1], strerror(-ret));
	return ret < 0;
}

// SPDX-License-Identifier: LGPL-2.1-or-later
#include "unit.h"

#include "lib/internal.h"
#include "rig.h"

#define SLOTS 6
#define GIB   1000000000ull

/* Of one domain with three events (the first is a gauge) and two groups. */
static struct rig rig;
static struct mbmcat_sample *before, *now;
static uint64_t rate[SLOTS];
static uint8_t why[SLOTS];

static void setup(void)
{
	rig_open(&rig, "mon \"\" a\n");
	mbmcat_wish_event(rig.wish, "*");
	rig_plan(&rig, 100);
	ck_assert_int_eq(mbmcat_sample_new(rig.plan, &before), 0);
	ck_assert_int_eq(mbmcat_sample_new(rig.plan, &now), 0);
	ck_assert_uint_eq(before->passes[0]->pub.n_slots, SLOTS);
}

static void teardown(void)
{
	mbmcat_sample_free(before);
	mbmcat_sample_free(now);
	rig_close(&rig);
}

static void set(struct mbmcat_sample *sample, uint64_t start_ns, uint64_t end_ns, uint64_t value)
{
	struct sample_pass *pass = sample->passes[0];

	pass->pub.start_ns = start_ns;
	pass->pub.end_ns = end_ns;
	for (size_t i = 0; i < SLOTS; i++) {
		pass->value[i] = value;
		pass->status[i] = MBMCAT_OK;
	}
}

static void rates(uint64_t max)
{
	memset(rate, 0xee, sizeof(rate));
	memset(why, 0xee, sizeof(why));
	mbmcat_rates(rig.plan, before, now, 0, max, rate, why);
}

static void expect(size_t slot, enum mbmcat_rate reason, uint64_t bps)
{
	ck_assert_msg(why[slot] == reason && rate[slot] == bps, "slot %zu: %u, %llu", slot,
		      why[slot], (unsigned long long)rate[slot]);
}

START_TEST(test_plain)
{
	set(before, GIB, GIB, 1000);
	set(now, 2 * GIB, 2 * GIB, 3500);
	rates(0);
	/* A gauge has none. */
	expect(0, MBMCAT_RATE_NONE, 0);
	expect(1, MBMCAT_RATE_OK, 2500);
	expect(5, MBMCAT_RATE_OK, 2500);
	expect(3, MBMCAT_RATE_NONE, 0);
	/* The measured interval counts, and it is rounded to the nearest. */
	set(now, GIB + GIB / 2, GIB + GIB / 2, 3500);
	rates(0);
	expect(1, MBMCAT_RATE_OK, 5000);
	set(now, GIB + 3 * GIB, GIB + 3 * GIB, 1005);
	rates(0);
	expect(1, MBMCAT_RATE_OK, 2);
	/* An idle group really has 0. */
	set(now, 2 * GIB, 2 * GIB, 1000);
	rates(0);
	expect(1, MBMCAT_RATE_OK, 0);
}
END_TEST

START_TEST(test_first)
{
	set(now, 2 * GIB, 2 * GIB, 3500);
	memset(rate, 0xee, sizeof(rate));
	mbmcat_rates(rig.plan, NULL, now, 0, 0, rate, why);
	for (size_t i = 0; i < SLOTS; i++)
		expect(i, MBMCAT_RATE_NONE, 0);
	/* A domain that was never read. */
	rates(0);
	for (size_t i = 0; i < SLOTS; i++)
		expect(i, MBMCAT_RATE_NONE, 0);
	set(before, GIB, GIB, 1);
	memset(now->passes[0]->status, MBMCAT_UNREAD, SLOTS);
	now->passes[0]->pub.start_ns = 0;
	rates(0);
	for (size_t i = 0; i < SLOTS; i++)
		expect(i, MBMCAT_RATE_NONE, 0);
}
END_TEST

START_TEST(test_words)
{
	for (unsigned int status = MBMCAT_ERROR; status <= MBMCAT_WORD + 7; status++) {
		set(before, GIB, GIB, 0);
		set(now, 2 * GIB, 2 * GIB, 123456789);
		before->passes[0]->status[1] = (uint8_t)status;
		now->passes[0]->status[2] = (uint8_t)status;
		now->passes[0]->value[2] = 0;
		rates(0);
		expect(1, MBMCAT_RATE_NONE, 0);
		expect(2, MBMCAT_RATE_NONE, 0);
		expect(4, MBMCAT_RATE_OK, 123456789);
	}
}
END_TEST

/* A counter assigned anew, a group made anew, a domain that came back. */
START_TEST(test_reset)
{
	set(before, GIB, GIB, 123456789);
	set(now, 2 * GIB, 2 * GIB, 23456);
	rates(0);
	expect(1, MBMCAT_RATE_RESET, 0);
	set(before, GIB, GIB, UINT64_MAX);
	set(now, 2 * GIB, 2 * GIB, UINT64_MAX - 1);
	rates(0);
	expect(1, MBMCAT_RATE_RESET, 0);
	set(now, 2 * GIB, 2 * GIB, 0);
	rates(0);
	expect(1, MBMCAT_RATE_RESET, 0);
}
END_TEST

START_TEST(test_implausible)
{
	/* 2^44 too much, as some kernels count on AMD. */
	set(before, GIB, GIB, 7345357);
	set(now, 2 * GIB, 2 * GIB, 17592178699059);
	rates(2000 * GIB);
	expect(1, MBMCAT_RATE_IMPLAUSIBLE, 0);
	rates(0);
	expect(1, MBMCAT_RATE_OK, 17592178699059 - 7345357);
	rates(17592178699059 - 7345357);
	expect(1, MBMCAT_RATE_OK, 17592178699059 - 7345357);
	rates(17592178699059 - 7345357 - 1);
	expect(1, MBMCAT_RATE_IMPLAUSIBLE, 0);
	/* More than 64 bits hold. */
	set(before, GIB, GIB, 0);
	set(now, GIB + 1, GIB + 1, UINT64_MAX);
	rates(0);
	expect(1, MBMCAT_RATE_IMPLAUSIBLE, 0);
	/* No time at all: no rate. */
	set(now, GIB, GIB, 5);
	rates(0);
	expect(1, MBMCAT_RATE_NONE, 0);
}
END_TEST

/* A pass takes time: the interval of a slot is the one between its own two reads. */
START_TEST(test_interpolated)
{
	set(before, 10 * GIB, 10 * GIB, 0);
	set(now, 11 * GIB, 17 * GIB, 12000);
	rates(0);
	expect(1, MBMCAT_RATE_OK, 6000);
	expect(2, MBMCAT_RATE_OK, 4000);
	expect(4, MBMCAT_RATE_OK, 2400);
	expect(5, MBMCAT_RATE_OK, 2000);
	set(before, 10 * GIB, 16 * GIB, 0);
	set(now, 20 * GIB, 26 * GIB, 12000);
	rates(0);
	expect(1, MBMCAT_RATE_OK, 1200);
	expect(5, MBMCAT_RATE_OK, 1200);
}
END_TEST

static uint64_t seed = 88172645463325252;

static uint64_t random_bits(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

/* From tiny to huge. */
static uint64_t random_number(unsigned int max_bits)
{
	uint64_t bits = random_bits();

	return bits >> (63 - random_bits() % max_bits);
}

/* The same by another way: signed numbers of 128 bits, remainders, no rounding trick. */
static enum mbmcat_rate model(const struct mbmcat_pass *b, const struct mbmcat_pass *n, size_t i,
			      uint64_t max, uint64_t *bps)
{
	__int128 at_b = b->start_ns + (__int128)(b->end_ns - b->start_ns) * (__int128)i / SLOTS;
	__int128 at_n = n->start_ns + (__int128)(n->end_ns - n->start_ns) * (__int128)i / SLOTS;
	__int128 bytes = (__int128)n->value[i] - (__int128)b->value[i], ns = at_n - at_b, q, r;

	*bps = 0;
	if (i % 3 == 0 || b->status[i] || n->status[i])
		return MBMCAT_RATE_NONE;
	if (bytes < 0)
		return MBMCAT_RATE_RESET;
	if (ns <= 0)
		return MBMCAT_RATE_NONE;
	q = bytes * 1000000000 / ns;
	r = bytes * 1000000000 % ns;
	q += r >= ns - ns / 2;
	if (q > (__int128)UINT64_MAX || (max && q > (__int128)max))
		return MBMCAT_RATE_IMPLAUSIBLE;
	*bps = (uint64_t)q;
	return MBMCAT_RATE_OK;
}

START_TEST(test_histories)
{
	unsigned int seen[4] = { 0 };
	uint64_t clock = 1;

	set(before, 1, 1, 0);
	for (unsigned int step = 0; step < 100000; step++) {
		struct sample_pass *pass = now->passes[0];
		struct mbmcat_sample *swap = now;
		uint64_t max = random_bits() % 3 ? random_number(45) : 0;

		set(now, clock += random_number(40), 0, 0);
		pass->pub.end_ns = clock += random_number(34);
		for (size_t i = 0; i < SLOTS; i++) {
			uint64_t last = before->passes[0]->value[i];

			pass->value[i] = random_bits() % 4 ? last + random_number(44) :
							     random_number(63);
			if (random_bits() % 8 == 0) {
				pass->value[i] = 0;
				pass->status[i] = (uint8_t)(1 + random_bits() % 40);
			}
		}
		rates(max);
		for (size_t i = 0; i < SLOTS; i++) {
			uint64_t bps;
			enum mbmcat_rate reason = model(&before->passes[0]->pub, &pass->pub, i,
							max, &bps);

			expect(i, reason, bps);
			seen[reason]++;
		}
		now = before;
		before = swap;
	}
	/* All of it happened. */
	for (size_t i = 0; i < 4; i++)
		ck_assert_uint_gt(seen[i], 1000);
}
END_TEST

UNIT_CASE(rates_tests)
{
	TCase *tc = tcase_create("rates");

	unit_fixture(tc);
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, test_plain);
	tcase_add_test(tc, test_first);
	tcase_add_test(tc, test_words);
	tcase_add_test(tc, test_reset);
	tcase_add_test(tc, test_implausible);
	tcase_add_test(tc, test_interpolated);
	tcase_add_test(tc, test_histories);
	return tc;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* test_sample.c - when the rates of intervals are enough for the precision asked for. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runner/sample.h"
#include "runner/stats.h"

#define MS 1e6
#define MANY 400
#define RUNS 400

static uint64_t seed = 1;

/* Between -1 and 1, of mean and median 0. */
static double noise(void)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (double)(int64_t)seed / 9223372036854775808.0;
}

/* Around 1e6 operations a second, each interval with this part of the deviation before it. */
static void fill(struct rates *rates, unsigned int count, double kept)
{
	double deviation = 0;

	rates->count = count;
	for (unsigned int i = 0; i < count; i++) {
		deviation = kept * deviation + noise();
		rates->rate[i] = 1e6 * (1 + deviation / 100);
		rates->ns[i] = 25 * MS;
	}
}

/* How many of RUNS intervals hold the true median. */
static unsigned int covered(double kept, bool batch)
{
	unsigned int hits = 0;

	for (unsigned int run = 0; run < RUNS; run++) {
		struct rates rates;
		double low, high;

		fill(&rates, MANY, kept);
		if (batch)
			rates_batch(&rates, 1);
		assert_int_equal(stats_median_interval(rates.rate, rates.count, &low, &high), 0);
		hits += low <= 1e6 && 1e6 <= high;
	}
	return hits;
}

/* An interval of 95 % holds the truth so often, also where a rate tells something of the next. */
static void test_the_interval_covers(void **state)
{
	(void)state;
	assert_in_range(covered(0, true), RUNS * 93 / 100, RUNS);
	assert_in_range(covered(0.8, true), RUNS * 88 / 100, RUNS);
	assert_in_range(covered(0.8, false), 0, RUNS * 60 / 100);
}

static void test_independent_rates_stay(void **state)
{
	struct rates rates = { .count = MANY };

	(void)state;
	for (unsigned int i = 0; i < MANY; i++) {
		rates.rate[i] = i % 2 ? 1e6 : 1e6 + 1;
		rates.ns[i] = 25 * MS;
	}
	assert_true(rates_batch(&rates, 1));
	assert_int_equal(rates.count, MANY);
	assert_true(rates_are_precise(&rates, 1));
}

/* A rate that only ever grows has no median that more of it would tell better. */
static void test_a_trend_is_never_enough(void **state)
{
	struct rates rates = { .count = MANY };

	(void)state;
	for (unsigned int i = 0; i < MANY; i++) {
		rates.rate[i] = 1e6 + i;
		rates.ns[i] = 25 * MS;
	}
	assert_false(rates_are_precise(&rates, 1));
	assert_false(rates_batch(&rates, 1));
	assert_in_range(rates.count, RATES_LEAST, 2 * RATES_LEAST - 1);
}

/* At 1 % an interval needs 400 operations: 100 a second and 25 ms are 2.5, so joined are 256. */
static void test_few_operations_are_joined(void **state)
{
	struct rates rates = { .count = 512 };

	(void)state;
	for (unsigned int i = 0; i < rates.count; i++) {
		rates.rate[i] = i % 2 ? 120 : 80;
		rates.ns[i] = 25 * MS;
	}
	assert_false(rates_are_precise(&rates, 1));
	assert_true(rates_are_precise(&rates, 10));
	assert_true(rates_batch(&rates, 10));
	assert_int_equal(rates.count, 32);
	assert_true(fabs(rates.rate[0] - 100) < 1e-9);
	assert_true(fabs(rates.ns[0] - 16 * 25 * MS) < 1);
}

static void test_too_few(void **state)
{
	struct rates rates;

	(void)state;
	fill(&rates, RATES_LEAST - 1, 0);
	assert_false(rates_are_precise(&rates, 50));
	rates.count = 0;
	assert_false(rates_are_precise(&rates, 50));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_interval_covers),
		cmocka_unit_test(test_independent_rates_stay),
		cmocka_unit_test(test_a_trend_is_never_enough),
		cmocka_unit_test(test_few_operations_are_joined),
		cmocka_unit_test(test_too_few),
	};

	return cmocka_run_group_tests_name("sample", tests, NULL, NULL);
}

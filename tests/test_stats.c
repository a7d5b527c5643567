// SPDX-License-Identifier: GPL-2.0-or-later
/* test_stats.c - medians, quantiles and the interval of the median, against hand-computed cases. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runner/stats.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Exact, or both NaN: cmocka's own comparison of floats needs an epsilon. */
static void same(double got, double wanted, const char *what)
{
	if (got == wanted || (isnan(got) && isnan(wanted)))
		return;
	fail_msg("%s: %.17g instead of %.17g", what, got, wanted);
}

static void median(void **state)
{
	static const struct {
		double values[6];
		size_t n;
		double median;
	} cases[] = {
		{ { 0 }, 0, NAN },
		{ { 7 }, 1, 7 },
		{ { 9, 1 }, 2, 5 },
		{ { 9, 1, 2 }, 3, 2 },
		{ { 10, -1, 3, 4 }, 4, 3.5 },
		{ { 5, 4, 1, 2, 3 }, 5, 3 },
		{ { 6, 1, 5, 2, 8, 3 }, 6, 4 },
		{ { 2, 2, 2, 1 }, 4, 2 },
		{ { 1.5e308, 1.7e308 }, 2, 1.6e308 },
		{ { -INFINITY, 1, INFINITY }, 3, 1 },
		{ { 1, NAN, 2 }, 3, NAN },
		{ { NAN }, 1, NAN },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		double before[6];
		char what[32];

		memcpy(before, cases[i].values, sizeof(before));
		snprintf(what, sizeof(what), "median, case %zu", i);
		same(stats_median(cases[i].values, cases[i].n), cases[i].median, what);
		assert_memory_equal(before, cases[i].values, sizeof(before));
	}
}

static void quantile(void **state)
{
	static const double values[] = { 40, 10, 30, 20 };
	static const double infinite[] = { 1, INFINITY };

	(void)state;
	same(stats_quantile(values, 4, 0), 10, "smallest");
	same(stats_quantile(values, 4, 1), 40, "largest");
	same(stats_quantile(values, 4, 0.5), 25, "middle");
	same(stats_quantile(values, 4, 0.25), 17.5, "position 0.75");
	same(stats_quantile(values, 3, 0.25), 20, "position 0.5 of 10, 30, 40");
	same(stats_quantile(values, 1, 0.9), 40, "one value");
	same(stats_quantile(values, 0, 0.5), NAN, "no value");
	same(stats_quantile(infinite, 2, 0), 1, "next to infinity");
	same(stats_quantile(infinite, 2, 1), INFINITY, "infinity");
	same(stats_quantile((const double[]){ 1, NAN }, 2, 0), NAN, "NaN");
}

/* Values 1..n in a scrambled order: the interval's ends are then the ranks themselves. */
static void interval_ranks(void **state)
{
	/* From tables of Binomial(n, 1/2): P(< k) <= 0.025 < P(< k + 1). */
	static const size_t ranks[][3] = {
		{ 6, 1, 6 },	{ 7, 1, 7 },	{ 8, 1, 8 },	 { 9, 2, 8 },	      { 10, 2, 9 },
		{ 11, 2, 10 },	{ 12, 3, 10 },	{ 15, 4, 12 },	 { 20, 6, 15 },	      { 25, 8, 18 },
		{ 30, 10, 21 }, { 50, 18, 33 }, { 100, 40, 61 }, { 2000, 956, 1045 },
	};
	double values[2000];

	(void)state;
	for (size_t i = 0; i < COUNT(ranks); i++) {
		size_t n = ranks[i][0];
		double low = -1, high = -1;

		for (size_t j = 0; j < n; j++)
			values[j] = (double)((j * 1009) % n + 1);
		assert_int_equal(stats_median_interval(values, n, &low, &high), 0);
		same(low, (double)ranks[i][1], "low rank");
		same(high, (double)ranks[i][2], "high rank");
	}
}

static void interval_refused(void **state)
{
	double values[7] = { 1, 2, 3, 4, 5, 6, NAN };
	double low = -7, high = -8;

	(void)state;
	for (size_t n = 0; n < 6; n++)
		assert_int_equal(stats_median_interval(values, n, &low, &high), -1);
	assert_int_equal(stats_median_interval(values, 7, &low, &high), -1);
	same(low, -7, "low left alone");
	same(high, -8, "high left alone");
	assert_int_equal(stats_median_interval(values, 6, &low, &high), 0);
}

static double uniform(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return (double)(*seed >> 11) / 9007199254740992.0;
}

/* How often the interval holds the true median of a skewed distribution, against the exact rate. */
static void interval_coverage(void **state)
{
	static const struct {
		size_t n;
		double rate;
	} cases[] = {
		{ 6, 0.968750 },  { 9, 0.960938 },  { 10, 0.978516 },
		{ 30, 0.957226 }, { 41, 0.972467 },
	};
	const int trials = 20000;
	uint64_t seed = 20240607;

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		double rate = cases[i].rate;
		double error = 4 * sqrt(rate * (1 - rate) / trials);
		int held = 0;

		for (int trial = 0; trial < trials; trial++) {
			double values[41], low, high;

			for (size_t j = 0; j < cases[i].n; j++)
				values[j] = -log(1 - uniform(&seed)); /* its median is log 2 */
			assert_int_equal(stats_median_interval(values, cases[i].n, &low, &high), 0);
			held += low <= log(2) && log(2) <= high;
		}
		if (fabs((double)held / trials - rate) > error)
			fail_msg("n = %zu: covers %d of %d, expected %.4f", cases[i].n, held,
				 trials, rate);
	}
}

/* At lag 1: five rising values reach 0.4 of the 0.74 that they need, twenty 0.85 of 0.37. */
static void following(void **state)
{
	double rising[20], alternating[20], same[20];

	(void)state;
	for (int i = 0; i < 20; i++) {
		rising[i] = i;
		alternating[i] = i % 2;
		same[i] = 0.1;
	}
	assert_true(stats_follow_each_other(rising, 20));
	assert_false(stats_follow_each_other(rising, 5));
	assert_false(stats_follow_each_other(alternating, 20));
	assert_false(stats_follow_each_other(same, 20));
	assert_false(stats_follow_each_other(rising, 2));
	assert_false(stats_follow_each_other(rising, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(median),
		cmocka_unit_test(quantile),
		cmocka_unit_test(interval_ranks),
		cmocka_unit_test(interval_refused),
		cmocka_unit_test(interval_coverage),
		cmocka_unit_test(following),
	};

	return cmocka_run_group_tests_name("stats", tests, NULL, NULL);
}

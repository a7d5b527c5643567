// SPDX-License-Identifier: GPL-2.0-or-later
/* test_latency.c - percentiles of a latency histogram, and which bucket a latency is counted in. */
#include <math.h>

#include "runner/latency.h"
#include "tests/rig.h"

static void test_no_counts(void **state)
{
	const uint64_t counts[M_LATENCIES] = { 0 };

	(void)state;
	assert_true(isnan(latency_percentile(counts, 50)));
}

/* Within its bucket a percentile lies as far as its rank among the bucket's counts. */
static void test_percentiles(void **state)
{
	uint64_t counts[M_LATENCIES] = { [3] = 50, [4] = 40, [10] = 10 };

	(void)state;
	assert_true(latency_percentile(counts, 25) == 12);
	assert_true(latency_percentile(counts, 50) == 16);
	assert_true(latency_percentile(counts, 70) == 24);
	assert_true(latency_percentile(counts, 90) == 32);
	assert_true(latency_percentile(counts, 95) == 1536);
	assert_true(latency_percentile(counts, 100) == 2048);
	counts[0] = 100;
	assert_true(latency_percentile(counts, 25) == 1);
}

static void test_the_last_bucket(void **state)
{
	const uint64_t counts[M_LATENCIES] = { [M_LATENCIES - 1] = 1 };

	(void)state;
	assert_true(latency_percentile(counts, 100) == ldexp(1, 64));
}

/* Each bucket begins at a power of two; nothing and a clock that went back have a place too. */
static void test_buckets(void **state)
{
	static const struct {
		int64_t ns;
		unsigned int bucket;
	} cases[] = { { 0, 0 },	   { 1, 0 },	 { 2, 1 },	    { 3, 1 },  { 4, 2 },
		      { 1023, 9 }, { 1024, 10 }, { INT64_MAX, 62 }, { -1, 63 } };
	uint64_t counts[M_LATENCIES];
	struct task task = { .latency = counts };

	(void)state;
	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		memset(counts, 0, sizeof(counts));
		m_latency(&task, cases[i].ns);
		assert_int_equal(counts[cases[i].bucket], 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_counts),
		cmocka_unit_test(test_percentiles),
		cmocka_unit_test(test_the_last_bucket),
		cmocka_unit_test(test_buckets),
	};

	return cmocka_run_group_tests_name("latency", tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * zone.c - the contract of the kind "zone" (counters/zone.h), held by every counter of it: compiled
 * once with each. No counter is named here; what one is, its counter_info says.
 */
#include "tests/contract/zone_alone.h"
#include "tests/contract/zone_together.h"

#define MANY 10000000

/*
 * The rule of a steady stream, over ten million events: the first spill comes with event
 * threshold + 1; then one each threshold + 1 + overstep, where the overstep is half a threshold or,
 * for a counter with a limit of its own on an unsigned part, nothing.
 */
static void expect_stream(int64_t threshold)
{
	int64_t overstep = counter_info.batch_limit ? 0 : threshold / 2;
	int64_t period = threshold + 1 + overstep;
	int64_t next = threshold + 1;
	int64_t shared = 0;

	open_alone(threshold);
	for (int64_t n = 1; n <= MANY; n++) {
		zone_inc(zone, 0, ZONE_HIT);
		if (n == next) {
			shared = n + overstep;
			next += period;
		} else if (n + 1 < next && n % 61) {
			continue; /* between spills a look now and then will do */
		}
		if (zone_read(zone, 0, ZONE_HIT) != shared ||
		    zone_read(zone, ZONE_MACHINE, ZONE_HIT) != shared)
			fail_msg("threshold %lld, event %lld: shared are %lld and %lld, not %lld",
				 (long long)threshold, (long long)n,
				 (long long)zone_read(zone, 0, ZONE_HIT),
				 (long long)zone_read(zone, ZONE_MACHINE, ZONE_HIT),
				 (long long)shared);
	}
	assert_int_equal(spills(), 1 + (MANY - threshold - 1) / period);
	expected[0][ZONE_HIT] = MANY;
	expect_within(bound_of(threshold));
}

static void test_spill_rule(void **state)
{
	static const int64_t some[] = { 125, 32, UINT16_MAX - 2 };

	(void)state;
	if (!counter_info.has_batch)
		skip();
	for (unsigned int i = 0; i < sizeof(some) / sizeof(some[0]); i++)
		expect_stream(some[i]);
}

/* What the two examples that everybody quotes come to. */
static void test_known_periods(void **state)
{
	int64_t first = 0, second = 0;

	(void)state;
	if (!counter_info.has_batch)
		skip();
	open_alone(counter_info.batch_default ? counter_info.batch_default : 125);
	for (int64_t n = 1; !second; n++) {
		zone_inc(zone, 1, ZONE_LOCAL);
		if (spills() == 1 && !first)
			first = n;
		if (spills() == 2)
			second = n;
	}
	assert_int_equal(first, counter_info.batch_default ? 65534 : 126);
	assert_int_equal(second - first, counter_info.batch_default ? 65534 : 188);
}

/* The bound is reached by no reader's mistake: parts as far as they can grow. */
static void test_bound_is_reached_and_kept(void **state)
{
	(void)state;
	each_threshold(threshold)
	{
		for (unsigned int slot = 0; slot < SLOTS; slot++)
			for (int64_t n = 0; n < threshold; n++)
				inc_as(slot, 0, ZONE_HIT);
		expect_within(bound_of(threshold));
		if (counter_info.has_batch) {
			assert_int_equal(bound_of(threshold), SLOTS * threshold);
			assert_int_equal(zone_read(zone, 0, ZONE_HIT), 0);
			assert_int_equal(spills(), 0);
		}
	}
}

/* A control counts nothing, and its runs have nothing to check. */
static void test_nothing_is_counted(void **state)
{
	(void)state;
	if (!counter_info.counts_nothing)
		skip();
	open_alone(1);
	for (unsigned int slot = 0; slot < SLOTS; slot++)
		for (enum zone_item item = 0; item < ZONE_ITEMS; item++)
			inc_as(slot, 0, item);
	expect_within(0);
	assert_int_equal(spills(), 0);
	assert_int_equal(bound_of(1000), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		rig_test(test_new_is_zero),
		rig_test(test_every_place),
		rig_test(test_up_and_down),
		rig_test(test_random),
		rig_test(test_fold),
		rig_test(test_large_values),
		rig_test(test_statistics),
		rig_test(test_check_can_fail),
		rig_test(test_spill_rule),
		rig_test(test_known_periods),
		rig_test(test_bound_is_reached_and_kept),
		rig_test(test_nothing_is_counted),
		rig_test(test_nothing_is_lost),
		rig_test(test_nothing_is_lost_by_folds),
		rig_test(test_pressure),
	};

	rig_init();
	return cmocka_run_group_tests_name("zone", tests, NULL, NULL);
}

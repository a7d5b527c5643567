/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * zone_alone.h - what every zone counter promises, tested from one thread that acts as all slots:
 * nothing moves but by the test, so each promise is held at every moment.
 */
#ifndef TESTS_CONTRACT_ZONE_ALONE_H
#define TESTS_CONTRACT_ZONE_ALONE_H

#include "tests/contract/zone_rig.h"

static const int64_t thresholds[] = { 1, 2, 3, 32, 125, 1000, UINT16_MAX - 2 };

#define each_threshold(threshold)                                                            \
	for (unsigned int i_ = 0; i_ < sizeof(thresholds) / sizeof(thresholds[0]); i_++)     \
		for (int64_t threshold = thresholds[i_], once_ = (open_alone(threshold), 1); \
		     once_; once_ = 0)

static void test_new_is_zero(void **state)
{
	(void)state;
	each_threshold(threshold)
	{
		expect_within(0);
		assert_true(bound_of(threshold) >= 0);
		assert_int_equal(spills(), 0);
	}
}

/* Each slot, node and item by itself: no other may move. */
static void test_every_place(void **state)
{
	(void)state;
	each_threshold(threshold)
	{
		for (unsigned int slot = 0; slot < SLOTS; slot++)
			for (unsigned int node = 0; node < NODES; node++)
				for (enum zone_item item = 0; item < ZONE_ITEMS; item++) {
					for (unsigned int n = 0; n <= slot + node + item; n++)
						inc_as(slot, node, item);
					expect_within(bound_of(threshold));
				}
		for (unsigned int slot = 0; slot < rig.run->block_count; slot++) {
			rig_act_as(slot);
			expect_within(bound_of(threshold));
		}
	}
}

/* Up and down across zero, so that a sign that is wrong somewhere shows. */
static void test_up_and_down(void **state)
{
	(void)state;
	each_threshold(threshold)
	{
		int64_t steps = threshold < 1000 ? 3 * threshold + 5 : 300;

		for (int round = 0; round < 3; round++) {
			for (int64_t n = 0; n < steps; n++)
				inc_as(1, 0, ZONE_HIT);
			expect_within(bound_of(threshold));
			for (int64_t n = 0; n < 2 * steps; n++)
				dec_as(1, 0, ZONE_HIT);
			expect_within(bound_of(threshold));
		}
		assert_int_equal(expected[0][ZONE_HIT], -3 * steps);
	}
}

static void test_random(void **state)
{
	(void)state;
	each_threshold(threshold)
	{
		for (unsigned int n = 0; n < 20000; n++) {
			uint64_t bits;

			rig_act_as(0);
			bits = m_random();
			if (bits >> 60 < 6)
				dec_as(bits % SLOTS, bits >> 8 & 1, (bits >> 16) % ZONE_ITEMS);
			else
				inc_as(bits % SLOTS, bits >> 8 & 1, (bits >> 16) % ZONE_ITEMS);
			if (n % 100 == 0)
				expect_within(bound_of(threshold));
		}
		expect_within(bound_of(threshold));
	}
}

/* Nothing is lost or counted twice by a fold, and behind one the cheap read is exact. */
static void test_fold(void **state)
{
	(void)state;
	each_threshold(threshold)
	{
		for (unsigned int round = 0; round < 50; round++) {
			for (unsigned int n = 0; n < 20; n++)
				inc_as(n % SLOTS, n % NODES, (n + round) % ZONE_ITEMS);
			dec_as(round % SLOTS, 1, ZONE_OTHER);
			for (unsigned int slot = 0; slot < SLOTS; slot++) {
				rig_act_as(slot);
				zone_fold(zone);
				zone_fold(zone);
			}
			expect_within(0);
		}
	}
}

/* More than 32 bits hold: the shared levels are set so high that one spill passes the edge. */
static void test_large_values(void **state)
{
	static const int64_t large[] = { INT32_MAX, UINT32_MAX, 1LL << 40 };

	(void)state;
	if (counter_info.counts_nothing)
		skip();
	for (unsigned int i = 0; i < sizeof(large) / sizeof(large[0]); i++) {
		open_alone(3);
		zone_add_shared(zone_levels(zone), 1, ZONE_MISS, large[i] - 2);
		expected[1][ZONE_MISS] = large[i] - 2;
		for (unsigned int n = 0; n < 20; n++) {
			inc_as(n % SLOTS, 1, ZONE_MISS);
			expect_within(bound_of(3));
		}
	}
}

/* A page counts as its meaning says: by the node it came from, was wanted from, and was for. */
static void test_statistics(void **state)
{
	(void)state;
	open_alone(1);
	for (unsigned int slot = 0; slot < SLOTS; slot++) {
		unsigned int own = rig_act_as(slot)->node, other = !own;

		zone_statistics(zone, own, own);
		expected[own][ZONE_HIT]++;
		expected[own][ZONE_LOCAL]++;
		expect_within(bound_of(1));
		zone_statistics(zone, own, other);
		expected[other][ZONE_MISS]++;
		expected[own][ZONE_FOREIGN]++;
		expected[other][ZONE_OTHER]++;
		expect_within(bound_of(1));
		zone_statistics(zone, other, other);
		expected[other][ZONE_HIT]++;
		expected[other][ZONE_OTHER]++;
		expect_within(bound_of(1));
	}
}

/* The check of a run agrees with the notes, and does not once they are changed. */
static void test_check_can_fail(void **state)
{
	struct kind_check check;
	struct task *task;
	int64_t *notes;

	(void)state;
	open_alone(100);
	task = rig_act_as(1);
	notes = m_notes(task, &account->notes);
	for (unsigned int n = 0; n < 10; n++) {
		zone_page_came(task, notes, n % NODES);
		zone_page_interleaved(task, notes, n % NODES);
	}
	rig_conductor();
	assert_int_equal(kind_ops.check(rig.run, account, &check, &rig.error), 0);
	assert_true(check.valid == !counter_info.counts_nothing);
	if (!check.valid)
		return;
	for (unsigned int i = 0; i < 2 * NODES; i++) {
		int64_t *note = i == task->node ? &task->added : &notes[i];

		++*note;
		assert_int_equal(kind_ops.check(rig.run, account, &check, &rig.error), -1);
		assert_non_null(strstr(rig.error.text, "the counter is wrong: "));
		--*note;
	}
	assert_int_equal(kind_ops.charges(rig.run, account), 0); /* slot 1 has no task */
	if (!counter_info.has_batch || counter_info.batch_limit)
		return;
	account->loosest = 0;
	assert_int_equal(kind_ops.check(rig.run, account, &check, &rig.error), -1);
	assert_non_null(strstr(rig.error.text, "the cheap read of HIT"));
}

#endif

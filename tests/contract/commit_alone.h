/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * commit_alone.h - what every commit counter promises, tested from one thread that acts as all
 * slots: nothing moves but by the test, so each promise is held at every moment.
 */
#ifndef TESTS_CONTRACT_COMMIT_ALONE_H
#define TESTS_CONTRACT_COMMIT_ALONE_H

#include "tests/contract/commit_rig.h"

static const int64_t batches[] = { 1, 2, 3, 32, 1000, 786432, COMMIT_BATCH_LIMIT };

#define each_batch(batch)                                                          \
	for (unsigned int i_ = 0; i_ < sizeof(batches) / sizeof(batches[0]); i_++) \
		for (int64_t batch = batches[i_], once_ = (open_alone(batch), 1); once_; once_ = 0)

static void test_new_is_zero(void **state)
{
	(void)state;
	each_batch(batch)
	{
		assert_int_equal(commit_read(commit), 0);
		assert_int_equal(commit_sum(commit), 0);
		assert_int_equal(commit_compare(commit, 0), 0);
		assert_true(bound_of(batch) >= 0);
		assert_int_equal(spills(), 0);
	}
}

static void test_one_slot(void **state)
{
	static const int64_t steps[] = { 1, 5, -3, 0, -3, 100, -1, -200, 32768, -32768, 101 };

	(void)state;
	each_batch(batch)
	{
		for (unsigned int i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
			add_as(0, steps[i]);
			expect_within(bound_of(batch));
		}
		assert_int_equal(truth(), 0);
	}
}

/* Each slot's part must be its own, and every slot must see all of them. */
static void test_every_slot(void **state)
{
	(void)state;
	each_batch(batch)
	{
		for (unsigned int slot = 0; slot < SLOTS; slot++) {
			add_as(slot, 1 << slot);
			expect_within(bound_of(batch));
		}
		assert_int_equal(truth(), (1 << SLOTS) - 1);
		for (unsigned int slot = 0; slot < rig.run->block_count; slot++) {
			rig_act_as(slot);
			expect_within(bound_of(batch));
		}
		for (unsigned int slot = 0; slot < SLOTS; slot++)
			add_as(SLOTS - 1 - slot, -(1 << slot));
		expect_within(bound_of(batch));
		assert_int_equal(truth(), 0);
	}
}

/* More pages than 32 bits hold, in one add and in many, up and down. */
static void test_large_values(void **state)
{
	static const int64_t large[] = { 1LL << 31, (1LL << 31) + 1, 1LL << 32, (1LL << 32) + 1,
					 1LL << 33, 3LL << 40,	     1LL << 52 };

	(void)state;
	each_batch(batch)
	{
		for (int sign = 1; sign >= -1; sign -= 2) {
			for (unsigned int i = 0; i < sizeof(large) / sizeof(large[0]); i++) {
				add_as(i % SLOTS, sign * large[i]);
				expect_within(bound_of(batch));
			}
		}
		for (unsigned int i = 0; i < 40; i++) {
			add_as(i % SLOTS, -(COMMIT_BATCH_LIMIT - 1LL));
			expect_within(bound_of(batch));
		}
	}
}

/* As far as parts can grow without reaching the batch, in one add and page by page. */
static void test_bound_is_reached_and_kept(void **state)
{
	(void)state;
	each_batch(batch)
	{
		for (int64_t sign = 1; sign >= -1; sign -= 2) {
			open_alone(batch);
			for (unsigned int slot = 0; slot < SLOTS; slot++)
				add_as(slot, sign * (batch - 1));
			expect_within(bound_of(batch));
			/* No read is further off than now: a comparison must know. */
			assert_int_equal(commit_compare(commit, counted(truth())), 0);
			assert_int_equal(commit_compare(commit, counted(truth()) + 1), -1);
			assert_int_equal(commit_compare(commit, counted(truth()) - 1), 1);
			for (unsigned int slot = 0; slot < SLOTS; slot++)
				add_as(slot, sign);
			expect_within(bound_of(batch));
			for (unsigned int slot = 0; slot < SLOTS; slot++)
				add_as(slot, -sign * batch * 2);
			expect_within(bound_of(batch));
		}
	}
}

static int64_t random_pages(int64_t batch)
{
	uint64_t bits = m_random();
	int64_t most = batch < 1 << 20 ? 2 * batch : batch;

	return (int64_t)((bits >> 8) % (uint64_t)(2 * most + 1)) - most;
}

static void random_adds(int64_t batch, int64_t bound, unsigned int count)
{
	while (count--) {
		unsigned int slot;

		rig_act_as(0);
		slot = (unsigned int)(m_random() % SLOTS);
		/* Mostly small steps, so that parts stay local for a while. */
		add_as(slot, count % 4 ? (int64_t)(m_random() % 7) - 2 : random_pages(batch));
		expect_within(bound);
	}
}

static void test_random_adds(void **state)
{
	(void)state;
	each_batch(batch) random_adds(batch, bound_of(batch), 20000);
}

/* Nothing is lost or counted twice by a sync, and behind one the cheap read is exact. */
static void test_sync(void **state)
{
	(void)state;
	each_batch(batch)
	{
		for (unsigned int round = 0; round < 100; round++) {
			random_adds(batch, bound_of(batch), 10);
			sync_all();
			expect_within(0);
			sync_all();
			expect_within(0);
		}
	}
}

/* A sync moves the caller's part and no other. */
static void test_sync_of_one_slot(void **state)
{
	int64_t before;

	(void)state;
	open_alone(1000);
	for (unsigned int slot = 0; slot < SLOTS; slot++)
		add_as(slot, 10 << slot);
	rig_act_as(2);
	before = commit_read(commit);
	commit_sync(commit);
	if (counter_info.has_batch)
		assert_int_equal(commit_read(commit) - before, 10 << 2);
	expect_within(bound_of(1000));
}

/* The old bound holds until all parts that grew under the old batch are in, the new one then. */
static void test_smaller_batch(void **state)
{
	(void)state;
	open_alone(100000);
	for (unsigned int slot = 0; slot < SLOTS; slot++)
		add_as(slot, slot % 2 ? -99999 : 99999);
	expect_within(bound_of(100000));
	commit_set_batch(commit, 16);
	expect_within(bound_of(100000));
	for (unsigned int slot = 0; slot < SLOTS; slot++)
		add_as(slot, 1);
	expect_within(bound_of(100000));
	sync_all();
	expect_within(bound_of(16));
	random_adds(16, bound_of(16), 5000);
	commit_set_batch(commit, 1);
	sync_all();
	random_adds(1, bound_of(1), 5000);
	commit_set_batch(commit, 64);
	random_adds(64, bound_of(64), 5000);
}

static void test_batch_is_kept(void **state)
{
	(void)state;
	each_batch(batch)
	{
		if (counter_info.has_batch)
			assert_int_equal(commit_batch(commit), batch);
		assert_true(bound_of(batch) >= bound_of(1));
		assert_int_equal(kind_ops.batch_used(account), commit_batch(commit));
		commit_set_batch(commit, 77);
		if (counter_info.has_batch)
			assert_int_equal(commit_batch(commit), 77);
	}
}

/* However near, the answer of a comparison is right. */
static void test_compare(void **state)
{
	(void)state;
	each_batch(batch)
	{
		int64_t bound = bound_of(batch);

		for (unsigned int round = 0; round < 200; round++) {
			int64_t near[] = { 0, 1, bound - 1, bound, bound + 1, 2 * bound + 1 };

			random_adds(batch, bound, 5);
			for (unsigned int i = 0; i < sizeof(near) / sizeof(near[0]); i++) {
				int64_t pages = counted(truth());
				int above = near[i] > 0 ? -1 : near[i] < 0;

				assert_int_equal(commit_compare(commit, pages + near[i]), above);
				assert_int_equal(commit_compare(commit, pages - near[i]), -above);
			}
		}
	}
}

static void enter(const char *policy)
{
	set_switch(policy);
	rig_conductor();
	rig_is_ok(
		kind_ops.enter_phase(&rig_machine, rig.run, account, &counter_args, 1, &rig.error));
}

/* Going to never, all parts are brought in before its first check; else they stay as they are. */
static void test_never_begins_exact(void **state)
{
	int64_t read;

	(void)state;
	open_alone(900000);
	for (unsigned int slot = 0; slot < SLOTS; slot++)
		add_as(slot, 800000 + slot);
	read = commit_read(commit);
	enter("always");
	assert_int_equal(commit_read(commit), read);
	assert_int_equal(m_load(&account->policy), OVERCOMMIT_ALWAYS);
	assert_int_equal(account->loosest_batch, 900000);
	enter("never");
	expect_within(0);
	assert_int_equal(m_load(&account->policy), OVERCOMMIT_NEVER);
	assert_int_equal(account->loosest_batch, 12288);
	enter("guess");
	assert_int_equal(account->loosest_batch, 786432);
}

/* Two counters in one run, as the runner makes them, know nothing of each other. */
static void test_two_counters(void **state)
{
	struct account *first, *second;

	(void)state;
	open_alone(10);
	first = account;
	second = make_counter(1, 20);
	for (unsigned int slot = 0; slot < SLOTS; slot++)
		add_as(slot, 7 + slot);
	assert_int_equal(commit_sum(&second->commit), 0);
	assert_int_equal(commit_read(&second->commit), 0);
	for (unsigned int slot = 0; slot < SLOTS; slot++) {
		rig_act_as(slot);
		commit_add(&second->commit, -3, SITE_UNCHARGE);
	}
	assert_int_equal(commit_sum(&second->commit), counted(-3 * SLOTS));
	commit = &first->commit;
	expect_within(bound_of(10));
}

#endif

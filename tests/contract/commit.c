// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * commit.c - the contract of the kind "commit" (counters/commit.h), held by every counter of it:
 * compiled once with each. No counter is named here; what one is, its counter_info says.
 */
#include "tests/contract/commit_alone.h"
#include "tests/contract/commit_together.h"

/*
 * The rule of a counter with a batch: a part spills exactly when it would reach the batch, with the
 * new pages and as a whole.
 */
static void expect_spill_rule(int64_t batch, unsigned int adds)
{
	int64_t part[SLOTS] = { 0 };
	int64_t shared = 0;
	uint64_t spilled = 0;

	while (adds--) {
		unsigned int slot;
		int64_t pages;

		rig_act_as(0);
		slot = (unsigned int)(m_random() % SLOTS);
		pages = adds % 3 ? (int64_t)(m_random() % 5) - 1 : random_pages(batch);
		part[slot] += pages;
		if (part[slot] >= batch || part[slot] <= -batch) {
			shared += part[slot];
			part[slot] = 0;
			spilled++;
		}
		add_as(slot, pages);
		if (commit_read(commit) != shared)
			fail_msg("batch %lld, %lld pages: the shared count is %lld, not %lld",
				 (long long)batch, (long long)pages, (long long)commit_read(commit),
				 (long long)shared);
	}
	assert_int_equal(spills(), spilled);
	assert_true(spilled > 0 || batch > 1000);
	for (unsigned int slot = 0; slot < SLOTS; slot++) {
		rig_act_as(slot);
		commit_sync(commit);
		shared += part[slot];
		assert_int_equal(commit_read(commit), shared);
	}
}

static void test_spill_rule(void **state)
{
	(void)state;
	if (!counter_info.has_batch)
		skip();
	each_batch(batch)
	{
		assert_int_equal(bound_of(batch), SLOTS * (batch - 1));
		expect_spill_rule(batch, 20000);
	}
}

/* On the edge: one page below the batch stays, the batch itself goes, in both directions. */
static void test_spill_edges(void **state)
{
	(void)state;
	if (!counter_info.has_batch)
		skip();
	each_batch(batch)
	{
		for (int64_t sign = 1; sign >= -1; sign -= 2) {
			open_alone(batch);
			add_as(1, sign * (batch - 1));
			assert_int_equal(commit_read(commit), 0);
			add_as(2, sign * batch);
			assert_int_equal(commit_read(commit), sign * batch);
			add_as(1, sign);
			assert_int_equal(commit_read(commit), sign * 2 * batch);
			assert_int_equal(m_task_of(rig.run, 1)->spills, 1);
			assert_int_equal(m_task_of(rig.run, 2)->spills, 1);
			assert_int_equal(spills(), 2);
		}
	}
}

/* What takes a lock says from where: an add by its own site, once a spill. */
static void test_sites(void **state)
{
	(void)state;
	if (!counter_info.has_batch)
		skip();
	open_alone(10);
	add_as(3, 5);
	add_as(3, 5);
	add_as(3, -10);
	add_as(3, -11);
	rig_act_as(3);
	commit_sync(commit);
	commit_sum(commit);
	assert_int_equal(m_task_of(rig.run, 3)->sites[SITE_CHARGE].acquisitions, 1);
	assert_int_equal(m_task_of(rig.run, 3)->sites[SITE_UNCHARGE].acquisitions, 2);
	assert_int_equal(m_task_of(rig.run, 3)->sites[SITE_SYNC].acquisitions, 1);
	assert_int_equal(m_task_of(rig.run, 3)->sites[SITE_SUM].acquisitions, 1);
	/* Far from the count a comparison needs no exact read. */
	assert_int_equal(commit_compare(commit, 1000), -1);
	assert_int_equal(commit_compare(commit, -1000), 1);
	assert_int_equal(m_task_of(rig.run, 3)->sites[SITE_SUM].acquisitions, 1);
	assert_int_equal(commit_compare(commit, -11), 0);
	assert_int_equal(m_task_of(rig.run, 3)->sites[SITE_SUM].acquisitions, 2);
}

/* The check that every run makes of itself can fail, in both ways. */
static void test_check_can_fail(void **state)
{
	struct kind_check check;

	(void)state;
	open_alone(4);
	add_as(1, 3);
	rig_conductor();
	check_now(&check);
	m_task_of(rig.run, 1)->added++;
	if (counter_info.counts_nothing) {
		check_now(&check);
		return;
	}
	assert_int_equal(kind_ops.check(rig.run, account, &check, &rig.error), -1);
	assert_string_equal(rig.error.text, "the counter is wrong: its exact sum is 3 pages, the "
					    "tasks added 4");
	m_task_of(rig.run, 1)->added--;
	account->loosest_batch = 1;
	if (!counter_info.has_batch)
		return;
	assert_int_equal(kind_ops.check(rig.run, account, &check, &rig.error), -1);
	assert_string_equal(rig.error.text, "the counter is wrong: its cheap read is off by 3 "
					    "pages, the bound is 0");
}

/* A control counts nothing, takes no lock, and its runs have nothing to check. */
static void test_nothing_is_counted(void **state)
{
	struct kind_check check = { .valid = true };

	(void)state;
	if (!counter_info.counts_nothing)
		skip();
	open_alone(1);
	for (unsigned int slot = 0; slot < SLOTS; slot++)
		add_as(slot, 1000 + slot);
	sync_all();
	expect_within(0);
	assert_int_equal(bound_of(1000000), 0);
	assert_int_equal(kind_ops.check(rig.run, account, &check, &rig.error), 0);
	assert_false(check.valid);
	for (unsigned int slot = 0; slot < SLOTS; slot++)
		for (unsigned int site = 0; site < M_SITES; site++)
			assert_int_equal(m_task_of(rig.run, slot)->sites[site].acquisitions, 0);
	assert_int_equal(spills(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		rig_test(test_new_is_zero),
		rig_test(test_one_slot),
		rig_test(test_every_slot),
		rig_test(test_large_values),
		rig_test(test_bound_is_reached_and_kept),
		rig_test(test_random_adds),
		rig_test(test_sync),
		rig_test(test_sync_of_one_slot),
		rig_test(test_smaller_batch),
		rig_test(test_batch_is_kept),
		rig_test(test_compare),
		rig_test(test_never_begins_exact),
		rig_test(test_two_counters),
		rig_test(test_spill_rule),
		rig_test(test_spill_edges),
		rig_test(test_sites),
		rig_test(test_check_can_fail),
		rig_test(test_nothing_is_counted),
		rig_test(test_nothing_is_lost),
		rig_test(test_nothing_is_lost_by_syncs),
		rig_test(test_policy_switch),
	};

	rig_init();
	return cmocka_run_group_tests_name("commit", tests, NULL, NULL);
}

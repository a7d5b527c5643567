// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lru.c - the contract of the kind "lru" (counters/lru.h), held by every counter of it: compiled
 * once with each. No counter is named here; what one is, its counter_info says.
 */
#include "tests/contract/lru_alone.h"
#include "tests/contract/lru_together.h"

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define ADDS 500000 /* a sanitized one is many times slower */
#else
#define ADDS 10000000
#endif

/* The lock once for each `batch` pages, in the call that fills the vector, and not once more. */
static void expect_lock_rule(int64_t batch)
{
	struct lru_page *mapped[MAPPED] = { NULL };
	const uint64_t *acquisitions;
	struct task *t;
	int64_t each;

	open_alone(batch);
	each = lru_batch(lru);
	t = rig_act_as(3);
	acquisitions = &t->sites[SITE_ADD].acquisitions;
	for (int64_t n = 1; n <= ADDS; n++) {
		struct lru_page **page = &mapped[n % MAPPED];

		/* MAPPED adds later it has long been on its list. */
		if (*page)
			pages_release(t, page, 1);
		*page = page_add(t, 1, false);
		if (*acquisitions != (uint64_t)(n / each))
			fail_msg("after %lld pages the lock was taken %llu times, not %lld",
				 (long long)n, (unsigned long long)*acquisitions,
				 (long long)(n / each));
		/* A counter that loses pages has some to lose: it must not end the program. */
		if (n % 1000 == 0)
			check_now();
	}
	assert_int_equal(t->spills, counter_info.has_batch ? ADDS / each : 0);
	assert_int_equal(t->sites[SITE_RELEASE].acquisitions, ADDS - MAPPED);
	assert_int_equal(truth(), MAPPED);
	check_now();
}

static void test_a_lock_for_each_batch(void **state)
{
	(void)state;
	if (counter_info.counts_nothing)
		skip();
	expect_lock_rule(15);
	if (counter_info.has_batch)
		expect_lock_rule(31);
}

/* Pages of one node in a row share a lock; where the node changes, it is another. */
static void test_relock(void **state)
{
	static const unsigned int nodes[] = { 0, 0, 1, 1, 1, 0, 2, 2 };
	struct lru_page *mapped[8];

	(void)state;
	if (!counter_info.has_batch)
		skip();
	open_alone(8);
	for (unsigned int i = 0; i < 8; i++)
		mapped[i] = add_as(1, nodes[i], false);
	assert_int_equal(taken(SITE_ADD), 4);
	assert_int_equal(spills(), 1);
	assert_int_equal(m_load(&lru->base.lists[0].size), 3);
	assert_int_equal(m_load(&lru->base.lists[1].size), 3);
	assert_int_equal(m_load(&lru->base.lists[2].size), 2);
	for (unsigned int node = 0; node < NODES; node++)
		assert_int_equal(m_load(&lru->base.lists[node].lock.locked), 0);
	pages_release(rig_act_as(1), mapped, 8);
	assert_int_equal(taken(SITE_RELEASE), 4);
	for (unsigned int node = 0; node < NODES; node++)
		assert_int_equal(m_load(&lru->base.lists[node].lock.locked), 0);
	check_now();
}

/* Unmapped while it waits, a page is nobody's to take until the drain, and never on a list. */
static void test_a_page_gone_while_it_waits(void **state)
{
	struct lru_page *gone;

	(void)state;
	if (!counter_info.has_batch)
		skip();
	open_alone(4);
	gone = add_as(2, 1, false);
	release_as(2, gone);
	check_now();
	assert_int_equal(waiting(2), 1);
	assert_int_equal(lru_sum(lru), 0);
	for (unsigned int i = 0; i < 3; i++) {
		assert_ptr_not_equal(add_as(2, 1, false), gone);
		check_now();
	}
	assert_int_equal(lru_read(lru), 3);
	assert_int_equal(taken(SITE_RELEASE), 0);
	assert_int_equal(taken(SITE_ADD), 1);
	/* Freed by the drain: the next to be taken. */
	assert_ptr_equal(add_as(2, 1, false), gone);
	check_now();
}

/* A drain of pages that are all gone moves none: no lock, and no spill. */
static void test_a_drain_that_moves_nothing(void **state)
{
	(void)state;
	if (!counter_info.has_batch)
		skip();
	open_alone(4);
	release_as(2, add_as(2, 1, false));
	release_as(2, add_as(2, 1, false));
	lru_drain(lru);
	lru_drain(lru);
	assert_int_equal(waiting(2), 0);
	assert_int_equal(taken(SITE_DRAIN), 0);
	assert_int_equal(spills(), 0);
	check_now();
	add_as(2, 1, false);
	lru_drain(lru);
	assert_int_equal(taken(SITE_DRAIN), 1);
	assert_int_equal(spills(), 1);
	assert_int_equal(lru_read(lru), 1);
	check_now();
}

/* All but one page of every vector: the most that the cheap read can miss, and no more. */
static void test_bound_is_reached(void **state)
{
	(void)state;
	if (!counter_info.has_batch)
		skip();
	each_batch(batch)
	{
		struct kind_check check;
		int64_t fill = batch - 1 < MAPPED ? batch - 1 : MAPPED;

		for (unsigned int slot = 0; slot < SLOTS; slot++)
			for (int64_t i = 0; i < fill; i++)
				add_as(slot, 0, false);
		rig_conductor();
		assert_int_equal(kind_ops.check(rig.run, lru, &check, &rig.error), 0);
		assert_int_equal(check.bound, SLOTS * (batch - 1));
		assert_int_equal(check.error, SLOTS * fill);
		assert_int_equal(taken(SITE_ADD), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		rig_test(test_new_is_empty),
		rig_test(test_random_pages),
		rig_test(test_release_of_many),
		rig_test(test_every_slot_has_its_own),
		rig_test(test_compound),
		rig_test(test_batches),
		rig_test(test_check_can_fail),
		rig_test(test_nothing_is_counted),
		rig_test(test_a_lock_for_each_batch),
		rig_test(test_relock),
		rig_test(test_a_page_gone_while_it_waits),
		rig_test(test_a_drain_that_moves_nothing),
		rig_test(test_bound_is_reached),
		rig_test(test_no_page_is_lost),
		rig_test(test_no_page_is_lost_by_drains),
	};

	rig_init();
	return cmocka_run_group_tests_name("lru", tests, NULL, NULL);
}

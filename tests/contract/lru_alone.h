/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lru_alone.h - what every lru counter promises, tested from one thread that acts as all slots:
 * nothing moves but by the test, so each promise is held at every moment.
 */
#ifndef TESTS_CONTRACT_LRU_ALONE_H
#define TESTS_CONTRACT_LRU_ALONE_H

#include "tests/contract/lru_rig.h"

static const int64_t batches[] = { 1, 2, 15, 31, LRU_BATCH_LIMIT };

#define each_batch(batch)                                                          \
	for (unsigned int i_ = 0; i_ < sizeof(batches) / sizeof(batches[0]); i_++) \
		for (int64_t batch = batches[i_], once_ = (open_alone(batch), 1); once_; once_ = 0)

static void test_new_is_empty(void **state)
{
	(void)state;
	each_batch(batch)
	{
		assert_int_equal(lru_read(lru), 0);
		assert_int_equal(lru_sum(lru), 0);
		assert_true(lru_batch(lru) == batch || !counter_info.has_batch);
		assert_true(lru_error_bound(lru) >= 0);
		check_now();
	}
}

/*
 * Random adds and releases, of pages of all nodes and of huge ones, by all slots; now and then a
 * drain. Each is followed by the checks of a run.
 */
static void test_random_pages(void **state)
{
	(void)state;
	each_batch(batch)
	{
		struct lru_page *mapped[SLOTS][MAPPED] = { { NULL } };

		for (unsigned int n = 0; n < 3000; n++) {
			unsigned int slot = (rig_act_as(0), m_random() % SLOTS);
			struct lru_page **page = &mapped[slot][m_random() % MAPPED];

			if (m_random() % 50 == 0) {
				rig_act_as(slot);
				lru_drain(lru);
				assert_int_equal(waiting(slot), 0);
			} else if (*page) {
				release_as(slot, *page);
				*page = NULL;
			} else {
				*page = add_as(slot, m_random() % NODES, n % 20 == 0);
			}
			check_now();
		}
	}
}

/* A batch of pages released at once is off the lists and free, once. */
static void test_release_of_many(void **state)
{
	(void)state;
	each_batch(batch)
	{
		struct lru_page *mapped[MAPPED];
		int64_t each = lru_batch(lru);

		for (unsigned int i = 0; i < MAPPED; i++)
			mapped[i] = add_as(2, i % NODES, false);
		lru_drain(lru);
		for (int64_t i = 0; i < MAPPED; i += each) {
			int64_t left = MAPPED - i;

			pages_release(rig_act_as(2), mapped + i, left < each ? left : each);
			check_now();
		}
		assert_int_equal(truth(), 0);
		assert_int_equal(lru_read(lru), 0);
		assert_int_equal(taken(SITE_RELEASE) > 0, !counter_info.counts_nothing);
		for (unsigned int i = 0; i < MAPPED; i++)
			add_as(2, 0, false);
		assert_true(lru_notes(&lru->base, rig_act_as(2))->fresh <= MAPPED);
	}
}

/* What waits is never seen by others as theirs. */
static void test_every_slot_has_its_own(void **state)
{
	(void)state;
	each_batch(batch)
	{
		for (unsigned int slot = 0; slot < SLOTS; slot++) {
			for (unsigned int i = 0; i <= slot; i++)
				add_as(slot, 0, false);
			check_now();
		}
		for (unsigned int slot = 0; slot < SLOTS; slot++) {
			rig_act_as(slot);
			lru_drain(lru);
			check_now();
			assert_int_equal(waiting(slot), 0);
		}
		if (!counter_info.counts_nothing)
			assert_int_equal(lru_read(lru), SLOTS * (SLOTS + 1) / 2);
		assert_int_equal(lru_read(lru), lru_sum(lru));
	}
}

/* A huge page is 512 pages, on its list at once, and those that waited with it. */
static void test_compound(void **state)
{
	(void)state;
	if (counter_info.counts_nothing)
		skip();
	each_batch(batch)
	{
		struct lru_page *huge;

		add_as(1, 0, false);
		huge = add_as(1, 1, true);
		assert_int_equal(lru_read(lru), LRU_COMPOUND_PAGES + 1);
		assert_int_equal(waiting(1), 0);
		assert_int_equal(truth(), LRU_COMPOUND_PAGES + 1);
		check_now();
		release_as(1, huge);
		assert_int_equal(lru_read(lru), 1);
		check_now();
	}
}

static void test_batches(void **state)
{
	static const struct {
		const char *text;
		int64_t batch; /* 0: refused, with */
		const char *words;
	} cases[] = {
		{ "default", 15, NULL },  { "31", 31, NULL },
		{ "2x", 30, NULL },	  { "1", 1, NULL },
		{ "255", 255, NULL },	  { "17x", 255, NULL },
		{ "256", 0, "255" },	  { "18x", 0, "17x" },
		{ "0", 0, "at least 1" }, { "64x", 0, "a vector of 960 pages is too large" },
	};
	struct kind_args args = args_of(1, 1, 0);

	(void)state;
	for (unsigned int i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int64_t batch = 0;
		int result = kind_ops.batch(cases[i].text, &args, &batch, &rig.error);

		assert_int_equal(result, cases[i].batch ? 0 : -1);
		assert_int_equal(batch, cases[i].batch);
		if (!cases[i].batch && !strstr(rig.error.text, cases[i].words))
			fail_msg("%s: '%s'", cases[i].text, rig.error.text);
	}
}

/* The check that every run makes of itself can fail, in each of its ways. */
static void test_check_can_fail(void **state)
{
	struct lru_page *page[3];
	struct lru_list *list;
	int64_t was;

	(void)state;
	if (counter_info.counts_nothing)
		skip();
	open_alone(4);
	for (unsigned int i = 0; i < 3; i++)
		page[i] = add_as(1, 1, false);
	lru_drain(lru);
	check_now();
	list = &lru->base.lists[1];

	m_task_of(rig.run, 1)->added++;
	expect_wrong("its exact sum is 3 pages, the tasks have mapped 4");
	m_task_of(rig.run, 1)->added--;
	m_store(&list->size, 2);
	expect_wrong("its size is not what is on the list of node 1");
	m_store(&list->size, 3);
	was = m_load(&page[1]->links.prev);
	m_store(&page[1]->links.prev, (int64_t)&page[0]->links);
	expect_wrong("links do not lead back, on the list of node 1");
	m_store(&page[1]->links.prev, was);
	was = m_load(&page[1]->state);
	m_store(&page[1]->state, was & ~LRU_LISTED);
	expect_wrong("marked as elsewhere");
	m_store(&page[1]->state, was ^ 1 << LRU_NODE_SHIFT);
	expect_wrong("a page of another node is on the list of node 1");
	m_store(&page[1]->state, was);
	was = m_load(&page[1]->links.next);
	m_store(&page[1]->links.next, 4096);
	expect_wrong("a link leads to no page");
	m_store(&page[1]->links.next, was);
	lru_notes(&lru->base, m_task_of(rig.run, 1))->fresh++;
	expect_wrong("pages that are nowhere: 1");
	lru_notes(&lru->base, m_task_of(rig.run, 1))->fresh--;
	lru_notes(&lru->base, m_task_of(rig.run, 2))->first_free = (int64_t)page[0];
	expect_wrong("a page is in two places");
	lru_notes(&lru->base, m_task_of(rig.run, 2))->first_free = 0;
	check_now();
}

/* A control counts nothing, takes no lock, and its runs have nothing to check. */
static void test_nothing_is_counted(void **state)
{
	(void)state;
	if (!counter_info.counts_nothing)
		skip();
	open_alone(1);
	for (unsigned int slot = 0; slot < SLOTS; slot++)
		for (unsigned int i = 0; i < MAPPED; i++)
			release_as(slot, add_as(slot, 0, false));
	assert_int_equal(lru_read(lru), 0);
	assert_int_equal(lru_sum(lru), 0);
	for (unsigned int site = 0; site < M_SITES; site++)
		assert_int_equal(taken(site), 0);
	assert_int_equal(spills(), 0);
	check_now();
}

#endif

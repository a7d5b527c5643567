/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lru_together.h - what every lru counter keeps when real tasks add and release at once: no page is
 * lost, whatever the mode and the number of tasks, while all vectors are drained again and again.
 */
#ifndef TESTS_CONTRACT_LRU_TOGETHER_H
#define TESTS_CONTRACT_LRU_TOGETHER_H

#include "tests/contract/lru_rig.h"

#define HOLDS 12
#define RUN_NS (3 * MS) /* between two holds */

/* Maps pages of any node and unmaps a few of them in one call, with a safe point between. */
static void churn(struct task *t)
{
	int64_t *table = lru_notes(&lru_of(t)->base, t)->table;
	int64_t batch = lru_batch(lru_of(t));

	while (task_running(t)) {
		struct lru_page *gathered[LRU_BATCH_LIMIT];
		int64_t count = 0;
		int64_t most = 1 + (int64_t)(m_random() % (uint64_t)batch);
		unsigned int from = m_random() % MAPPED;

		for (unsigned int i = from; i < MAPPED && m_random() % 16; i++)
			if (!table[i])
				table[i] = (int64_t)page_add(t, m_random() % m_nodes(),
							     m_random() % 64 == 0);
		task_safe_point(t);
		for (unsigned int i = m_random() % MAPPED; i < MAPPED && count < most; i++) {
			if (table[i])
				gathered[count++] = (struct lru_page *)table[i];
			table[i] = 0;
		}
		if (count)
			pages_release(t, gathered, count);
		t->ops++;
	}
}

static void read_on(struct task *t)
{
	while (task_running(t)) {
		kind_ops.sum(t->counter);
		kind_ops.read(t->counter);
		t->reads++;
	}
}

/* With all tasks held; drained, no page waits, and the cheap read is exact. */
static void look(bool drained)
{
	rig_hold();
	check_now();
	if (drained) {
		rig_is_ok(kind_ops.tick(&rig_machine, rig.run, lru, &rig.error));
		check_now();
		for (unsigned int slot = 0; slot < rig.run->slots; slot++)
			assert_int_equal(waiting(slot), 0);
		if (!counter_info.counts_nothing)
			assert_int_equal(lru_read(lru), truth());
	}
	rig_machine.release(rig.run);
}

#define each_run(args)                                                               \
	for (unsigned int i_ = 0; i_ < 4; i_++)                                      \
		for (struct rig_args args = { .tasks = i_ & 1 ? 6 : 2,               \
					      .slots = 7,                            \
					      .nodes = 1 + i_ % 3,                   \
					      .mode = i_ & 2 ? M_THREAD : M_PROCESS, \
					      .seed = i_ + 1,                        \
					      .readers = i_ & 1,                     \
					      .reader = read_on,                     \
					      .body = churn },                       \
				     *once_ = &args;                                 \
		     once_; once_ = NULL)

static void finish(void)
{
	rig_stop();
	check_now();
	rig_close();
}

static void test_no_page_is_lost(void **state)
{
	static const int64_t some[] = { 1, 3, 15, 255 };

	(void)state;
	each_run(args)
	{
		for (unsigned int i = 0; i < sizeof(some) / sizeof(some[0]); i++) {
			int64_t since = rig_machine.now();

			make_counter(&args, some[i]);
			rig_go(lru);
			for (unsigned int n = 0; rig_goes_on(n, HOLDS / 2, since); n++) {
				rig_advance(RUN_NS);
				look(false);
			}
			finish();
			if (!counter_info.has_batch)
				break;
		}
	}
}

/* Every CPU is drained at its safe points again and again. */
static void test_no_page_is_lost_by_drains(void **state)
{
	(void)state;
	each_run(args)
	{
		int64_t since = rig_machine.now();

		make_counter(&args, 15);
		rig_go(lru);
		for (unsigned int n = 0; rig_goes_on(n, 20 * HOLDS, since); n++) {
			rig_is_ok(kind_ops.tick(&rig_machine, rig.run, lru, &rig.error));
			if (n % 20 > 1)
				continue;
			rig_advance(RUN_NS / 3);
			look(n % 20);
		}
		finish();
	}
}

#endif

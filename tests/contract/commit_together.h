/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * commit_together.h - what every commit counter keeps when real tasks add at once: nothing is lost,
 * whatever the mode and the number of tasks, while parts are synced and the policy changes.
 */
#ifndef TESTS_CONTRACT_COMMIT_TOGETHER_H
#define TESTS_CONTRACT_COMMIT_TOGETHER_H

#include "tests/contract/commit_rig.h"

#define HOLDS 12
#define RUN_NS (3 * MS) /* between two holds */

/* Small amounts of both signs, and at times one that no batch here can keep local. */
static void add_randomly(struct task *t)
{
	while (task_running(t)) {
		uint64_t bits = m_random();
		int64_t pages = (int64_t)(bits >> 32 & 15) - 6;

		if ((bits >> 40 & 63) == 0)
			pages *= 1LL << 33;
		charge(t, pages, pages < 0 ? SITE_UNCHARGE : SITE_CHARGE);
		t->ops++;
	}
}

/* A charge and its return, with a safe point between the two as in an unmap. */
static void add_in_pairs(struct task *t)
{
	while (task_running(t)) {
		bool admitted = vm_enough_memory(t, 3);

		task_safe_point(t);
		if (admitted)
			charge(t, -3, SITE_UNCHARGE);
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

static void check_now(struct kind_check *check)
{
	if (kind_ops.check(rig.run, account, check, &rig.error) != 0)
		fail_msg("%s", rig.error.text);
	assert_true(check->valid == !counter_info.counts_nothing);
}

static void look(bool synced)
{
	struct kind_check check;

	rig_hold();
	check_now(&check);
	if (synced && check.valid) {
		account->synced = true;
		rig_each(sync_own_part, commit);
		check_now(&check);
		assert_int_equal(check.error, 0);
	}
	rig_machine.release(rig.run);
}

static void open_together(const struct rig_args *args, int64_t batch)
{
	rig_open(args);
	make_counter(args->tasks, batch);
	rig_go(account);
}

static void finish(void)
{
	struct kind_check check;
	uint64_t charges = 0;

	rig_stop();
	check_now(&check);
	assert_int_equal(commit_sum(commit), counted(truth()));
	for (unsigned int slot = 0; slot < rig.run->setup.tasks; slot++)
		charges += m_task_of(rig.run, slot)->charges;
	assert_true(charges >= rig_ops());
	rig_close();
}

#define each_run(args)                                                               \
	for (unsigned int i_ = 0; i_ < 4; i_++)                                      \
		for (struct rig_args args = { .tasks = i_ & 1 ? 8 : 2,               \
					      .slots = 9,                            \
					      .mode = i_ & 2 ? M_THREAD : M_PROCESS, \
					      .seed = i_ + 1,                        \
					      .body = add_randomly },                \
				     *once_ = &args;                                 \
		     once_; once_ = NULL)

static void test_nothing_is_lost(void **state)
{
	static const int64_t small[] = { 1, 8, 100 };

	(void)state;
	default_settings();
	each_run(args)
	{
		for (unsigned int i = 0; i < sizeof(small) / sizeof(small[0]); i++) {
			int64_t since;

			open_together(&args, small[i]);
			since = rig_machine.now();
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

/* Parts are brought in at the owners' safe points again and again, and readers sum meanwhile. */
static void test_nothing_is_lost_by_syncs(void **state)
{
	(void)state;
	default_settings();
	each_run(args)
	{
		int64_t since;

		args.readers = args.tasks > 2;
		args.reader = read_on;
		open_together(&args, 50);
		since = rig_machine.now();
		for (unsigned int n = 0; rig_goes_on(n, 20 * HOLDS, since); n++) {
			account->synced = true;
			rig_each(sync_own_part, commit);
			if (n % 20 > 1)
				continue;
			rig_advance(RUN_NS / 3);
			look(n % 20);
		}
		finish();
	}
}

/* Enters every policy while the tasks run: behind each, the bound is that of its batch. */
static void test_policy_switch(void **state)
{
	static const char *const policies[] = { "never", "guess", "always", "never" };

	(void)state;
	default_settings();
	each_run(args)
	{
		struct kind_args kind = args_of(args.tasks, args.slots, 1000000);

		args.body = add_in_pairs;
		open_together(&args, 1000000);
		for (unsigned int i = 0; i < sizeof(policies) / sizeof(policies[0]); i++) {
			rig_advance(RUN_NS);
			set_switch(policies[i]);
			assert_int_equal(kind_ops.phases(&kind), 2);
			rig_is_ok(kind_ops.enter_phase(&rig_machine, rig.run, account, &kind, 1,
						       &rig.error));
			assert_string_equal(kind_ops.policy(&kind, 1), policies[i]);
			if (counter_info.has_batch)
				assert_int_equal(kind_ops.batch_used(account),
						 strcmp(policies[i], "never") ? 786432 : 12288);
			look(false);
		}
		finish();
	}
}

#endif

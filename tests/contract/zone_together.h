/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * zone_together.h - what every zone counter keeps when real tasks count at once: nothing is lost,
 * while parts are folded, thresholds change and readers sum.
 */
#ifndef TESTS_CONTRACT_ZONE_TOGETHER_H
#define TESTS_CONTRACT_ZONE_TOGETHER_H

#include "tests/contract/zone_rig.h"

#define HOLDS 12
#define RUN_NS (3 * MS) /* between two holds */

static void allocate(struct task *t)
{
	int64_t *notes = m_notes(t, &zone_account_of(t)->notes);

	while (task_running(t)) {
		uint64_t bits = m_random();

		if ((bits & 7) == 0)
			zone_page_interleaved(t, notes, bits >> 8 & 1);
		else
			zone_page_came(t, notes, (bits & 7) == 1 ? !t->node : t->node);
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

static void open_together(const struct rig_args *args, int64_t threshold)
{
	rig_open(args);
	make_counter(args->tasks, threshold);
	rig_go(account);
}

static void look(void)
{
	struct kind_check check;

	rig_hold();
	check_now(&check);
	rig_machine.release(rig.run);
}

static void finish(void)
{
	struct kind_check check;

	rig_stop();
	check_now(&check);
	assert_true(kind_ops.charges(rig.run, account) ==
		    (uint64_t)counted((int64_t)kind_ops.charges(rig.run, account)));
	if (!counter_info.counts_nothing)
		assert_true(kind_ops.charges(rig.run, account) >= 2 * rig_ops());
	rig_close();
}

#define each_run(args)                                                               \
	for (unsigned int i_ = 0; i_ < 4; i_++)                                      \
		for (struct rig_args args = { .tasks = i_ & 1 ? 8 : 2,               \
					      .slots = 9,                            \
					      .nodes = NODES,                        \
					      .mode = i_ & 2 ? M_THREAD : M_PROCESS, \
					      .seed = i_ + 1,                        \
					      .body = allocate },                    \
				     *once_ = &args;                                 \
		     once_; once_ = NULL)

static void test_nothing_is_lost(void **state)
{
	static const int64_t some[] = { 1, 30, 1000 };

	(void)state;
	default_settings();
	each_run(args)
	{
		for (unsigned int i = 0; i < sizeof(some) / sizeof(some[0]); i++) {
			int64_t since;

			open_together(&args, some[i]);
			since = rig_machine.now();
			for (unsigned int n = 0; rig_goes_on(n, HOLDS / 2, since); n++) {
				rig_advance(RUN_NS);
				look();
			}
			finish();
			if (!counter_info.has_batch)
				break;
		}
	}
}

/* The periodic fold runs at the owners' safe points again and again, and readers sum meanwhile. */
static void test_nothing_is_lost_by_folds(void **state)
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
			rig_is_ok(kind_ops.tick(&rig_machine, rig.run, account, &rig.error));
			if (n % 20 > 1)
				continue;
			rig_advance(RUN_NS / 3);
			look();
		}
		finish();
	}
}

/* While memory is short the thresholds are others; behind a fold the bound is theirs. */
static void test_pressure(void **state)
{
	(void)state;
	default_settings();
	set_pressure("on@50%");
	each_run(args)
	{
		struct kind_args kind = args_of(args.tasks, args.slots, 1000);
		struct kind_check check;

		kind.cpus = 1000;
		open_together(&args, 1000);
		rig_advance(RUN_NS);
		assert_int_equal(kind_ops.phases(&kind), 2);
		assert_string_equal(kind_ops.policy(&kind, 0), "normal");
		assert_string_equal(kind_ops.policy(&kind, 1), "pressure");
		rig_is_ok(
			kind_ops.enter_phase(&rig_machine, rig.run, account, &kind, 1, &rig.error));
		look();
		rig_is_ok(kind_ops.tick(&rig_machine, rig.run, account, &rig.error));
		rig_advance(RUN_NS);
		rig_hold();
		check_now(&check);
		if (counter_info.has_batch && !counter_info.batch_limit) {
			/* 12 GiB a node: 3145 pages between the watermarks, for 1000 CPUs. */
			assert_int_equal(kind_ops.batch_used(account), 3);
			assert_int_equal(check.bound, NODES * 9 * 3);
		}
		rig_machine.release(rig.run);
		finish();
	}
}

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
/* test_native_calls.c - calls on each slot: each runs exactly once, by its owner, whoever asks. */
#include "tests/native_work.h"

#define CALLS 10

/* The first two slots call on all, the others only work. */
static void call_and_work(struct task *t)
{
	int64_t left = t->slot < 2 ? m_load(&shared->limit) : 0;

	while (task_running(t)) {
		if (left > 0) {
			m_on_each_slot(count_run, shared);
			m_add(&shared->calls, 1);
			left--;
		}
		t->ops++;
	}
}

/* Slots with a running task are served by it, all others by the caller. */
static void expect_served_by_owners(bool running)
{
	for (unsigned int slot = 0; slot < rig.run->block_count; slot++) {
		int64_t os_id = m_load(part_of(slot, PART_OS_ID));
		bool has_task = slot < rig.run->setup.tasks ||
				(slot >= rig.run->slots && slot + 1 < rig.run->block_count);

		assert_int_equal(os_id,
				 has_task && running ? m_task_of(rig.run, slot)->os_id : gettid());
	}
}

/* Running, held, and finished; idle slots, a reader and the conductor are among them. */
static void test_conductor_calls(void **state)
{
	(void)state;
	each_mode(mode)
	{
		int64_t runs = 0;

		open_shared(&(struct rig_args){ .tasks = 2,
						.slots = 5,
						.readers = 1,
						.cpus = MANY_CPUS,
						.mode = mode,
						.body = work,
						.reader = work });
		assert_int_equal(rig.run->block_count, 7);
		rig_go(NULL);
		for (unsigned int i = 0; i < CALLS; i++) {
			rig_each(count_run, shared);
			expect_runs(++runs);
			expect_served_by_owners(true);
		}
		rig_hold();
		for (unsigned int i = 0; i < CALLS; i++) {
			rig_each(count_run, shared);
			expect_runs(++runs);
			expect_served_by_owners(true);
		}
		native_ops.release(rig.run);
		rig_stop();
		rig_each(count_run, shared);
		expect_runs(++runs);
		expect_served_by_owners(false);
	}
}

/* Two tasks and the conductor call at once: no call is lost, none waits for another for ever. */
static void test_tasks_call(void **state)
{
	(void)state;
	each_mode(mode)
	{
		open_shared(&(struct rig_args){ .tasks = 3,
						.slots = 5,
						.readers = 1,
						.cpus = MANY_CPUS,
						.mode = mode,
						.body = call_and_work,
						.reader = work });
		m_store(&shared->limit, CALLS);
		rig_go(NULL);
		for (unsigned int i = 0; i < CALLS; i++)
			rig_each(count_run, shared);
		rig_await(&shared->calls, 2 * CALLS);
		rig_stop();
		expect_runs(3 * CALLS);
	}
}

/* The caller itself is held only once its call is done: both must come to an end. */
static void test_tasks_call_while_held(void **state)
{
	(void)state;
	each_mode(mode)
	{
		open_shared(&(struct rig_args){
			.tasks = 3, .cpus = MANY_CPUS, .mode = mode, .body = call_and_work });
		m_store(&shared->limit, INT64_MAX);
		rig_go(NULL);
		for (unsigned int i = 0; i < CALLS; i++) {
			int64_t calls;

			rig_hold();
			calls = m_load(&shared->calls);
			expect_runs(calls);
			rig_each(count_run, shared);
			expect_runs(calls + 1);
			m_add(&shared->calls, 1);
			native_ops.release(rig.run);
		}
		rig_stop();
		expect_runs(m_load(&shared->calls));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		rig_test(test_conductor_calls),
		rig_test(test_tasks_call),
		rig_test(test_tasks_call_while_held),
	};

	rig_init();
	return cmocka_run_group_tests_name("native_calls", tests, NULL, NULL);
}

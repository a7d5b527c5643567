// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_native_hold.c - holds and stops: they come at safe points only, and nobody moves while held.
 */
#include "tests/native_work.h"

static uint64_t begun_and_ended(void)
{
	uint64_t sum = 0;

	for (unsigned int slot = 0; slot < rig.run->block_count; slot++)
		sum += (uint64_t)(m_load(part_of(slot, PART_BEGUN)) +
				  m_load(part_of(slot, PART_ENDED)));
	return sum;
}

/* Nobody moves from a hold to its release, however soon the next hold comes. */
static void hold_and_release(unsigned int tasks, unsigned int cpus, enum m_mode mode,
			     unsigned int holds)
{
	int64_t since;

	open_shared(&(struct rig_args){ .tasks = tasks,
					.readers = 1,
					.cpus = cpus,
					.mode = mode,
					.body = work,
					.reader = work });
	rig_go(NULL);
	since = native_ops.now();
	for (unsigned int i = 0; rig_goes_on(i, holds, since); i++) {
		int64_t until;
		uint64_t before;

		rig_hold();
		until = native_ops.now() + MS / 8;
		before = begun_and_ended();
		while (native_ops.now() < until)
			assert_int_equal(begun_and_ended(), before);
		native_ops.release(rig.run);
		rig_advance(i % 50 * MS / 500);
	}
	while (begun_and_ended() == 0)
		rig_advance(MS);
	rig_stop();
	assert_int_equal(m_load(&native_run_of(rig.run)->held), 0);
}

static void test_hold(void **state)
{
	(void)state;
	hold_and_release(2, MANY_CPUS, M_PROCESS, 100);
	hold_and_release(2, MANY_CPUS, M_THREAD, 100);
	hold_and_release(8, MANY_CPUS, M_PROCESS, 20);
	hold_and_release(8, 1, M_PROCESS, 3);
}

static void test_release_lets_go_on(void **state)
{
	(void)state;
	each_mode(mode)
	{
		open_shared(&(struct rig_args){ .tasks = 2, .mode = mode, .body = work });
		rig_go(NULL);
		for (unsigned int i = 0; i < 5; i++) {
			rig_hold();
			for (unsigned int slot = 0; slot < 2; slot++)
				m_store(part_of(slot, PART_BEGUN), 0);
			native_ops.release(rig.run);
			for (unsigned int slot = 0; slot < 2; slot++)
				while (m_load(part_of(slot, PART_BEGUN)) == 0)
					rig_advance(MS / 10);
		}
		rig_stop();
	}
}

/* Looks for a hold or a stop only inside its one operation, which ends when it may. */
static void stay_inside(struct task *t)
{
	while (task_running(t)) {
		m_add(&shared->inside, 1);
		while (!m_load(&shared->may_end)) {
			task_safe_point(t);
			sched_yield();
		}
		task_safe_point(t);
		m_add(&shared->inside, -1);
		t->ops++;
	}
}

static void test_hold_and_call_within_an_operation(void **state)
{
	(void)state;
	each_mode(mode)
	{
		open_shared(&(struct rig_args){ .tasks = 2, .mode = mode, .body = stay_inside });
		rig_go(NULL);
		rig_await(&shared->inside, 2);
		rig_each(count_run, shared);
		rig_hold();
		assert_int_equal(m_load(&shared->inside), 2);
		rig_each(count_run, shared);
		expect_runs(2);
		native_ops.release(rig.run);
		assert_int_equal(rig_ops(), 0);
		m_store(&shared->may_end, 1);
		rig_stop();
		assert_int_equal(m_load(&shared->inside), 0);
	}
}

/* As above, but it may end once the stop has been asked for. */
static void stay_until_stop(struct task *t)
{
	while (task_running(t)) {
		m_add(&shared->inside, 1);
		while (!(m_load(&t->run->signal) & SIGNAL_STOP) || !m_load(&t->attention)) {
			task_safe_point(t);
			sched_yield();
		}
		/* It has been seen here, more than once, and must still be news to the loop. */
		task_safe_point(t);
		task_safe_point(t);
		m_add(&shared->inside, -1);
		t->ops++;
	}
}

static void test_stop_within_an_operation(void **state)
{
	(void)state;
	each_mode(mode)
	{
		open_shared(
			&(struct rig_args){ .tasks = 2, .mode = mode, .body = stay_until_stop });
		rig_go(NULL);
		rig_await(&shared->inside, 2);
		rig_stop();
		assert_int_equal(m_load(&shared->inside), 0);
		assert_int_equal(rig_ops(), 2);
	}
}

/* A stop out of a hold, and one that comes when tasks have hardly begun. */
static void test_stop_at_once_and_while_held(void **state)
{
	(void)state;
	each_mode(mode)
	{
		open_shared(&(struct rig_args){
			.tasks = 8, .cpus = MANY_CPUS, .mode = mode, .body = work });
		rig_go(NULL);
		rig_stop();
		open_shared(&(struct rig_args){
			.tasks = 8, .cpus = MANY_CPUS, .mode = mode, .body = work });
		rig_go(NULL);
		rig_hold();
		rig_stop();
		for (unsigned int slot = 0; slot < 8; slot++) {
			assert_int_equal(m_load(&m_task_of(rig.run, slot)->state), TASK_FINISHED);
			assert_int_equal(m_load(part_of(slot, PART_BEGUN)),
					 m_load(part_of(slot, PART_ENDED)));
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		rig_test(test_hold),
		rig_test(test_release_lets_go_on),
		rig_test(test_hold_and_call_within_an_operation),
		rig_test(test_stop_within_an_operation),
		rig_test(test_stop_at_once_and_while_held),
	};

	rig_init();
	return cmocka_run_group_tests_name("native_hold", tests, NULL, NULL);
}

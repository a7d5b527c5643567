// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_sim_calls.c - calls on each slot of a simulated machine, by tasks and by the conductor, who
 * serves the slots that have no task.
 */
#include "machine/spinlock.h"
#include "tests/sim_rig.h"

static void note_slot(void *arg)
{
	m_word *count = arg;

	m_add(count + 1, 1);
	m_add(word(16 + m_cpu()), 1);
}

static void work(struct task *t)
{
	while (task_running(t)) {
		m_sys_getppid(t);
		task_safe_point(t);
		t->ops++;
		if (t->slot == 1 && t->ops % 8 == 0)
			m_on_each_slot(note_slot, word(15));
	}
}

/* Tasks and the conductor ask all slots; each runs it once as itself, idle slots by who asks. */
static void test_calls_on_each_slot(void **state)
{
	int64_t calls;

	(void)state;
	rig_open(&(struct rig_args){ .tasks = 4, .slots = 6, .body = work });
	shared = m_alloc(rig.run, sizeof(*shared), M_LINE_PAIR_BYTES);
	rig_go(NULL);
	for (unsigned int n = 0; n < 10; n++) {
		rig_advance(3000);
		rig_each(note_slot, word(15));
	}
	rig_hold();
	rig_each(note_slot, word(15));
	sim_ops.release(rig.run);
	rig_stop();
	calls = 10 + (int64_t)(m_task_of(rig.run, 1)->ops / 8);
	assert_true(calls > 20);
	assert_int_equal(in_memory(word(15) + 1), calls * rig.run->block_count);
	for (unsigned int slot = 0; slot < rig.run->block_count; slot++)
		assert_int_equal(in_memory(word(16 + slot)), calls);
}

static void grab_and_work(struct task *t)
{
	struct spinlock *lock = (struct spinlock *)word(40);

	while (task_running(t)) {
		spin_lock(lock, 0);
		m_sys_map(t, 4096);
		spin_unlock(lock);
		t->ops++;
	}
}

static void grab(void *arg)
{
	struct spinlock *lock = arg;

	spin_lock(lock, 0);
	spin_unlock(lock);
}

/* Serving an idle slot, the conductor waits for a lock that tasks hold: they run on meanwhile. */
static void test_the_conductor_waits_for_tasks(void **state)
{
	(void)state;
	rig_open(&(struct rig_args){ .tasks = 3, .slots = 5, .body = grab_and_work });
	shared = m_alloc(rig.run, sizeof(*shared), M_LINE_PAIR_BYTES);
	rig_go(NULL);
	for (unsigned int n = 0; n < 5; n++) {
		rig_advance(2500);
		rig_each(grab, word(40));
	}
	rig_stop();
	assert_int_equal(in_memory(&((struct spinlock *)word(40))->tail), 0);
}

static void keep_lock(struct task *t)
{
	spin_lock((struct spinlock *)word(40), 0);
	for (;;)
		m_sys_getppid(t);
}

static void test_the_conductor_gives_up(void **state)
{
	(void)state;
	rig_open(&(struct rig_args){
		.tasks = 1, .slots = 2, .timeout_ns = 50000000, .body = keep_lock });
	shared = m_alloc(rig.run, sizeof(*shared), M_LINE_PAIR_BYTES);
	rig_go(NULL);
	rig_advance(1000);
	assert_int_equal(sim_ops.on_each_slot(rig.run, grab, word(40), &rig.error), M_FAILED);
	if (!strstr(rig.error.text, "timeout"))
		fail_msg("%s", rig.error.text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		rig_test(test_calls_on_each_slot),
		rig_test(test_the_conductor_waits_for_tasks),
		rig_test(test_the_conductor_gives_up),
	};

	rig_init();
	return cmocka_run_group_tests_name("sim calls", tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_sim_engine.c - the simulated machine's run: waiting and deadlock, holds that leave no trace,
 * calls on each slot, what it refuses; and that running ahead changes nothing.
 */
#include "machine/spinlock.h"
#include "tests/sim_rig.h"

static const unsigned int all_pus[] = { 0,  1,	2,  3,	4,  5,	6,  7,	8,  9,	10,
					11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
					22, 23, 24, 25, 26, 27, 28, 29, 30, 31 };

static m_word *word(unsigned int line)
{
	return &shared->line[line].word[0];
}

static void wait_for_nobody(struct task *t)
{
	m_wait_until(word(t->slot), 0xff, 0x11 + t->slot);
}

static void test_deadlock_is_told(void **state)
{
	(void)state;
	rig_on(2, all_pus, wait_for_nobody);
	rig_go(NULL);
	assert_int_equal(sim_ops.advance(rig.run, 1000, &rig.error), M_FAILED);
	assert_string_equal(rig.error.text,
			    "deadlock at 1 ns: 2 tasks wait for each other: task 0 until shared+0 "
			    "& 0xff is 0x11 (now 0), task 1 until shared+0x40 & 0xff is 0x12 (now "
			    "0)");
}

static void load_for_ever(struct task *t)
{
	(void)t;
	for (;;)
		m_load(word(0));
}

static void test_a_task_that_does_not_stop(void **state)
{
	(void)state;
	rig_open(&(struct rig_args){ .tasks = 2, .timeout_ns = 50000000, .body = load_for_ever });
	shared = m_alloc(rig.run, sizeof(*shared), M_LINE_PAIR_BYTES);
	rig_go(NULL);
	rig_advance(1000);
	assert_int_equal(sim_ops.stop(rig.run, &rig.error), M_FAILED);
	assert_non_null(strstr(rig.error.text, "timeout: not done within 0.05 s"));
}

static void grow_heap(struct task *t)
{
	while (task_running(t))
		m_sys_brk(t, 0);
}

static void test_a_cost_that_is_not_given(void **state)
{
	(void)state;
	rig_on(2, all_pus, grow_heap);
	rig_go(NULL);
	assert_int_equal(sim_ops.advance(rig.run, 1000, &rig.error), M_SKIPPED);
	assert_string_equal(rig.error.text,
			    "the profile small gives no cost of brk (path.brk_ns)");
}

static void do_nothing(struct task *t)
{
	(void)t;
}

static void test_more_tasks_than_cpus(void **state)
{
	(void)state;
	rig_open(&(struct rig_args){ .tasks = 33, .body = do_nothing });
	assert_int_equal(sim_ops.start(rig.run, &rig.error), M_FAILED);
	assert_non_null(strstr(rig.error.text, "no CPU of its own"));
}

/* A bit of everything: hits, misses, queues, posted stores, a lock, waits and paths. */
static void do_all_kinds(struct task *t)
{
	struct spinlock *lock = (struct spinlock *)word(40);

	while (task_running(t)) {
		uint64_t bits = m_random();
		unsigned int line = bits >> 8 & 31;

		switch (bits & 15) {
		case 0:
			spin_lock(lock, 1);
			m_store(word(41), m_load(word(41)) + 1);
			spin_unlock(lock);
			break;
		case 1:
			m_add(word(line & 3), 1);
			break;
		case 2:
			m_cas_relaxed(word(line & 7), 0, (int64_t)bits);
			break;
		case 3:
			m_sys_getppid(t);
			break;
		case 4:
			m_store(word(line), m_now());
			break;
		case 5:
			task_safe_point(t);
			m_load(word(line));
			break;
		default:
			m_store(&t->queue_go, m_load(word(48 + (t->slot & 7))));
		}
		t->ops++;
	}
}

static uint64_t hash_of(const void *data, size_t bytes, uint64_t hash)
{
	const unsigned char *byte = data;

	while (bytes--)
		hash = (hash ^ *byte++) * 0x100000001b3ULL;
	return hash;
}

/* Everything that a run has come to: shared memory, clocks and counts. */
static uint64_t state_of_run(void)
{
	uint64_t hash = hash_of(shared, sizeof(*shared), 0xcbf29ce484222325ULL);

	for (unsigned int slot = 0; slot < rig.run->setup.tasks; slot++) {
		const struct task *task = m_task_of(rig.run, slot);

		hash = hash_of(&sim->cpus[slot].now, sizeof(int64_t), hash);
		hash = hash_of((const void *)&task->ops, sizeof(task->ops), hash);
		hash = hash_of(task->sites, sizeof(task->sites), hash);
	}
	return hash_of(sim->line_stats, sim->line_count * sizeof(*sim->line_stats), hash);
}

#define STEPS 40
#define STEP_NS 500

static uint64_t states[STEPS + 1];

/* A run in steps, each ended by a look: the hash behind each step goes into `states`. */
static void run_in_steps(unsigned int tasks, uint64_t seed, bool look)
{
	rig_open(&(struct rig_args){ .tasks = tasks, .seed = seed, .body = do_all_kinds });
	shared = m_alloc(rig.run, sizeof(*shared), M_LINE_PAIR_BYTES);
	rig_go(NULL);
	for (unsigned int step = 0; step < STEPS; step++) {
		rig_advance(STEP_NS);
		if (look) {
			rig_hold();
			sim_ops.release(rig.run);
		}
		states[step] = state_of_run();
	}
	rig_stop();
	states[STEPS] = state_of_run();
	assert_true(rig_ops() > 100);
}

static void expect_alike(const uint64_t *other, const char *what)
{
	for (unsigned int step = 0; step <= STEPS; step++)
		if (states[step] != other[step])
			fail_msg("step %u differs %s", step, what);
}

#define each_crowd(tasks)                                                         \
	for (unsigned int i_ = 0; i_ < 5; i_++)                                   \
		for (unsigned int tasks = (unsigned int[]){ 1, 2, 5, 16, 32 }[i_], \
				  once_ = 1;                                      \
		     once_; once_ = 0)

static void test_a_hold_leaves_no_trace(void **state)
{
	uint64_t without[STEPS + 1];

	(void)state;
	each_crowd(tasks)
	{
		run_in_steps(tasks, tasks, false);
		memcpy(without, states, sizeof(states));
		run_in_steps(tasks, tasks, true);
		expect_alike(without, "where tasks were held");
	}
}

/* Running ahead while lines are at hand is only faster. */
static void test_running_ahead_changes_nothing(void **state)
{
	uint64_t fast[STEPS + 1];

	(void)state;
	each_crowd(tasks)
	{
		for (uint64_t seed = 1; seed <= 5; seed++) {
			run_in_steps(tasks, seed, false);
			memcpy(fast, states, sizeof(states));
			sim_tuning.always_switch = true;
			run_in_steps(tasks, seed, false);
			sim_tuning.always_switch = false;
			expect_alike(fast, "where every access takes its turn");
		}
	}
}

static void test_seeds_differ(void **state)
{
	uint64_t first[STEPS + 1];

	(void)state;
	run_in_steps(5, 1, false);
	memcpy(first, states, sizeof(states));
	run_in_steps(5, 2, false);
	assert_memory_not_equal(first, states, sizeof(states));
}

static int64_t delay(void *arg, unsigned int cpu, int64_t now_ps)
{
	uint64_t *calls = arg;

	(void)now_ps;
	++*calls;
	return cpu == 0 ? 1000 : 0;
}

/* A search may bend the order of events, and the lock must still exclude. */
static void test_delays(void **state)
{
	uint64_t plain[STEPS + 1], calls = 0;

	(void)state;
	run_in_steps(5, 1, false);
	memcpy(plain, states, sizeof(states));
	sim_tuning.delay_ps = delay;
	sim_tuning.arg = &calls;
	run_in_steps(5, 1, false);
	sim_tuning.delay_ps = NULL;
	assert_true(calls > 1000);
	assert_memory_not_equal(plain, states, sizeof(states));
}

static void count_in(struct task *t)
{
	struct spinlock *lock = (struct spinlock *)word(40);

	while (task_running(t)) {
		spin_lock(lock, 0);
		assert_int_equal(m_load(word(42)), 0);
		m_store(word(42), 1);
		m_store(word(41), m_load(word(41)) + 1);
		m_store(word(42), 0);
		spin_unlock(lock);
		t->ops++;
	}
}

static void test_the_lock_excludes(void **state)
{
	(void)state;
	each_crowd(tasks)
	{
		rig_on(tasks, all_pus, count_in);
		rig_go(NULL);
		rig_advance(20000);
		rig_stop();
		assert_int_equal(word(41)->opaque, rig_ops());
	}
}

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
	assert_int_equal(word(15)[1].opaque, calls * rig.run->block_count);
	for (unsigned int slot = 0; slot < rig.run->block_count; slot++)
		assert_int_equal(word(16 + slot)->opaque, calls);
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
	assert_int_equal(((struct spinlock *)word(40))->tail.opaque, 0);
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
		rig_test(test_deadlock_is_told),
		rig_test(test_a_task_that_does_not_stop),
		rig_test(test_a_cost_that_is_not_given),
		rig_test(test_more_tasks_than_cpus),
		rig_test(test_a_hold_leaves_no_trace),
		rig_test(test_running_ahead_changes_nothing),
		rig_test(test_seeds_differ),
		rig_test(test_delays),
		rig_test(test_the_lock_excludes),
		rig_test(test_calls_on_each_slot),
		rig_test(test_the_conductor_waits_for_tasks),
		rig_test(test_the_conductor_gives_up),
	};

	rig_init();
	return cmocka_run_group_tests_name("sim engine", tests, NULL, NULL);
}

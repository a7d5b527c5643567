// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_native_tasks.c - what a native task is given: its place, its memory apart from the others',
 * its random numbers, and the times that it notes.
 */
#include <sched.h>
#include <sys/resource.h>

#include "tests/rig.h"

#define each_mode(mode) for (enum m_mode mode = M_PROCESS; mode <= M_THREAD; mode++)
#define NUMBERS 8
#define TASKS 4
#define ONE_CPU 1 /* told to the machine: then four tasks are too many */

struct shared {
	M_LINE_APART struct m_percpu part;
	m_word ready;
};

static struct shared *shared;

static void open_shared(const struct rig_args *args)
{
	shared = m_alloc(rig_open(args), sizeof(*shared), M_LINE_PAIR_BYTES);
	m_percpu_alloc(rig.run, &shared->part, NUMBERS);
}

static m_word *part_of(unsigned int slot)
{
	return m_part_of(&shared->part, slot);
}

static void run_on(struct task *t)
{
	m_add(&shared->ready, 1);
	while (task_running(t))
		t->ops++;
}

/* Notes the CPUs it may run on: how many, and the first. */
static void note_cpus(struct task *t)
{
	m_word *part = m_my_part(&shared->part);
	cpu_set_t set;
	int cpu = 0;

	CPU_ZERO(&set);
	if (sched_getaffinity(0, sizeof(set), &set) == 0) {
		while (!CPU_ISSET(cpu, &set))
			cpu++;
		m_store(part, CPU_COUNT(&set));
		m_store(part + 1, cpu);
		m_store(part + 2, sched_getcpu());
	}
	run_on(t);
}

static void expect_places(enum m_mode mode, enum placement placement)
{
	cpu_set_t before, after;

	assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
	open_shared(&(struct rig_args){ .tasks = TASKS,
					.readers = 1,
					.slots = TASKS + 1,
					.mode = mode,
					.body = note_cpus,
					.reader = note_cpus,
					.placement = placement });
	rig_go(NULL);
	rig_await(&shared->ready, TASKS + 1);
	rig_stop();
	assert_int_equal(sched_getaffinity(0, sizeof(after), &after), 0);
	assert_true(CPU_EQUAL(&before, &after));
	for (unsigned int worker = 0; worker < TASKS + 1; worker++) {
		unsigned int slot = native_slot(rig.run, worker);
		int pu = rig.places[slot].pu;

		assert_int_equal(m_task_of(rig.run, slot)->place.pu, pu);
		if (placement == PLACEMENT_NONE) {
			assert_int_equal(pu, -1);
			assert_int_equal(m_load(part_of(slot)), CPU_COUNT(&before));
			continue;
		}
		assert_int_equal(m_load(part_of(slot)), 1);
		assert_int_equal(m_load(part_of(slot) + 1), pu);
		assert_int_equal(m_load(part_of(slot) + 2), pu);
	}
}

static void test_places(void **state)
{
	(void)state;
	each_mode(mode)
	{
		expect_places(mode, PLACEMENT_CORE);
		expect_places(mode, PLACEMENT_NONE);
	}
}

/* Notes who it is; the reader's slot comes after those that count. */
static void note_identity(struct task *t)
{
	m_word *part = m_my_part(&shared->part);

	m_store(part, m_cpu());
	m_store(part + 1, m_slots());
	m_store(part + 2, m_task() == t);
	m_store(part + 3, t->is_reader);
	m_store(part + 4, gettid());
	m_store(part + 5, m_node());
	run_on(t);
}

static void test_identity(void **state)
{
	(void)state;
	each_mode(mode)
	{
		open_shared(&(struct rig_args){ .tasks = 2,
						.readers = 2,
						.slots = 5,
						.mode = mode,
						.body = note_identity,
						.reader = note_identity });
		assert_int_equal(rig.run->block_count, 8);
		rig_go(NULL);
		rig_await(&shared->ready, 4);
		rig_stop();
		for (unsigned int worker = 0; worker < 4; worker++) {
			unsigned int slot = native_slot(rig.run, worker);
			const struct task *task = m_task_of(rig.run, slot);

			assert_int_equal(slot, worker < 2 ? worker : worker + 3);
			assert_int_equal(m_load(part_of(slot)), slot);
			assert_int_equal(m_load(part_of(slot) + 1), 5);
			assert_int_equal(m_load(part_of(slot) + 2), true);
			assert_int_equal(m_load(part_of(slot) + 3), worker >= 2);
			assert_int_equal(m_load(part_of(slot) + 4), task->os_id);
			assert_int_equal(m_load(part_of(slot) + 5), rig.places[slot].node);
		}
		assert_int_equal(m_cpu(), 7);
	}
}

/* Before all tasks where these outnumber the CPUs, if it may; among others as soon as they end. */
static void test_the_conductor_goes_first(void **state)
{
	const struct sched_param soon = { .sched_priority = 1 }, none = { 0 };
	bool may = sched_setscheduler(0, SCHED_RR, &soon) == 0;

	(void)state;
	sched_setscheduler(0, SCHED_OTHER, &none);
	each_mode(mode)
	{
		open_shared(&(struct rig_args){
			.tasks = TASKS, .cpus = ONE_CPU, .mode = mode, .body = run_on });
		assert_true(rig.run->oversubscribed);
		assert_int_equal(sched_getscheduler(0), may ? SCHED_RR : SCHED_OTHER);
		rig_go(NULL);
		for (unsigned int slot = 0; slot < TASKS; slot++) {
			int tid = m_task_of(rig.run, slot)->os_id;

			assert_int_equal(sched_getscheduler(tid), SCHED_OTHER);
			assert_int_equal(getpriority(PRIO_PROCESS, (id_t)tid), 19);
		}
		rig_stop();
		rig_close();
		assert_int_equal(sched_getscheduler(0), SCHED_OTHER);
	}
}

static void draw(struct task *t)
{
	m_word *part = m_my_part(&shared->part);

	for (unsigned int i = 0; i < NUMBERS; i++)
		m_store(part + i, (int64_t)m_random());
	run_on(t);
}

static void draw_numbers(enum m_mode mode, uint64_t seed, int64_t numbers[TASKS][NUMBERS])
{
	open_shared(&(struct rig_args){ .tasks = TASKS, .mode = mode, .body = draw, .seed = seed });
	rig_go(NULL);
	rig_await(&shared->ready, TASKS);
	rig_stop();
	for (unsigned int slot = 0; slot < TASKS; slot++)
		for (unsigned int i = 0; i < NUMBERS; i++)
			numbers[slot][i] = m_load(part_of(slot) + i);
}

/* The same by seed whatever the mode; another by slot and by seed, neighbours among them. */
static void test_random(void **state)
{
	int64_t drawn[4][TASKS][NUMBERS];
	const int64_t *all = &drawn[0][0][0];
	const unsigned int count = 3 * TASKS * NUMBERS;

	(void)state;
	draw_numbers(M_PROCESS, 0, drawn[0]);
	draw_numbers(M_PROCESS, 1, drawn[1]);
	draw_numbers(M_PROCESS, 2, drawn[2]);
	draw_numbers(M_THREAD, 1, drawn[3]);
	assert_memory_equal(drawn[1], drawn[3], sizeof(drawn[1]));
	for (unsigned int i = 0; i < count; i++) {
		assert_int_not_equal(all[i], 0);
		for (unsigned int other = 0; other < i; other++)
			assert_int_not_equal(all[i], all[other]);
	}
}

/* From the gate to the end of the loop, less what it was held for. */
static void test_times(void **state)
{
	(void)state;
	each_mode(mode)
	{
		int64_t opened, stopping, stopped, held, released;

		open_shared(&(struct rig_args){ .tasks = 2, .mode = mode, .body = run_on });
		rig_is_ok(native_ops.start(rig.run, &rig.error));
		rig_advance(2 * MS);
		assert_int_equal(rig_ops(), 0);
		opened = native_ops.now();
		native_ops.gate(rig.run);
		rig_await(&shared->ready, 2);
		rig_hold();
		held = native_ops.now();
		rig_advance(3 * MS);
		released = native_ops.now();
		native_ops.release(rig.run);
		rig_advance(MS);
		stopping = native_ops.now();
		rig_stop();
		stopped = native_ops.now();
		for (unsigned int slot = 0; slot < 2; slot++) {
			const struct task *task = m_task_of(rig.run, slot);

			assert_in_range(task->start_ns, opened, held);
			assert_in_range(task->stop_ns, stopping, stopped);
			assert_in_range(task->held_ns, released - held, stopped - opened);
			assert_true(task->ops > 0);
		}
	}
}

#define line_of(address) ((uintptr_t)(address) / M_LINE_PAIR_BYTES)

/* Nothing that two slots write is on one line, nor two of a slot's own allocations. */
static void test_memory_is_apart(void **state)
{
	struct m_percpu parts[3];
	char *first, *second;

	(void)state;
	open_shared(&(struct rig_args){ .tasks = 3, .slots = 4, .readers = 1 });
	first = m_alloc(rig.run, 1, 8);
	second = m_alloc(rig.run, 300, M_LINE_PAIR_BYTES);
	assert_int_equal((uintptr_t)second % M_LINE_PAIR_BYTES, 0);
	assert_true(second > first && second < rig.run->blocks);
	for (unsigned int i = 0; i < 3; i++)
		m_percpu_alloc(rig.run, &parts[i], 1 + i * 16);
	for (unsigned int slot = 0; slot < rig.run->block_count; slot++) {
		struct task *task = m_task_of(rig.run, slot);
		char *end = (char *)task + rig.run->stride;
		uintptr_t previous = line_of(task + 1) - 1;

		assert_int_equal((uintptr_t)task % 4096, 0);
		assert_int_not_equal(line_of(&task->queue_next), line_of(&task->ops));
		assert_int_not_equal(line_of(&task->queue_next), line_of(&task->served));
		assert_int_not_equal(line_of(&task->queue_next), line_of(&task->sites[0]));
		for (unsigned int i = 0; i < 3; i++) {
			m_word *part = m_part_of(&parts[i], slot);

			assert_true(line_of(part) > previous);
			assert_int_equal(m_load(part), 0);
			previous = line_of(part + i * 16);
			assert_true((char *)(part + i * 16 + 1) <= end);
			rig_act_as(slot);
			assert_ptr_equal(m_my_part(&parts[i]), part);
		}
	}
	assert_int_not_equal(line_of(&rig.run->signal), line_of(&rig.run->blocks));
	rig_conductor();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		rig_test(test_places),		rig_test(test_identity),
		rig_test(test_random),		rig_test(test_times),
		rig_test(test_memory_is_apart), rig_test(test_the_conductor_goes_first),
	};

	rig_init();
	return cmocka_run_group_tests_name("native_tasks", tests, NULL, NULL);
}

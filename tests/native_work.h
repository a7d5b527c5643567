/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * native_work.h - what the tests of the native machine have their tasks do: count operations, and
 * calls, in parts of their own.
 */
#ifndef TESTS_NATIVE_WORK_H
#define TESTS_NATIVE_WORK_H

#include <sched.h>

#include "tests/rig.h"

#define PART_RUNS 0  /* times that the called function ran as this slot */
#define PART_OS_ID 1 /* who ran it last */
#define PART_BEGUN 2 /* operations begun, */
#define PART_ENDED 3 /* and ended */
#define PART_WORDS 4
#define MANY_CPUS 1000 /* told to the machine, which makes tasks nice where CPUs are scarce */

struct shared {
	struct m_percpu part;
	m_word calls;  /* of m_on_each_slot that are done */
	m_word inside; /* tasks within an operation */
	m_word may_end;
	m_word limit; /* calls that each caller makes */
};

static struct shared *shared;

static void open_shared(const struct rig_args *args)
{
	shared = m_alloc(rig_open(args), sizeof(*shared), M_LINE_PAIR_BYTES);
	m_percpu_alloc(rig.run, &shared->part, PART_WORDS);
}

static m_word *part_of(unsigned int slot, unsigned int word)
{
	return m_part_of(&shared->part, slot) + word;
}

static m_word *my_part(unsigned int word)
{
	return m_my_part(&shared->part) + word;
}

/* What is called upon: plain load and store, since nobody else may run it for this slot. */
static void count_run(void *arg)
{
	int64_t runs = m_load(my_part(PART_RUNS));

	CHECK(arg == shared);
	m_store(my_part(PART_RUNS), runs + 1);
	m_store(my_part(PART_OS_ID), gettid());
}

static void work(struct task *t)
{
	while (task_running(t)) {
		m_add(my_part(PART_BEGUN), 1);
		task_safe_point(t);
		m_add(my_part(PART_ENDED), 1);
		t->ops++;
	}
}

static void expect_runs(int64_t runs)
{
	for (unsigned int slot = 0; slot < rig.run->block_count; slot++)
		if (m_load(part_of(slot, PART_RUNS)) != runs)
			fail_msg("slot %u ran %lld times instead of %lld", slot,
				 (long long)m_load(part_of(slot, PART_RUNS)), (long long)runs);
}

#define each_mode(mode) for (enum m_mode mode = M_PROCESS; mode <= M_THREAD; mode++)

#endif

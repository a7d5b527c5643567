/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * primitives.h - the machine's primitives, simulated: each has its effect on the word, and its cost
 * in virtual time for the CPU whose task calls it. Called by nobody's task (the conductor, while it
 * sets up or checks a counter) they have their effect alone. The contract is in machine/machine.h.
 */
#ifndef MACHINE_SIM_PRIMITIVES_H
#define MACHINE_SIM_PRIMITIVES_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/run.h"
#include "machine/task.h"

/* Whom the running code acts as. */
extern struct task *sim_task;

int64_t sim_load(const m_word *word);
void sim_store(m_word *word, int64_t value);
int64_t sim_add(m_word *word, int64_t value);
int64_t sim_swap(m_word *word, int64_t value);
bool sim_cas(m_word *word, int64_t old, int64_t value);
void sim_wait(m_word *word, int64_t mask, int64_t value);
int64_t sim_clock_ns(void);
bool sim_attend(struct task *task);
void sim_on_each_slot(void (*fn)(void *), void *arg);
void sim_name(const m_word *first, unsigned int words, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void sim_name_part(const struct m_percpu *percpu, unsigned int first, unsigned int words,
		   const char *format, ...) __attribute__((format(printf, 4, 5)));
void sim_lock_taken(const m_word *lock);
void sim_lock_released(const m_word *lock);

static inline int64_t m_load(const m_word *word)
{
	return sim_load(word);
}

/* The model keeps loads in order and stores in order: an acquire or a release costs nothing. */
static inline int64_t m_load_acquire(const m_word *word)
{
	return sim_load(word);
}

static inline void m_store(m_word *word, int64_t value)
{
	sim_store(word, value);
}

static inline void m_store_release(m_word *word, int64_t value)
{
	sim_store(word, value);
}

static inline int64_t m_add(m_word *word, int64_t value)
{
	return sim_add(word, value);
}

static inline int64_t m_swap_acq_rel(m_word *word, int64_t value)
{
	return sim_swap(word, value);
}

static inline bool m_cas_relaxed(m_word *word, int64_t old, int64_t value)
{
	return sim_cas(word, old, value);
}

static inline bool m_cas_acquire(m_word *word, int64_t old, int64_t value)
{
	return sim_cas(word, old, value);
}

static inline bool m_cas_release(m_word *word, int64_t old, int64_t value)
{
	return sim_cas(word, old, value);
}

static inline struct task *m_task(void)
{
	return sim_task;
}

static inline unsigned int m_cpu(void)
{
	return sim_task->slot;
}

static inline unsigned int m_node(void)
{
	return sim_task->node;
}

static inline unsigned int m_slots(void)
{
	return sim_task->run->slots;
}

static inline unsigned int m_nodes(void)
{
	return sim_task->run->setup.nodes;
}

static inline int64_t m_now(void)
{
	return sim_clock_ns();
}

/* xorshift64*, as natively: the same seed draws the same numbers. */
static inline uint64_t m_random(void)
{
	struct task *task = m_task();

	task->random ^= task->random >> 12;
	task->random ^= task->random << 25;
	task->random ^= task->random >> 27;
	return task->random * 0x2545f4914f6cdd1dULL;
}

static inline m_word *m_my_part(const struct m_percpu *percpu)
{
	return (m_word *)((char *)m_task() + m_load(&percpu->offset));
}

static inline m_word *m_part_of(const struct m_percpu *percpu, unsigned int slot)
{
	return (m_word *)((char *)m_task_of(m_task()->run, slot) + m_load(&percpu->offset));
}

static inline void m_wait_until(m_word *word, int64_t mask, int64_t value)
{
	sim_wait(word, mask, value);
}

static inline void m_hand_over(m_word *word, int64_t value)
{
	sim_store(word, value);
}

static inline bool task_running(struct task *task)
{
	if (likely(m_load(&task->attention) == 0))
		return true;
	return sim_attend(task);
}

static inline void task_safe_point(struct task *task)
{
	if (unlikely(m_load(&task->attention) != 0))
		sim_attend(task);
}

static inline void m_on_each_slot(void (*fn)(void *), void *arg)
{
	sim_on_each_slot(fn, arg);
}

#define m_name(run, first, words, ...) ((void)(run), sim_name(first, words, __VA_ARGS__))
#define m_name_part(run, percpu, first, words, ...) \
	((void)(run), sim_name_part(percpu, first, words, __VA_ARGS__))

static inline void m_lock_taken(const m_word *lock)
{
	sim_lock_taken(lock);
}

static inline void m_lock_released(const m_word *lock)
{
	sim_lock_released(lock);
}

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * primitives.h - the machine's primitives on the host: C11 atomics and one thread-local pointer.
 * The contract is in machine/machine.h.
 */
#ifndef MACHINE_NATIVE_PRIMITIVES_H
#define MACHINE_NATIVE_PRIMITIVES_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/check.h"
#include "machine/run.h"
#include "machine/task.h"

_Static_assert(sizeof(long) == 8, "64-bit hosts only: counts and samples are read as one word");

/* Set by whoever acts as a slot: a task itself, or the conductor while it serves one. */
extern __thread struct task *native_self;

/* True in the runner while it conducts: it must look after its children also while it waits. */
extern bool native_conducts;

void native_wait_conducting(m_word *word, int64_t mask, int64_t value);
void native_wait_slow(m_word *word, int64_t mask, int64_t value);
void native_wake_slow(const m_word *word);
bool native_attend(struct task *task);
void native_on_each_slot(void (*fn)(void *), void *arg);
int64_t native_now(void);

static inline int64_t m_load(const m_word *word)
{
	return __atomic_load_n(&word->opaque, __ATOMIC_RELAXED);
}

static inline int64_t m_load_acquire(const m_word *word)
{
	return __atomic_load_n(&word->opaque, __ATOMIC_ACQUIRE);
}

static inline void m_store(m_word *word, int64_t value)
{
	__atomic_store_n(&word->opaque, value, __ATOMIC_RELAXED);
}

static inline void m_store_release(m_word *word, int64_t value)
{
	__atomic_store_n(&word->opaque, value, __ATOMIC_RELEASE);
}

static inline int64_t m_add(m_word *word, int64_t value)
{
	return __atomic_fetch_add(&word->opaque, value, __ATOMIC_RELAXED);
}

static inline int64_t m_swap_acq_rel(m_word *word, int64_t value)
{
	return __atomic_exchange_n(&word->opaque, value, __ATOMIC_ACQ_REL);
}

static inline bool m_cas_relaxed(m_word *word, int64_t old, int64_t value)
{
	return __atomic_compare_exchange_n(&word->opaque, &old, value, false, __ATOMIC_RELAXED,
					   __ATOMIC_RELAXED);
}

static inline bool m_cas_acquire(m_word *word, int64_t old, int64_t value)
{
	return __atomic_compare_exchange_n(&word->opaque, &old, value, false, __ATOMIC_ACQUIRE,
					   __ATOMIC_RELAXED);
}

static inline bool m_cas_release(m_word *word, int64_t old, int64_t value)
{
	return __atomic_compare_exchange_n(&word->opaque, &old, value, false, __ATOMIC_RELEASE,
					   __ATOMIC_RELAXED);
}

/*
 * Read through a volatile pointer each time: this lookup is part of what a per-CPU counter costs,
 * and nothing in C forbids the compiler to do it once before the loop.
 */
static inline struct task *m_task(void)
{
	return *(struct task *volatile *)&native_self;
}

static inline unsigned int m_cpu(void)
{
	return m_task()->slot;
}

static inline unsigned int m_node(void)
{
	return m_task()->node;
}

static inline unsigned int m_slots(void)
{
	return m_task()->run->slots;
}

static inline unsigned int m_nodes(void)
{
	return m_task()->run->setup.nodes;
}

static inline int64_t m_now(void)
{
	return native_now();
}

/* xorshift64*: Vigna, "An experimental exploration of Marsaglia's xorshift generators", 2016. */
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

static inline void m_pause(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#else
	__asm__ volatile("" ::: "memory");
#endif
}

/* Some microseconds: longer than a hand-off between running tasks, shorter than a sleep costs. */
#define NATIVE_SPINS 200

static inline void m_wait_until(m_word *word, int64_t mask, int64_t value)
{
	bool may_sleep = m_task()->run->oversubscribed;

	for (unsigned int spins = 0; (m_load_acquire(word) & mask) != value; spins++) {
		m_pause();
		if (likely(spins < NATIVE_SPINS))
			continue;
		if (unlikely(native_conducts)) {
			native_wait_conducting(word, mask, value);
			return;
		}
		if (may_sleep) {
			native_wait_slow(word, mask, value);
			return;
		}
	}
}

static inline void m_hand_over(m_word *word, int64_t value)
{
	m_store_release(word, value);
	if (unlikely(m_task()->run->oversubscribed))
		native_wake_slow(word);
}

/* True until the run is over; on the way it does what others have asked this slot for. */
static inline bool task_running(struct task *task)
{
	if (likely(m_load(&task->attention) == 0))
		return true;
	return native_attend(task);
}

/* A safe point within an operation, between two of its charges: as above, but does not stop. */
static inline void task_safe_point(struct task *task)
{
	if (unlikely(m_load(&task->attention) != 0))
		native_attend(task);
}

static inline void m_on_each_slot(void (*fn)(void *), void *arg)
{
	native_on_each_slot(fn, arg);
}

/* This host has no use for names and watches no lock: nothing of these is left in the code. */
__attribute__((format(printf, 4, 5))) static inline void m_name(struct m_run *run,
								const m_word *first,
								unsigned int words,
								const char *format, ...)
{
	(void)run, (void)first, (void)words, (void)format;
}

__attribute__((format(printf, 5, 6))) static inline void m_name_part(struct m_run *run,
								     const struct m_percpu *percpu,
								     unsigned int first,
								     unsigned int words,
								     const char *format, ...)
{
	(void)run, (void)percpu, (void)first, (void)words, (void)format;
}

static inline void m_lock_taken(const m_word *lock)
{
	(void)lock;
}

static inline void m_lock_released(const m_word *lock)
{
	(void)lock;
}

#endif

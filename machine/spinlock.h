/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spinlock.h - the kernel's queued spinlock: an MCS queue with FIFO hand-off, told apart by the
 * call site that takes it.
 *
 * `locked` and `tail` are two words on one line, so that a release is a plain store. A taker who
 * sees no queue may take the lock at once; everybody else waits in line on a word of its own and
 * only the head of the queue watches `locked`. Rule: kernel/locking/qspinlock.c, Linux 6.x, without
 * its pending bit.
 *
 * Only the contended path reads the clock: an uncontended acquire must cost what it must. A task
 * waits for one lock at a time (its queue words are per slot), so locks must not nest.
 */
#ifndef MACHINE_SPINLOCK_H
#define MACHINE_SPINLOCK_H

#include "machine/machine.h"

struct spinlock {
	m_word locked;
	m_word tail; /* 1 + slot of the last in the queue, 0: nobody waits */
};

/* The successor is told as (slot << 1 | 1), so that 0 means "nobody yet". */
static inline void queue_leave(struct spinlock *lock, struct task *me)
{
	int64_t self = me->slot + 1;
	int64_t next;

	if (m_cas_release(&lock->tail, self, 0))
		return;
	/* Somebody has swapped the tail but not linked itself yet: wait for the link. */
	m_wait_until(&me->queue_next, 1, 1);
	next = m_load(&me->queue_next);
	m_hand_over(&m_task_of(me->run, (unsigned int)(next >> 1))->queue_go, 1);
}

static __attribute__((noinline, cold)) void spin_lock_contended(struct spinlock *lock,
								unsigned int site)
{
	struct task *me = m_task();
	int64_t before = m_now();
	int64_t previous;

	m_store(&me->queue_next, 0);
	m_store(&me->queue_go, 0);
	previous = m_swap_acq_rel(&lock->tail, me->slot + 1);
	if (previous) {
		struct task *ahead = m_task_of(me->run, (unsigned int)(previous - 1));

		m_hand_over(&ahead->queue_next, (int64_t)me->slot << 1 | 1);
		m_wait_until(&me->queue_go, 1, 1);
	}
	/* Head of the queue. A taker that saw no queue just before may still come first: try on. */
	do {
		m_wait_until(&lock->locked, 1, 0);
	} while (!m_cas_acquire(&lock->locked, 0, 1));
	m_lock_taken(&lock->locked);
	queue_leave(lock, me);

	me->sites[site].contended++;
	me->sites[site].wait_ns += (uint64_t)(m_now() - before);
}

/* Takes the lock. `site` (below M_SITES) is the caller's place, for the accounting. */
static inline void spin_lock(struct spinlock *lock, unsigned int site)
{
	m_site(site)->acquisitions++;
	if (likely(m_load(&lock->tail) == 0) && likely(m_cas_acquire(&lock->locked, 0, 1))) {
		m_lock_taken(&lock->locked);
		return;
	}
	spin_lock_contended(lock, site);
}

static inline void spin_unlock(struct spinlock *lock)
{
	m_lock_released(&lock->locked);
	m_hand_over(&lock->locked, 0);
}

/* Names its words after the lock: "commit.lock". */
static inline void spin_name(struct m_run *run, const struct spinlock *lock, const char *name)
{
	m_name(run, &lock->locked, 1, "%s.locked", name);
	m_name(run, &lock->tail, 1, "%s.tail", name);
}

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * machine.h - the one door to shared memory, time and identity for counters and testcases.
 *
 * The same source is compiled once for each machine. What follows is the contract; the folder of
 * the machine (native/, sim/) holds the definitions, all static inline, so that the choice costs
 * nothing in a measured loop.
 *
 * Words. Shared state is m_word only. Orderings are those of C11, named in the primitive; without
 * a name it is relaxed. All values are 64 bits, signed.
 *
 *   int64_t m_load(const m_word *w)              int64_t m_load_acquire(const m_word *w)
 *   void m_store(m_word *w, int64_t v)           void m_store_release(m_word *w, int64_t v)
 *   int64_t m_add(m_word *w, int64_t v)          fetch-add, gives the old value
 *   int64_t m_swap_acq_rel(m_word *w, int64_t v) gives the old value
 *   bool m_cas_acquire(m_word *w, int64_t old, int64_t new)   also _relaxed and _release
 *   void m_wait_until(m_word *w, int64_t mask, int64_t value)
 *           returns once (*w & mask) == value, with acquire ordering. Natively it pauses and
 *           reads again, and sleeps after a while when there are more tasks than CPUs;
 *           simulated it parks.
 *   void m_hand_over(m_word *w, int64_t v)       m_store_release to a word somebody may wait for;
 *           the only way to end an m_wait_until
 *
 * A slot's own part. One block of memory a slot, on its own lines and its own NUMA node. Only the
 * owner writes it, with plain m_load and m_store; others may load.
 *
 *   m_word *m_my_part(const struct m_percpu *p)  the caller's own part; reads the pointer in *p, so
 *           the line that holds *p is part of the cost, as in the kernel
 *   m_word *m_part_of(const struct m_percpu *p, unsigned int slot)
 *
 * Identity, time, chance.
 *
 *   struct task *m_task(void)     of the caller; looked up anew each time
 *   unsigned int m_cpu(void)      the caller's slot, counting slots first, then readers
 *   unsigned int m_node(void)     NUMA node of the caller's slot, from 0 to m_nodes() - 1
 *   unsigned int m_nodes(void)    NUMA nodes of the machine, or those of --nodes
 *   unsigned int m_slots(void)    slots that count: max(tasks, CPUs of the machine)
 *   int64_t m_now(void)           monotonic, ns
 *   uint64_t m_random(void)       seeded by plan and slot
 *
 * Names, for a machine that can tell where its lines travel; natively they are nothing. Called
 * while a counter is set up.
 *
 *   m_name(run, first, words, "zone[%u].HIT", node)       these words of the arena, as by printf
 *   m_name_part(run, percpu, first, words, "diff.HIT")    these words of every slot's part
 *
 * Locks, for a machine that can watch them; natively nothing. Only spinlock.h calls these.
 *
 *   void m_lock_taken(const m_word *w)       from here on the caller is the one owner of that lock
 *   void m_lock_released(const m_word *w)    no longer; before the store that lets others have it
 *
 * System calls are in <machine>/sys.h and begin with m_sys_.
 */
#ifndef MACHINE_MACHINE_H
#define MACHINE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine/check.h"
#include "machine/run.h"
#include "machine/task.h"

#if defined(MACHINE_NATIVE)
#include "machine/native/primitives.h"
#include "machine/native/sys.h"
#elif defined(MACHINE_SIM)
#include "machine/sim/primitives.h"
#include "machine/sim/sys.h"
#else
#error "compile with -DMACHINE_NATIVE or -DMACHINE_SIM"
#endif

/* Tells the harness that a per-CPU part was moved to shared state: one a counter moved. */
static inline void m_spilled(void)
{
	m_task()->spills++;
}

/* Notes how long something took, for a testcase that has said .has_latency. 0 ns counts as 1. */
static inline void m_latency(struct task *task, int64_t ns)
{
	task->latency[63 - __builtin_clzll((uint64_t)ns | 1)]++;
}

/* The caller's own statistics of a call site; no part of the machine that is measured. */
static inline struct site_stats *m_site(unsigned int site)
{
	return &m_task()->sites[site];
}

#endif

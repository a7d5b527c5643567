/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * task.h - one task: what its loop works with, and what it tells about itself. It stands at the
 * start of its slot's block; the owner alone writes it while it runs, the conductor only reads.
 */
#ifndef MACHINE_TASK_H
#define MACHINE_TASK_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/error.h"
#include "machine/place.h"
#include "machine/word.h"

#define M_SITES 8 /* call sites that a kind may tell apart when it takes a lock */

/* Of one call site; totals since the gate. */
struct site_stats {
	uint64_t acquisitions;
	uint64_t contended; /* acquisitions that had to wait */
	uint64_t wait_ns;
};

#define M_LATENCIES 64 /* buckets of a latency histogram: n counts from 2^n ns to below 2^(n+1) */

enum task_state {
	TASK_IDLE,     /* no task in this slot: somebody else serves it */
	TASK_RUNNING,  /* serves itself, at its safe points */
	TASK_FINISHED, /* has left its loop and touches nothing any more */
};

struct m_run;

struct task {
	/* The loop's own: one line. ops is volatile since others sample it while it grows. */
	volatile uint64_t ops;
	m_word attention; /* set by others: the run's signal has changed, look at the safe point */
	struct m_run *run;
	void *counter;	/* the kind's shared state */
	int64_t size;	/* bytes, of --size or the testcase's own */
	int64_t added;	/* what this task has added to the counter: the truth to check against */
	int64_t mapped; /* pages this task has mapped: the kernel's mm->total_vm */
	uint64_t charges;

	struct site_stats sites[M_SITES] M_LINE_APART;
	uint64_t refused; /* charges that the policy did not admit */
	uint64_t spills;
	uint64_t *latency; /* M_LATENCIES counts, see m_latency(); NULL: the testcase has none */

	/* Readers only (--readers): reads made and the time they took. */
	uint64_t reads;
	uint64_t read_ns;

	m_word page_list; /* natively: free pages of m_sys_page_alloc, an address, or 0 */
	uint64_t random;  /* state of m_random */
	unsigned int slot;
	unsigned int node;
	bool is_reader;
	bool reads_exact;

	int64_t start_ns, stop_ns; /* when it passed the gate, when it left the loop */
	int64_t held_ns;	   /* asleep at held safe points, between the two */

	m_word state;  /* enum task_state */
	m_word served; /* the last call of m_on_each_slot that was run for this slot */
	struct place place;
	int os_id;	    /* pid, or tid in thread mode */
	struct error error; /* why it failed; empty otherwise */

	M_LINE_APART m_word queue_next; /* this slot's place in a spinlock's queue: own line, */
	m_word queue_go;		/* since its neighbours in the queue write it */
} M_LINE_APART;

/* Its words, for a machine that tells of them by name. */
#define M_TASK_WORDS(WORD)                                                             \
	WORD(attention), WORD(page_list), WORD(state), WORD(served), WORD(queue_next), \
		WORD(queue_go)

#endif

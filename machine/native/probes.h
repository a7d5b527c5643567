/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * probes.h - loops that show what single things cost on this host: a primitive, a system call,
 * a line that goes to another CPU and back. They run as any testcase's loop does, but task 0
 * takes the time itself, by chunks of some rounds: who is kept off a CPU, or waits for one who
 * is, finds that in one chunk, and the median of many does not show it.
 */
#ifndef MACHINE_NATIVE_PROBES_H
#define MACHINE_NATIVE_PROBES_H

#include "machine/run.h"
#include "machine/sim/paths.h"

#define PROBE_CHAIN 1000       /* dependent additions in a round of probe_chain */
#define PROBE_ADD_PRIMITIVES 5 /* in a round of probe_add */

#define PROBE_CHUNKS 256
#define PROBE_CHUNK_NS 20000 /* so that a look at the clock is nothing beside it */

/* Rounds of a loop, and the time of each by the clock. */
struct probe_chunk {
	int64_t ns;
	/* Of loops that time their two calls apart: theirs, with a look at the clock in each, and
	 * that of such looks alone. */
	int64_t first_ns, second_ns, clock_ns;
};

/* What the loops share, as their counter; zeroed. */
struct probe_shared {
	m_word ball; /* of probe_ping_pong */
	M_LINE_APART m_word word;
	struct m_percpu part;
	M_LINE_APART int64_t rounds; /* in a chunk: grows until that takes long enough */
	uint64_t chunk_end;	     /* in operations of task 0 */
	int64_t began_ns;
	struct probe_chunk now;
	m_word count; /* of chunks; the conductor waits for it */
	struct probe_chunk chunk[PROBE_CHUNKS];
};

typedef void probe_loop(struct task *task);

/* Of a loop's round, which counts as one operation. */
enum probe_take {
	PROBE_ALL,    /* what it takes more than the bare one, by the calls in it */
	PROBE_FIRST,  /* the part of its first call, as `timed` tells the two apart, */
	PROBE_SECOND, /* and of its second */
};

/* How the cost of one path is found. */
struct probe {
	const char *how; /* for people */
	probe_loop *loop;
	probe_loop *bare; /* the same without the call */
	probe_loop *timed;
	enum probe_take take;
	unsigned int calls; /* in a round */
};

/* By path; no loop: natively nothing is done there. */
extern const struct probe probes[SIM_PATH_COUNT];

probe_loop probe_empty;	    /* nothing but the loop */
probe_loop probe_add;	    /* a per-CPU counter's add that stays at home */
probe_loop probe_atomic;    /* a fetch-add to a line that nobody else has */
probe_loop probe_ping_pong; /* tasks 0 and 1 take turns by compare-and-swap on one word */
probe_loop probe_map_unmap; /* 128 MB, as mmap1 */
/* PROBE_CHAIN additions a round, each of the sum before it: one a cycle. NULL: not written for this
 * architecture. */
extern probe_loop *const probe_chain;

#endif

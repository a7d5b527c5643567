/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * run.h - one point being run: its arena, and the control plane of a machine (struct m_ops). This
 * side is called a few times a run, so a table is right here; the data plane is in machine.h.
 */
#ifndef MACHINE_RUN_H
#define MACHINE_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine/error.h"
#include "machine/place.h"
#include "machine/task.h"
#include "machine/word.h"

enum m_mode {
	M_PROCESS = 1, /* every task a forked process */
	M_THREAD = 2,  /* every task a thread of one child process */
};

struct settings;
struct sim_profile;
struct topology;
struct m_run;

/*
 * What a testcase needs whose code is not ours and whose loop never ends. Its tasks are made below
 * a process of their own, the host, and that below a guardian, which ends all of them and clears
 * up: at the end of the run, when the host dies, and when the runner does, however that may be. The
 * tasks know no safe point: hold() and on_each_slot() are not for such a run.
 */
struct m_host {
	/* By the guardian, before anything foreign runs, and when no process is left; the runner
	 * calls the second again, lest the guardian has been killed. */
	int (*open)(struct m_run *run, struct error *error);
	void (*close)(struct m_run *run);
	/* By the host, before the first task is made, and when all have ended. */
	int (*prepare)(struct m_run *run, struct error *error);
	void (*cleanup)(struct m_run *run);
};

/* What a run needs to know before it starts. */
struct m_setup {
	unsigned int tasks;   /* slots 0 .. tasks - 1 */
	unsigned int readers; /* slots after the counting ones */
	unsigned int slots;   /* slots that count, >= tasks */
	unsigned int nodes;   /* NUMA nodes; a place's node_index is below */
	enum m_mode mode;
	const struct topology *topology;
	const struct place *places; /* slots + readers entries */
	size_t shared_bytes;	    /* room for m_alloc */
	size_t block_bytes;	    /* room for m_percpu_alloc in each slot's block */
	unsigned int cpus; /* CPUs that tasks may use: more tasks than this oversubscribe */
	const struct sim_profile *profile; /* of a simulated machine; NULL natively */
	const struct settings *settings;   /* a testcase reads its own before its loop */
	uint64_t seed;
	int64_t timeout_ns; /* from open to the end of stop */
	int64_t grace_ns;   /* between asking tasks to stop and killing them */
};

/*
 * The head of the arena. `signal` says what tasks are asked to do; it has a line of its own, and
 * a task reads it only when its own word of attention is set.
 */
struct m_run {
	m_word signal;
	M_LINE_APART char *blocks; /* the first slot's block */
	size_t stride;		   /* bytes from one block to the next */
	unsigned int slots;	   /* slots that count */
	unsigned int block_count;  /* slots, readers, and last the conductor's own */
	bool oversubscribed;	   /* more tasks than CPUs: waiters must sleep */
	size_t shared_used, shared_bytes, block_used, block_bytes;
	char *shared;
	struct m_setup setup;
	struct error warning; /* what the host refused, though the run goes on; empty: nothing */
	void (*body)(struct task *task);
	void (*reader)(struct task *task);
	const struct m_host *host; /* NULL: the loop is ours and ends when it is asked to */
	const void *hosted;	   /* the host's own */
};

static inline struct task *m_task_of(const struct m_run *run, unsigned int slot)
{
	return (struct task *)(run->blocks + slot * run->stride);
}

enum m_event {
	M_OK,	       /* what was waited for has come */
	M_FAILED,      /* a task died, or the time is up: the error says which */
	M_SKIPPED,     /* this machine cannot run it: the error says what it lacks */
	M_INTERRUPTED, /* the user wants to stop */
};

/* What --profile has found of one point. */
struct m_profile {
	char event[32];	  /* what was sampled: cycles, cpu-clock, ...; empty: nothing */
	char shares[480]; /* "symbol:12.3;other:4.5", percent of it, the largest first */
	char sites[480];  /* "lock<caller<its caller:48.2;...": what waiting there took */
	uint64_t cache_misses, hitm;
	bool has_cache_misses, has_hitm;
	char *text; /* for people, whole lines; the caller frees it; NULL: nothing */
	char *rows; /* the same as CSV, a line each with the columns of `row_columns`; likewise */
};

/*
 * How a machine profiles. What fails is a reason to tell and no more: the run goes on without.
 * Order: attach after open and before start, window around each measured window, report after
 * stop; close ends it at any time.
 */
struct m_profiler {
	int (*attach)(struct m_run *run, struct error *error);
	void (*window)(struct m_run *run, bool on);
	int (*report)(struct m_run *run, struct m_profile *profile, struct error *error);
	const char *row_columns; /* NULL: it gives no rows */
	const char *rows_name;	 /* FILE.NAME.csv is where they go */
};

/*
 * A machine's control plane. Order of calls: open, (set up the counter with m_alloc), start, gate,
 * then advance, hold, release and on_each_slot as often as wanted, stop, close. Calls that return
 * an event other than M_OK leave the run fit for close() only, which always ends every task.
 */
struct m_ops {
	const char *name; /* of its cells */
	/* Its time is not the host's, whose load, clock and caches show in none of its figures;
	 * what the conductor reads costs nothing there. */
	bool is_virtual;
	/* Once, before anything else: takes over SIGINT, SIGTERM and SIGCHLD. */
	void (*init)(void);
	/* The signal by which the user has asked to stop, 0 for none. */
	int (*interrupted)(void);
	/* Makes the arena. NULL with the error set when there is no memory for it. */
	struct m_run *(*open)(const struct m_setup *setup, struct error *error);
	/* Makes every task and waits until all are placed and ready at the gate. */
	enum m_event (*start)(struct m_run *run, struct error *error);
	void (*gate)(struct m_run *run);
	/* Lets the tasks run until `until_ns` of now(). */
	enum m_event (*advance)(struct m_run *run, int64_t until_ns, struct error *error);
	/* Stops all tasks at a safe point: until release() nothing changes but by the caller. */
	enum m_event (*hold)(struct m_run *run, struct error *error);
	void (*release)(struct m_run *run);
	/* Runs fn(arg) once as each slot; owners run it themselves at their next safe point. */
	enum m_event (*on_each_slot)(struct m_run *run, void (*fn)(void *), void *arg,
				     struct error *error);
	/* Asks all tasks to leave their loops and waits until they have. */
	enum m_event (*stop)(struct m_run *run, struct error *error);
	void (*close)(struct m_run *run);
	int64_t (*now)(void);		   /* ns */
	const struct m_profiler *profiler; /* NULL: it cannot */
};

/* Memory that all tasks share, zeroed, aligned to `align` bytes; before start() only. */
void *m_alloc(struct m_run *run, size_t bytes, size_t align);
/* Room for `words` words in every slot's block, on lines of their own; before start() only. */
void m_percpu_alloc(struct m_run *run, struct m_percpu *percpu, unsigned int words);
/*
 * A slot's part as plain numbers: for what its owner notes about itself, as the truth that a
 * counter is checked against. No part of the machine that is measured, so it costs nothing there.
 */
int64_t *m_notes(const struct task *task, const struct m_percpu *percpu);

#endif

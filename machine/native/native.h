/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * native.h - what the parts of the native machine share: the run with its control words, sleeping
 * and waking, making tasks. Nothing outside this folder includes it but tests.
 */
#ifndef MACHINE_NATIVE_NATIVE_H
#define MACHINE_NATIVE_NATIVE_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "machine/native/primitives.h"
#include "machine/run.h"

/* The run's signal: two flags, and above them a number that grows with each change. */
#define SIGNAL_STOP 1
#define SIGNAL_HOLD 2
#define SIGNAL_NEXT 4

/* Children of one process that it has not reaped. */
struct native_children {
	unsigned int count;
	pid_t pids[];
};

struct native_run {
	struct m_run run; /* first: the two are cast into each other */

	M_LINE_APART m_word ready; /* tasks placed and waiting at the gate */
	m_word gate;		   /* 0 shut, 1 open */
	m_word held;		   /* tasks that are asleep at a safe point */
	m_word sleepers;	   /* waiters asleep in m_wait_until */

	M_LINE_APART m_word call_lock; /* who may call on each slot */
	m_word call;		       /* number of the present or last call */
	void (*call_fn)(void *);
	void *call_arg;

	/* The conductor's own; children do not use them. */
	M_LINE_APART struct native_children *children; /* in memory of each process's own */
	pthread_t *threads;			       /* in the child of thread mode */
	int64_t deadline_ns;
	size_t bytes;
	struct task *self_before;
	struct native_profile *profile; /* NULL: none, or it has failed */
};

static inline struct native_run *native_run_of(struct m_run *run)
{
	return (struct native_run *)run;
}

static inline unsigned int native_workers(const struct m_run *run)
{
	return run->setup.tasks + run->setup.readers;
}

/* The slot of the n-th worker: readers come after the slots that count. */
static inline unsigned int native_slot(const struct m_run *run, unsigned int worker)
{
	return worker < run->setup.tasks ? worker : run->slots + worker - run->setup.tasks;
}

/* Sleeps while *word's low half is `expected`, until woken or `ns` have passed; < 0: no limit. */
void native_sleep(const m_word *word, int64_t expected, int64_t ns);
/*
 * Wakes two sleepers, each of whom does the same when it sees that the word has changed: a thousand
 * wakes in one call would keep the caller off its CPU for a second where CPUs are scarce. Sleepers
 * wake in the order in which they fell asleep, so those who know already are last.
 */
void native_wake_chain(const m_word *word);

#define NATIVE_STACK_BYTES (256 * 1024) /* of a thread: a task's loop is shallow */
/* How large the arena of such a run is. */
size_t native_arena_bytes(const struct m_setup *setup);
/* What a fork adds to the memory that the kernel counts as committed: private areas. */
size_t native_forked_bytes(void);

/* Makes all tasks, or the guardian below which they are made; they are not ready yet when it
 * returns. */
int native_spawn(struct m_run *run, struct error *error);
/* The same, always here. */
int native_spawn_tasks(struct m_run *run, struct error *error);
/* The guardian of a run with a host: guard.c. Asks it to end all, and ends it. */
int native_guard(struct m_run *run, struct error *error);
void native_guard_stop(struct m_run *run);
void native_guard_end(struct m_run *run);
/* Where tasks outnumber the CPUs: puts the caller before them all, or among them again. */
void native_at_once(const struct m_run *run, bool on);
/* What every child does first: it must not outlive its parent, and Ctrl-C is not for it. */
void native_become_child(pid_t parent);
/* Why fork or clone failed for this worker; -1. */
int native_cannot_start(const struct m_run *run, unsigned int worker, struct error *error);
/* Ends and reaps every child. */
void native_kill(struct m_run *run);
/* Reaps children that have ended; -1 with the error set when one has failed or died. */
int native_reap(struct native_run *native, bool ending_is_right, struct error *error);

/*
 * Tells every task that the run's signal has changed. Each has a word of its own for that, on the
 * page that its loop writes anyway: a common one would be one more page to find after each system
 * call where these flush the TLB.
 */
void native_alert(struct m_run *run);
/* Runs the pending call for this slot, if it has not been. */
void native_serve(struct task *task);
#define NATIVE_NAP_NS 100000 /* between two looks at whether all tasks are where they should be */
/* Sleeps until `until_ns`, a child's end, a signal or the point's deadline, and tells which. */
enum m_event native_nap(struct m_run *run, int64_t until_ns, bool ending_is_right,
			struct error *error);
/* The conductor's m_on_each_slot; see struct m_ops. */
enum m_event native_each(struct m_run *run, void (*fn)(void *), void *arg, struct error *error);

/* The two halves of m_on_each_slot, for a conductor that must look after its children meanwhile. */
bool native_call_try(struct native_run *native, void (*fn)(void *), void *arg);
bool native_call_done(struct native_run *native);

extern const struct m_profiler native_profiler;
/* Ends what is left of a profile. */
void native_profile_end(struct native_run *native);

/* The signal mask that the program was started with: children get it back. */
extern sigset_t native_signals_before;

#endif

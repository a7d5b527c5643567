// SPDX-License-Identifier: GPL-2.0-or-later
/* task.c - a task's side of the run: the gate, safe points, calls on each slot, failing. */
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "machine/native/native.h"
#include "machine/native/sys.h"
#include "machine/topology.h"

__thread struct task *native_self;

int64_t native_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

void native_fail(struct task *task, const char *what, int64_t number)
{
	int cause = errno;

	error_set(&task->error, "task %u: %s %lld: %s", task->slot, what, (long long)number,
		  strerror(cause));
	/* In thread mode this ends the other threads too: the point has failed as a whole. */
	_exit(1);
}

void m_sys_give_up(struct task *task, const char *reason)
{
	error_set(&task->error, "%s", reason);
	_exit(1);
}

int native_node(const struct m_run *run, unsigned int nth)
{
	return topology_node(run->setup.topology, nth);
}

void native_serve(struct task *task)
{
	struct native_run *native = native_run_of(task->run);
	int64_t call = m_load_acquire(&native->call);
	void (*fn)(void *);

	if (m_load(&task->served) == call)
		return;
	/* Ordered by `call`; atomic since thread sanitizers do not see the conductor's calls. */
	fn = __atomic_load_n(&native->call_fn, __ATOMIC_RELAXED);
	fn(__atomic_load_n(&native->call_arg, __ATOMIC_RELAXED));
	m_store_release(&task->served, call);
}

/* Serving calls meanwhile: whoever asks for one must not have to wait for the hold to end. */
static void sleep_while_held(struct task *task, int64_t signal)
{
	while (signal & SIGNAL_HOLD) {
		int64_t now;

		native_sleep(&task->run->signal, signal, -1);
		now = m_load_acquire(&task->run->signal);
		if (now != signal)
			native_wake_chain(&task->run->signal);
		signal = now;
		native_serve(task);
	}
}

/*
 * A task on its way out of one hold is still counted when the next begins, so that it would be
 * taken as held and run on. Task and conductor therefore each write first, then read what the other
 * wrote (all in one order): the conductor sees the count without this task, or the task sees the
 * new hold and goes back to sleep.
 */
static int64_t stay_held(struct task *task, int64_t signal)
{
	struct native_run *native = native_run_of(task->run);
	int64_t from = native_now();

	while (signal & SIGNAL_HOLD) {
		__atomic_fetch_add(&native->held.opaque, 1, __ATOMIC_SEQ_CST);
		sleep_while_held(task, signal);
		__atomic_fetch_sub(&native->held.opaque, 1, __ATOMIC_SEQ_CST);
		signal = __atomic_load_n(&task->run->signal.opaque, __ATOMIC_SEQ_CST);
	}
	task->held_ns += native_now() - from;
	return signal;
}

/*
 * Attention is taken back before the signal is read: a change that comes later sets it anew, one
 * that came before is seen now.
 */
bool native_attend(struct task *task)
{
	int64_t signal;

	m_swap_acq_rel(&task->attention, 0);
	signal = m_load_acquire(&task->run->signal);
	native_serve(task);
	if (signal & SIGNAL_HOLD)
		signal = stay_held(task, signal);
	if (!(signal & SIGNAL_STOP))
		return true;
	/* A stop seen within an operation must still be news at the loop's head. */
	m_store(&task->attention, 1);
	return false;
}

void native_alert(struct m_run *run)
{
	for (unsigned int slot = 0; slot < run->block_count; slot++)
		m_store_release(&m_task_of(run, slot)->attention, 1);
	native_wake_chain(&run->signal);
}

static void serve_as(struct task *task)
{
	struct task *self = native_self;

	native_self = task;
	native_serve(task);
	native_self = self;
}

/*
 * Begins a call when no other is under way. `call` is released after its function is set: whoever
 * sees the new number sees what to run.
 */
bool native_call_try(struct native_run *native, void (*fn)(void *), void *arg)
{
	if (!m_cas_acquire(&native->call_lock, 0, 1))
		return false;
	__atomic_store_n(&native->call_fn, fn, __ATOMIC_RELAXED);
	__atomic_store_n(&native->call_arg, arg, __ATOMIC_RELAXED);
	m_store_release(&native->call, m_load(&native->call) + 1);
	__atomic_fetch_add(&native->run.signal.opaque, SIGNAL_NEXT, __ATOMIC_RELEASE);
	native_alert(&native->run);
	return true;
}

/*
 * One pass over all slots, true and the call ended when all have run it. Slots without a running
 * task are served here: a task that has said FINISHED never touches its part again, so acting as
 * its slot is safe.
 */
bool native_call_done(struct native_run *native)
{
	struct m_run *run = &native->run;
	int64_t call = m_load(&native->call);
	bool all = true;

	for (unsigned int slot = 0; slot < run->block_count; slot++) {
		struct task *task = m_task_of(run, slot);

		if (task == native_self || m_load_acquire(&task->state) != TASK_RUNNING)
			serve_as(task);
		if (m_load_acquire(&task->served) != call)
			all = false;
	}
	if (all)
		m_store_release(&native->call_lock, 0);
	return all;
}

void native_on_each_slot(void (*fn)(void *), void *arg)
{
	struct native_run *native = native_run_of(native_self->run);

	/* Who waits for a turn serves the call under way, or the two would wait for each other. */
	while (!native_call_try(native, fn, arg)) {
		native_serve(native_self);
		sched_yield();
	}
	while (!native_call_done(native))
		sched_yield();
}

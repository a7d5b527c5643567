// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * calls.c - safe points and m_on_each_slot: what a task does there for others, and how the caller
 * waits. Slots that have no task, or one that is held or has ended, are served by who asks.
 */
#include <setjmp.h>

#include "machine/sim/sim.h"

/*
 * The conductor may have to wait for a lock while it serves a slot: the tasks then run on. Where
 * that cannot end (a deadlock, the deadline) it leaves by a jump: the run is past use.
 */
static struct {
	bool may_leave;
	enum m_event event;
	struct error *error;
	jmp_buf leave;
} outside;

static void leave_with(enum m_event event)
{
	CHECK(outside.may_leave);
	outside.event = event;
	longjmp(outside.leave, 1);
}

void sim_wait_outside(m_word *word, int64_t mask, int64_t value)
{
	while ((word->opaque & mask) != value) {
		struct error ignored;
		enum m_event event;

		/* Without tasks there is nobody to end it. */
		if (sim->heap_count == 0)
			sim_fail(M_FAILED, "deadlock: the conductor waits for a word that nobody "
					   "will change");
		event = sim_run_until(sim->heap_count ? sim->heap[0].at + 1 : sim->now + 1,
				      outside.may_leave ? outside.error : &ignored);
		if (event != M_OK)
			leave_with(event);
	}
}

void sim_alert(void)
{
	for (unsigned int slot = 0; slot < sim->run->block_count; slot++)
		m_task_of(sim->run, slot)->attention.opaque = 1;
}

static bool serves_itself(const struct task *task)
{
	return task->state.opaque == TASK_RUNNING;
}

void sim_serve(struct task *task)
{
	if (!sim->calling || task->served.opaque == sim->call)
		return;
	task->served.opaque = sim->call;
	sim->call_fn(sim->call_arg);
	if (sim_self != &sim_outside) {
		sim_sync(sim_self);
		sim_drain(sim_self);
	}
	if (--sim->call_pending > 0)
		return;
	if (sim->caller < 0)
		sim->give_way = true;
	else if (sim->cpus[sim->caller].state == SIM_CALL)
		sim_wake(&sim->cpus[sim->caller], sim->now);
}

static void serve_as(struct task *task)
{
	struct task *before = sim_task;

	sim_task = task;
	sim_serve(task);
	sim_task = before;
}

static struct sim_cpu *cpu_of(const struct task *task)
{
	const struct m_run *run = sim->run;
	uint32_t id =
		task->slot < run->slots ? task->slot : task->slot - run->slots + run->setup.tasks;

	return &sim->cpus[id];
}

/* Begins a call and serves, as the caller, all slots that will not do so themselves. */
static void begin_call(void (*fn)(void *), void *arg, int32_t caller, const struct task *self)
{
	struct m_run *run = sim->run;

	sim->calling = true;
	sim->call++;
	sim->call_fn = fn;
	sim->call_arg = arg;
	sim->caller = caller;
	sim->call_pending = run->block_count;
	sim_alert();
	for (unsigned int slot = 0; slot < run->block_count; slot++) {
		struct task *task = m_task_of(run, slot);

		if (task == self || !serves_itself(task) || cpu_of(task)->state == SIM_HELD)
			serve_as(task);
	}
}

static void end_call(void)
{
	sim->calling = false;
	/* Others who want a turn have waited for this one's end. */
	for (uint32_t id = 0; id < sim->task_cpus; id++)
		if (sim->cpus[id].state == SIM_CALL)
			sim_wake(&sim->cpus[id], sim->now);
}

static void give_turn(struct sim_cpu *me)
{
	me->state = SIM_CALL;
	sim_dispatch();
	sim->now = me->now;
}

void sim_on_each_slot(void (*fn)(void *), void *arg)
{
	struct sim_cpu *me = sim_self;

	CHECK(me != &sim_outside);
	sim_sync(me);
	/* Who waits for a turn serves the call under way, or the two would wait for each other. */
	while (sim->calling) {
		sim_serve(sim_task);
		if (sim->calling)
			give_turn(me);
	}
	begin_call(fn, arg, me->id, sim_task);
	while (sim->call_pending > 0)
		give_turn(me);
	end_call();
}

static enum m_event call_outside(void (*fn)(void *), void *arg, struct error *error)
{
	enum m_event event = M_OK;

	while (sim->calling && event == M_OK)
		event = sim_run_until(sim->heap_count ? sim->heap[0].at + 1 : sim->now, error);
	if (event != M_OK)
		return event;
	begin_call(fn, arg, -1, sim_task);
	while (sim->call_pending > 0 && event == M_OK)
		event = sim_run_until(SIM_NEVER, error);
	if (event != M_OK)
		return event;
	end_call();
	/* Some have run ahead of this moment: what the conductor does next, all must yet see. */
	return sim_run_until(sim->now + sim->near_ps + 1, error);
}

enum m_event sim_each(struct m_run *run, void (*fn)(void *), void *arg, struct error *error)
{
	struct task *before = sim_task;
	enum m_event event;

	(void)run;
	outside.error = error;
	outside.may_leave = true;
	if (setjmp(outside.leave) == 0) {
		event = call_outside(fn, arg, error);
	} else {
		event = outside.event;
		sim_task = before;
	}
	outside.may_leave = false;
	return event;
}

bool sim_attend(struct task *task)
{
	struct sim_cpu *me = sim_self;

	CHECK(me != &sim_outside);
	task->attention.opaque = 0;
	sim_sync(me);
	sim_serve(task);
	while (sim->holding) {
		/* Truth stands still only where no store is on its way any more. */
		sim_drain(me);
		me->state = SIM_HELD;
		if (++sim->held == sim->running)
			sim->give_way = true;
		sim_dispatch();
		sim->now = me->now;
		sim_serve(task);
	}
	sim_sync(me);
	sim_set_horizon(me);
	if (!sim->stopping)
		return true;
	/* A stop seen within an operation must still be news at the loop's head. */
	task->attention.opaque = 1;
	return false;
}

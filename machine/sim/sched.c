// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sched.c - whose turn it is: a heap of events in the order of (time, number), and the switch to
 * the fiber whose event is the earliest. Whoever gives way looks for the next itself, so that there
 * is one switch from task to task, and none when its own turn comes first.
 */
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#include "machine/sim/host.h"
#include "machine/sim/names.h"
#include "machine/sim/sim.h"

/*
 * A task alone runs ahead as far as it may. The host is looked at once in some thousand turns,
 * so that a turn must be short of its time too, or neither Ctrl-C nor the timeout are seen for
 * minutes.
 */
#define LONGEST_RUN_PS 1000000LL /* a microsecond */

struct sim_tuning sim_tuning;
struct sim *sim;
struct task *sim_task;
struct sim_cpu sim_outside = { .horizon = INT64_MIN, .id = -1 };
struct sim_cpu *sim_self = &sim_outside;

static bool is_before(const struct sim_event *a, const struct sim_event *b)
{
	if (a->at != b->at)
		return a->at < b->at;
	return a->tie < b->tie || (a->tie == b->tie && a->id < b->id);
}

void sim_event_add(int32_t id, int64_t at)
{
	struct sim_event event = { at, sim_tie_of(id), id };
	uint32_t place = sim->heap_count++;

	sim->event_at[id] = at;
	for (; place > 0 && is_before(&event, &sim->heap[(place - 1) / 2]); place = (place - 1) / 2)
		sim->heap[place] = sim->heap[(place - 1) / 2];
	sim->heap[place] = event;
}

static struct sim_event take_first(void)
{
	struct sim_event first = sim->heap[0];
	struct sim_event last = sim->heap[--sim->heap_count];
	uint32_t place = 0, child;

	while ((child = 2 * place + 1) < sim->heap_count) {
		if (child + 1 < sim->heap_count &&
		    is_before(&sim->heap[child + 1], &sim->heap[child]))
			child++;
		if (!is_before(&sim->heap[child], &last))
			break;
		sim->heap[place] = sim->heap[child];
		place = child;
	}
	sim->heap[place] = last;
	sim->event_at[first.id] = SIM_NEVER;
	return first;
}

void sim_wake(struct sim_cpu *cpu, int64_t at)
{
	cpu->state = SIM_READY;
	cpu->now = sim_most(cpu->now, at);
	sim_event_add(sim_task_event(cpu), cpu->now);
}

void sim_fail(enum m_event event, const char *format, ...)
{
	va_list arguments;
	char text[sizeof(sim->error.text)];

	sim->give_way = true;
	if (sim->event != M_OK)
		return;
	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	sim->event = event;
	error_set(&sim->error, "%s", text);
}

static void go_on_as(struct sim_cpu *next)
{
	struct sim_cpu *me = sim_self;

	me->acting = sim_task;
	sim_self = next;
	sim_task = next->acting;
	fiber_switch(&me->fiber, &next->fiber);
}

/* The CPU whose turn is next, the conductor's too; what needs no task is done on the way. */
static struct sim_cpu *next_turn(void)
{
	for (;;) {
		struct sim_event event;
		struct sim_cpu *cpu;

		sim_host_look();
		if (sim->give_way || sim->heap_count == 0 || sim->heap[0].at >= sim->until)
			return &sim_outside;
		event = take_first();
		sim->now = event.at;
		cpu = sim_cpu_of_event(event.id);
		if (event.id < (int32_t)sim->cpu_count) {
			sim_arrive(event.id);
			sim_store_arrived(cpu);
			continue;
		}
		if (cpu->state == SIM_MISS) {
			cpu->now = event.at;
			cpu->state = SIM_READY;
			sim_arrive(event.id);
		}
		return cpu;
	}
}

void sim_dispatch(void)
{
	struct sim_cpu *next = next_turn();

	if (next != sim_self)
		go_on_as(next);
	if (sim_self != &sim_outside)
		sim_set_horizon(sim_self);
}

/*
 * Whatever others may still do to a line begins with an event of theirs, and its request needs its
 * time before the line leaves who has it. Siblings are the nearest; one without an event of its own
 * first needs a transfer to have one.
 */
void sim_set_horizon(struct sim_cpu *me)
{
	int64_t horizon = sim_least(sim->until, me->now + LONGEST_RUN_PS);

	me->horizon = INT64_MIN;
	if (me->store_count > 0 || sim_tuning.always_switch || sim_tuning.delay_ps || sim->give_way)
		return;
	if (sim->heap_count > 0)
		horizon = sim_least(horizon, sim->heap[0].at + sim->near_ps);
	for (int32_t id = me->sibling; id != me->id; id = sim->cpus[id].sibling) {
		int64_t at =
			sim_least(sim->event_at[id], sim->event_at[(int32_t)sim->cpu_count + id]);

		if (at != SIM_NEVER)
			horizon = sim_least(horizon, at + sim->request_ps[SIM_CORE]);
	}
	me->horizon = horizon;
}

void sim_sync(struct sim_cpu *me)
{
	struct sim_event mine = { me->now, me->tie >> 1 | 1U << 31, sim_task_event(me) };

	if (sim_tuning.delay_ps)
		mine.at = me->now +=
			sim_tuning.delay_ps(sim_tuning.arg, (unsigned int)me->id, me->now);
	sim_host_look();
	if (me->now >= sim->until || sim->give_way ||
	    (sim->heap_count > 0 && is_before(&sim->heap[0], &mine))) {
		me->state = SIM_READY;
		sim_event_add(mine.id, mine.at);
		sim_dispatch();
	}
	sim->now = me->now;
}

/* "task 3 until task[3].queue_go & 0x1 is 0x1 (now 0)": what the first few wait for. */
static void tell_deadlock(void)
{
	char text[400] = "";
	size_t used = 0;
	unsigned int told = 0;

	for (uint32_t id = 0; id < sim->task_cpus && told < 4; id++) {
		const struct sim_cpu *cpu = &sim->cpus[id];
		char where[SIM_NAME];

		if (cpu->state != SIM_WAIT)
			continue;
		sim_name_word(cpu->watched, where);
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "%s task %u until %s & %#llx is %#llx (now %#llx)",
					 told++ ? "," : "", cpu->task->slot, where,
					 (unsigned long long)cpu->mask,
					 (unsigned long long)cpu->value,
					 (unsigned long long)cpu->watched->opaque);
	}
	sim_fail(M_FAILED, "deadlock at %lld ns: %u tasks wait for each other:%s",
		 (long long)(sim->now / 1000), sim->running, text);
}

enum m_event sim_run_until(int64_t until, struct error *error)
{
	sim->until = until;
	sim->give_way = sim->event != M_OK;
	sim_dispatch();
	if (!sim->give_way && sim->heap_count == 0 && sim->running > sim->held)
		tell_deadlock();
	if (sim->event != M_OK) {
		*error = sim->error;
		return sim->event;
	}
	if (!sim->give_way && until != SIM_NEVER)
		sim->now = until;
	return M_OK;
}

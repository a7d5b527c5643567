// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * conduct.c - the control plane of the simulated machine (struct m_ops), in virtual time. The
 * conductor is no part of the machine: what it reads and writes costs nothing.
 */
#include <string.h>

#include "machine/sim/host.h"
#include "machine/sim/names.h"
#include "machine/sim/ops.h"
#include "machine/sim/sim.h"

static char *stacks;
static struct task *task_before;

uint64_t sim_seed_of(uint64_t seed, uint64_t n)
{
	/* splitmix64: neighbouring seeds must not give neighbouring sequences; never 0. */
	uint64_t value = seed + (n + 1) * 0x9e3779b97f4a7c15ULL;

	value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9ULL;
	value = (value ^ value >> 27) * 0x94d049bb133111ebULL;
	return (value ^ value >> 31) | 1;
}

static void set_up_slots(struct m_run *run)
{
	const struct m_setup *setup = &run->setup;

	for (unsigned int slot = 0; slot < run->block_count; slot++) {
		struct task *task = m_task_of(run, slot);

		task->run = run;
		task->slot = slot;
		task->is_reader = slot >= run->slots && slot + 1 < run->block_count;
		task->random = sim_seed_of(setup->seed, slot);
		task->place = setup->places[slot + 1 < run->block_count ? slot : 0];
		task->node = (unsigned int)task->place.node_index;
	}
}

static void task_main(void *arg)
{
	struct sim_cpu *me = arg;
	struct task *task = me->task;

	task->start_ns = me->now / 1000;
	if (task->is_reader)
		task->run->reader(task);
	else
		task->run->body(task);
	sim_sync(me);
	sim_serve(task);
	sim_drain(me);
	task->stop_ns = me->now / 1000;
	task->state.opaque = TASK_FINISHED;
	me->state = SIM_DONE;
	if (--sim->running == 0 || sim->running == sim->held)
		sim->give_way = true;
	sim_dispatch();
	CHECK(!"a finished task was given a turn");
}

/* CPUs in the order of tasks, then readers; those of one core are in a ring. */
static int set_up_cpus(struct m_run *run, struct error *error)
{
	hwloc_topology_t hwloc = run->setup.topology->hwloc;

	for (uint32_t id = 0; id < sim->task_cpus; id++) {
		struct sim_cpu *cpu = &sim->cpus[id];
		unsigned int slot = id < run->setup.tasks ? id : run->slots + id - run->setup.tasks;
		struct task *task = m_task_of(run, slot);
		hwloc_obj_t pu =
			task->place.pu < 0
				? NULL
				: hwloc_get_pu_obj_by_os_index(hwloc, (unsigned int)task->place.pu);

		if (!pu || task->place.round > 0)
			return error_set(error,
					 "task %u has no CPU of its own: a simulated machine "
					 "has no scheduler to share one",
					 slot);
		cpu->id = (int32_t)id;
		cpu->task = cpu->acting = task;
		cpu->sibling = (int32_t)id;
		/* Without a seed the order is that of the numbers. */
		cpu->tie = run->setup.seed ? (uint32_t)sim_seed_of(run->setup.seed, 3000000 + id)
					   : id << 1;
		cpu->jitter = sim_seed_of(run->setup.seed, 1000000 + id);
		sim_where(run->setup.topology, pu, &cpu->where);
		if (cpu->where.package < 0)
			cpu->where.package = 0;
		fiber_make(&cpu->fiber, fiber_stack(stacks, id), task_main, cpu);
		task->state.opaque = TASK_RUNNING;
		task->served.opaque = sim->call;
		cpu->state = SIM_READY;
	}
	return 0;
}

/* Joins the rings of CPUs on one core; the last one seen of each core is kept by its number. */
static void join_siblings(void)
{
	int32_t last[TOPOLOGY_PU_MAX];

	memset(last, -1, sizeof(last));
	for (uint32_t id = 0; id < sim->task_cpus; id++) {
		struct sim_cpu *cpu = &sim->cpus[id];
		int32_t *other = &last[cpu->where.core];

		if (*other >= 0) {
			cpu->sibling = sim->cpus[*other].sibling;
			sim->cpus[*other].sibling = cpu->id;
		}
		*other = cpu->id;
	}
}

static struct m_run *sim_open(const struct m_setup *setup, struct error *error)
{
	CHECK(!sim && setup->profile);
	sim = sim_world_open(setup, error);
	if (!sim)
		return NULL;
	task_before = sim_task;
	set_up_slots(sim->run);
	sim_task = m_task_of(sim->run, sim->run->block_count - 1);
	sim_host_deadline(setup->timeout_ns);
	return sim->run;
}

static enum m_event sim_start(struct m_run *run, struct error *error)
{
	stacks = fiber_stacks(sim->task_cpus);
	if (!stacks) {
		error_set(error, "no memory for the stacks of %u simulated CPUs", sim->task_cpus);
		return M_FAILED;
	}
	if (set_up_cpus(run, error) != 0)
		return M_FAILED;
	join_siblings();
	sim->running = sim->task_cpus;
	return M_OK;
}

static void sim_gate(struct m_run *run)
{
	(void)run;
	for (uint32_t id = 0; id < sim->task_cpus; id++)
		sim_wake(&sim->cpus[id], sim->now);
}

static int64_t sim_now(void)
{
	return sim ? sim->now / 1000 : 0;
}

static enum m_event sim_advance(struct m_run *run, int64_t until_ns, struct error *error)
{
	enum m_event event = M_OK;

	(void)run;
	do {
		event = sim_run_until(until_ns * 1000, error);
	} while (event == M_OK && sim->give_way && sim->running > 0);
	if (event == M_OK)
		sim->now = until_ns * 1000;
	return event;
}

static enum m_event sim_hold(struct m_run *run, struct error *error)
{
	(void)run;
	if (!sim_snapshot_take()) {
		error_set(error, "no memory for a copy of the simulated machine");
		return M_FAILED;
	}
	sim->holding = true;
	sim_alert();
	while (sim->held < sim->running) {
		enum m_event event = sim_run_until(SIM_NEVER, error);

		if (event != M_OK)
			return event;
	}
	return M_OK;
}

static void sim_release(struct m_run *run)
{
	(void)run;
	sim_snapshot_put_back();
}

static enum m_event sim_stop(struct m_run *run, struct error *error)
{
	(void)run;
	sim->stopping = true;
	sim_alert();
	while (sim->running > 0) {
		enum m_event event = sim_run_until(SIM_NEVER, error);

		if (event != M_OK)
			return event;
	}
	return M_OK;
}

static void sim_close(struct m_run *run)
{
	unsigned int cpus = sim->task_cpus;

	(void)run;
	sim_snapshot_drop();
	if (stacks)
		fiber_stacks_free(stacks, cpus);
	stacks = NULL;
	sim_hot_drop();
	sim_names_drop();
	sim_world_close(sim);
	sim = NULL;
	sim_outside.owned = NULL;
	sim_self = &sim_outside;
	sim_task = task_before;
}

const struct m_ops sim_ops = {
	.name = "sim",
	.is_virtual = true,
	.init = sim_host_init,
	.interrupted = sim_host_interrupted,
	.open = sim_open,
	.start = sim_start,
	.gate = sim_gate,
	.advance = sim_advance,
	.hold = sim_hold,
	.release = sim_release,
	.on_each_slot = sim_each,
	.stop = sim_stop,
	.close = sim_close,
	.now = sim_now,
	.profiler = &sim_profiler,
};

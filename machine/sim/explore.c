// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * explore.c - a schedule by chance, and the watch over locks: no two may own one, at any step.
 */
#include "machine/sim/explore.h"

#include "machine/sim/names.h"
#include "machine/sim/sim.h"

#define LEAST_PS 400 /* so that no two primitives of different tasks stay in one order for ever */

static struct {
	struct sim_explore how;
	uint64_t random;
	uint64_t points;
} search;

static uint64_t draw(void)
{
	search.random ^= search.random >> 12;
	search.random ^= search.random << 25;
	search.random ^= search.random >> 27;
	return search.random * 0x2545f4914f6cdd1dULL >> 16;
}

static int64_t delay_ps(void *arg, unsigned int cpu, int64_t now_ps)
{
	uint64_t bits = draw();

	(void)arg, (void)cpu, (void)now_ps;
	search.points++;
	if (bits % search.how.one_in)
		return (int64_t)(bits >> 32 & 0xffff) % LEAST_PS;
	return (int64_t)(draw() % (uint64_t)(search.how.longest_ps + 1));
}

void sim_explore_begin(const struct sim_explore *how)
{
	CHECK(!sim && how->one_in > 0 && how->longest_ps >= 0);
	search.how = *how;
	search.points = 0;
	search.random = sim_seed_of(how->seed, 2000000);
	sim_tuning.delay_ps = delay_ps;
	sim_tuning.watch_locks = true;
}

void sim_explore_end(void)
{
	sim_tuning.delay_ps = NULL;
	sim_tuning.watch_locks = false;
}

uint64_t sim_explore_points(void)
{
	return search.points;
}

static void told_as(const struct sim_cpu *cpu, char text[SIM_NAME])
{
	if (cpu == &sim_outside)
		snprintf(text, SIM_NAME, "the conductor");
	else
		snprintf(text, SIM_NAME, "task %u", cpu->task->slot);
}

static void tell_two_owners(const struct sim_cpu *first, const struct sim_cpu *second)
{
	char name[SIM_NAME], owner[SIM_NAME], other[SIM_NAME];

	sim_name_word(second->owned, name);
	told_as(first, owner);
	told_as(second, other);
	sim_fail(M_FAILED, "two owners of %s at %lld ns: %s has it, and %s takes it", name,
		 (long long)(second == &sim_outside ? sim->now : second->now) / 1000, owner, other);
}

void sim_lock_taken(const m_word *lock)
{
	struct sim_cpu *me = sim_self;

	if (likely(!sim_tuning.watch_locks))
		return;
	me->owned = lock;
	for (uint32_t id = 0; id < sim->task_cpus; id++)
		if (&sim->cpus[id] != me && sim->cpus[id].owned == lock)
			tell_two_owners(&sim->cpus[id], me);
	if (me != &sim_outside && sim_outside.owned == lock)
		tell_two_owners(&sim_outside, me);
}

void sim_lock_released(const m_word *lock)
{
	if (sim_self->owned == lock)
		sim_self->owned = NULL;
}

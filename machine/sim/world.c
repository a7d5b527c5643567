// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * world.c - making the world of a run: one piece of memory with CPUs, requests, events, lines and
 * the arena, and behind it room for the pools. Lines are known by their offset in the arena, task
 * blocks too, so nothing depends on where the host has put it.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "machine/sim/sim.h"

#define ALIGN 4096

static size_t round_up(size_t value, size_t align)
{
	return (value + align - 1) / align * align;
}

/* Sizes of the parts, and the place of each once there is a base. */
struct plan {
	uint32_t cpus, task_cpus, lines, packages, caches;
	size_t head, shared, stride, arena; /* of the arena */
	size_t cpu_at, request_at, event_at, heap_at, line_at, stats_at, arena_at, world;
	size_t sharer_bytes, queue_bytes, sharers_at, queues_at, all;
};

static size_t place(size_t *end, size_t bytes, size_t align)
{
	size_t at = round_up(*end, align);

	*end = at + bytes;
	return at;
}

static void plan_arena(struct plan *plan, const struct m_setup *setup)
{
	unsigned int blocks = setup->slots + setup->readers + 1;

	plan->head = round_up(sizeof(struct m_run), M_LINE_PAIR_BYTES);
	plan->shared = round_up(setup->shared_bytes, M_LINE_PAIR_BYTES);
	plan->stride = round_up(sizeof(struct task) + setup->block_bytes, M_LINE_PAIR_BYTES);
	plan->arena = plan->head + plan->shared + blocks * plan->stride;
}

static void plan_world(struct plan *plan, const struct m_setup *setup)
{
	size_t end = sizeof(struct sim);
	size_t line_bytes = (size_t)setup->profile->line_bytes;

	plan_arena(plan, setup);
	plan->task_cpus = setup->tasks + setup->readers;
	plan->cpus = plan->task_cpus ? plan->task_cpus : 1;
	plan->lines = (uint32_t)(round_up(plan->arena, line_bytes) / line_bytes);
	plan->cpu_at = place(&end, plan->cpus * sizeof(struct sim_cpu), 64);
	plan->request_at = place(&end, 2 * plan->cpus * sizeof(struct sim_request), 64);
	plan->event_at = place(&end, 2 * plan->cpus * sizeof(int64_t), 64);
	plan->heap_at = place(&end, (2 * plan->cpus + 1) * sizeof(struct sim_event), 64);
	plan->line_at = place(&end, plan->lines * sizeof(struct sim_line), 64);
	plan->stats_at = place(&end, plan->lines * sizeof(struct sim_line_stats), 64);
	plan->arena_at = place(&end, plan->arena, ALIGN);
	plan->world = round_up(end, ALIGN);
	plan->sharer_bytes = round_up((plan->cpus / 8 + 1) + (plan->caches / 8 + 1) +
					      (plan->packages / 8 + 1) + sizeof(struct sim_where),
				      8);
	plan->queue_bytes = 8 + plan->packages * 2 * sizeof(int32_t);
	plan->sharers_at = plan->world;
	plan->queues_at =
		round_up(plan->sharers_at + (plan->lines + 2) * plan->sharer_bytes, ALIGN);
	plan->all = plan->queues_at + (2 * plan->cpus + 2) * plan->queue_bytes;
}

static void lay_out(struct sim *world, const struct plan *plan)
{
	char *base = (char *)world;

	world->world_bytes = plan->world;
	world->cpu_count = plan->cpus;
	world->task_cpus = plan->task_cpus;
	world->line_count = plan->lines;
	world->packages = plan->packages;
	world->caches = plan->caches;
	world->cpus = (struct sim_cpu *)(base + plan->cpu_at);
	world->requests = (struct sim_request *)(base + plan->request_at);
	world->event_at = (int64_t *)(base + plan->event_at);
	world->heap = (struct sim_event *)(base + plan->heap_at);
	world->lines = (struct sim_line *)(base + plan->line_at);
	world->line_stats = (struct sim_line_stats *)(base + plan->stats_at);
	world->arena = base + plan->arena_at;
	world->arena_bytes = plan->arena;
	world->run = (struct m_run *)world->arena;
	world->sharers = (struct sim_pool){ base + plan->sharers_at, plan->sharer_bytes, 0,
					    plan->lines + 2, 0 };
	world->queues = (struct sim_pool){ base + plan->queues_at, plan->queue_bytes, 0,
					   2 * plan->cpus + 2, 0 };
}

static void set_costs(struct sim *world)
{
	const struct sim_profile *profile = world->profile;
	int64_t near = SIM_NEVER;

	for (int level = 0; level < SIM_LEVELS; level++) {
		int64_t latency = profile->latency_ps[level];

		if (latency == SIM_ABSENT)
			continue;
		world->request_ps[level] = latency * profile->request_pct / 100;
		near = sim_least(near, level == SIM_CORE ? latency : world->request_ps[level]);
	}
	world->near_ps = near == SIM_NEVER ? 0 : near;
	world->line_shift = profile->line_bytes == 128 ? 7 : 6;
}

static void set_up_run(struct sim *world, const struct plan *plan, const struct m_setup *setup)
{
	struct m_run *run = world->run;

	run->setup = *setup;
	run->shared = world->arena + plan->head;
	run->shared_bytes = plan->shared;
	run->blocks = run->shared + plan->shared;
	run->stride = plan->stride;
	run->block_bytes = plan->stride - sizeof(struct task);
	run->slots = setup->slots;
	run->block_count = setup->slots + setup->readers + 1;
}

/* The fields that need a value other than 0 to mean nothing. */
static void set_up_lines(struct sim *world)
{
	for (uint32_t i = 0; i < world->line_count; i++) {
		world->lines[i].leave = SIM_NEVER;
		world->lines[i].owner = SIM_NOBODY;
		world->lines[i].watchers = -1;
	}
	for (uint32_t i = 0; i < 2 * world->cpu_count; i++)
		world->event_at[i] = SIM_NEVER;
}

static int object_count(const struct m_setup *setup, hwloc_obj_type_t type)
{
	int count = hwloc_get_nbobjs_by_type(setup->topology->hwloc, type);

	return count > 0 ? count : 1;
}

struct sim *sim_world_open(const struct m_setup *setup, struct error *error)
{
	struct plan plan = {
		.packages = (uint32_t)object_count(setup, HWLOC_OBJ_PACKAGE),
		/* Of whatever level the last cache is, there are no more than cores. */
		.caches = (uint32_t)object_count(setup, HWLOC_OBJ_PU),
	};
	struct sim *world;

	plan_world(&plan, setup);
	world = mmap(NULL, plan.all, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (world == MAP_FAILED) {
		error_set(error, "cannot map the %zu bytes of a simulated machine: %s", plan.all,
			  strerror(errno));
		return NULL;
	}
	world->profile = setup->profile;
	world->caller = -1;
	lay_out(world, &plan);
	set_costs(world);
	set_up_run(world, &plan, setup);
	set_up_lines(world);
	return world;
}

void sim_world_close(struct sim *world)
{
	munmap(world, world->queues.base - (char *)world +
			      (size_t)world->queues.limit * world->queues.bytes);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* prepare.c - everything a point needs before its tasks are made. */
#include "runner/prepare.h"

#include <stdlib.h>

#define GRACE_NS 10000000000LL /* a task that is this long in one operation hangs */

/* Tasks come first in the placement's order, then readers, then the slots that nobody runs in. */
static unsigned int slot_of(const struct prepared *p, const struct config *config, unsigned int nth)
{
	unsigned int tasks = p->args.tasks;

	if (nth < tasks)
		return nth;
	if (nth < tasks + config->readers)
		return p->args.slots + nth - tasks;
	return nth - config->readers;
}

/* With --nodes slots are dealt to so many nodes in their order; who only reads is on the first. */
static int node_dealt(const struct prepared *p, unsigned int slot)
{
	if (slot >= p->args.slots)
		return 0;
	return (int)((uint64_t)slot * p->args.nodes / p->args.slots);
}

static int make_places(struct prepared *p, const struct config *config, struct error *error)
{
	unsigned int count = p->args.slots + config->readers;
	struct place *order = calloc(count, sizeof(*order));
	int result = -1;

	p->places = calloc(count, sizeof(*p->places));
	if (!order || !p->places)
		error_set(error, "no memory for %u places", count);
	else
		result = placement_make(&config->topology, config->placement, config->cpus, count,
					order, error);
	for (unsigned int i = 0; i < count && result == 0; i++)
		p->places[slot_of(p, config, i)] = order[i];
	for (unsigned int i = 0; i < count && config->nodes_given && result == 0; i++)
		p->places[i].node_index = node_dealt(p, i);
	free(order);
	return result;
}

struct m_setup prepare_setup(const struct config *config, const struct point *point,
			     const struct kind_args *args)
{
	const struct kind_ops *kind = point->cell->kind_ops;
	struct m_setup setup = {
		.tasks = point->tasks,
		.readers = config->readers,
		.slots = args->slots,
		.nodes = args->nodes,
		.mode = point->mode,
		.topology = &config->topology,
		.cpus = config->usable_cpus,
		.profile = config_is_virtual(config) ? &config->profile : NULL,
		.settings = &config->settings,
		.seed = config->seed,
		.timeout_ns = (int64_t)config_timeout_ns(config),
		.grace_ns = GRACE_NS,
	};

	if (kind->setup) {
		setup.shared_bytes = 2 * kind->shared_bytes(args);
		setup.block_bytes = 2 * kind->block_bytes(args);
	}
	if (point->cell->info->has_latency)
		setup.block_bytes += M_LATENCIES * sizeof(uint64_t) + M_LINE_PAIR_BYTES;
	return setup;
}

static int open_run(struct prepared *p, const struct m_ops *ops, const struct config *config,
		    const struct point *point, struct error *error)
{
	struct m_setup setup = prepare_setup(config, point, &p->args);

	setup.places = p->places;
	p->run = ops->open(&setup, error);
	return p->run ? 0 : -1;
}

int prepare(struct prepared *p, const struct m_ops *ops, const struct config *config,
	    const struct point *point, struct error *error)
{
	const struct cell *cell = point->cell;
	struct m_percpu latency;

	*p = (struct prepared){ .args = plan_kind_args(config, point) };
	if (cell->counter_info->has_batch &&
	    cell->kind_ops->batch(point->batch, &p->args, &p->args.batch, error) != 0)
		return -1;
	if (make_places(p, config, error) != 0 || open_run(p, ops, config, point, error) != 0)
		return -1;
	p->run->body = cell->body;
	p->run->reader = cell->reader;
	p->run->host = cell->host;
	p->run->hosted = cell;
	if (cell->kind_ops->setup) {
		p->counter = cell->kind_ops->setup(p->run, &p->args);
		p->twin = cell->kind_ops->setup(p->run, &p->args);
	}
	if (cell->info->has_latency)
		m_percpu_alloc(p->run, &latency, M_LATENCIES);
	for (unsigned int slot = 0; slot < p->run->block_count; slot++) {
		struct task *task = m_task_of(p->run, slot);

		task->counter = p->counter;
		task->size = p->args.size;
		if (cell->info->has_latency)
			task->latency = (uint64_t *)m_notes(task, &latency);
		task->reads_exact = config->read_exact;
	}
	return 0;
}

void prepare_undo(struct prepared *p, const struct m_ops *ops)
{
	if (p->run)
		ops->close(p->run);
	free(p->places);
}

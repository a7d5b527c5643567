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
	free(order);
	return result;
}

static int open_run(struct prepared *p, const struct m_ops *ops, const struct config *config,
		    const struct point *point, struct error *error)
{
	const struct kind_ops *kind = point->cell->kind_ops;
	struct m_setup setup = {
		.tasks = point->tasks,
		.readers = config->readers,
		.slots = p->args.slots,
		.mode = point->mode,
		.topology = &config->topology,
		.places = p->places,
		.cpus = config->usable_cpus,
		.settings = &config->settings,
		.seed = config->seed,
		.timeout_ns = (int64_t)config_timeout_ns(config),
		.grace_ns = GRACE_NS,
	};

	if (kind->setup) {
		setup.shared_bytes = 2 * kind->shared_bytes(&p->args);
		setup.block_bytes = 2 * kind->block_bytes(&p->args);
	}
	p->run = ops->open(&setup, error);
	return p->run ? 0 : -1;
}

int prepare(struct prepared *p, const struct m_ops *ops, const struct config *config,
	    const struct point *point, struct error *error)
{
	const struct cell *cell = point->cell;

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
	for (unsigned int slot = 0; slot < p->run->block_count; slot++) {
		struct task *task = m_task_of(p->run, slot);

		task->counter = p->counter;
		task->size = p->args.size;
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

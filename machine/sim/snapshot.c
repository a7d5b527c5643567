// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * snapshot.c - a copy of the world and of the fibers' stacks. A hold takes it and a release puts it
 * back, so that what tasks do to come to their safe points has never happened: a drained queue at
 * a lock would be measured otherwise, ten times a run.
 */
#include <stdlib.h>
#include <string.h>

#include "machine/sim/sim.h"

#if defined(__has_attribute)
#if __has_attribute(no_sanitize_address)
#define UNCHECKED __attribute__((no_sanitize_address, noinline))
#endif
#endif
#ifndef UNCHECKED
#define UNCHECKED
#endif

struct piece {
	char *from, *to; /* of the world or a stack */
};

static struct {
	char *copy;
	size_t room;
	struct piece *pieces;
	uint32_t count;
	struct task *acting;
} snapshot;

/* Stacks have places where the address sanitizer lets nobody read, memcpy included. */
static UNCHECKED void copy_words(char *to, const char *from, size_t bytes)
{
	volatile uint64_t *target = (volatile uint64_t *)to;
	const volatile uint64_t *source = (const volatile uint64_t *)from;

	for (size_t i = 0; i < bytes / sizeof(*target); i++)
		target[i] = source[i];
}

static size_t add_piece(char *from, char *to)
{
	snapshot.pieces[snapshot.count++] = (struct piece){ from, to };
	return (size_t)(to - from);
}

static size_t list_pieces(void)
{
	size_t bytes = add_piece((char *)sim, (char *)sim + sim->world_bytes);

	bytes += add_piece(sim->sharers.base,
			   sim->sharers.base + (sim->sharers.made + 1) * sim->sharers.bytes);
	bytes += add_piece(sim->queues.base,
			   sim->queues.base + (sim->queues.made + 1) * sim->queues.bytes);
	for (uint32_t id = 0; id < sim->task_cpus; id++) {
		const struct fiber *fiber = &sim->cpus[id].fiber;

		if (fiber->context)
			bytes += add_piece(fiber->context, fiber->stack + FIBER_STACK_BYTES);
	}
	return bytes;
}

bool sim_snapshot_take(void)
{
	size_t bytes, at = 0;

	snapshot.count = 0;
	if (!snapshot.pieces)
		snapshot.pieces = calloc(sim->task_cpus + 3, sizeof(*snapshot.pieces));
	if (!snapshot.pieces)
		return false;
	bytes = list_pieces();
	if (bytes > snapshot.room) {
		free(snapshot.copy);
		snapshot.copy = malloc(bytes + bytes / 4);
		snapshot.room = snapshot.copy ? bytes + bytes / 4 : 0;
	}
	for (uint32_t i = 0; i < snapshot.count && snapshot.copy; i++) {
		const struct piece *piece = &snapshot.pieces[i];

		copy_words(snapshot.copy + at, piece->from, (size_t)(piece->to - piece->from));
		at += (size_t)(piece->to - piece->from);
	}
	snapshot.acting = sim_task;
	return snapshot.copy;
}

void sim_snapshot_put_back(void)
{
	size_t at = 0;

	for (uint32_t i = 0; i < snapshot.count; i++) {
		const struct piece *piece = &snapshot.pieces[i];

		copy_words(piece->from, snapshot.copy + at, (size_t)(piece->to - piece->from));
		at += (size_t)(piece->to - piece->from);
	}
	for (uint32_t id = 0; id < sim->task_cpus; id++)
		fiber_stack_changed(&sim->cpus[id].fiber);
	sim_task = snapshot.acting;
}

void sim_snapshot_drop(void)
{
	free(snapshot.copy);
	free(snapshot.pieces);
	snapshot.copy = NULL;
	snapshot.pieces = NULL;
	snapshot.room = 0;
}

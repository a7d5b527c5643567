// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * waiting.c - m_wait_until: a CPU parks on a word and wakes when the condition turns true, not at
 * each write to its line, or a queue of n would cost n reads a hand-over.
 */
#include "machine/sim/sim.h"

static bool is_true(const struct sim_cpu *cpu)
{
	return (cpu->watched->opaque & cpu->mask) == cpu->value;
}

void sim_watch(struct sim_cpu *cpu, const m_word *word, int64_t mask, int64_t value)
{
	struct sim_line *line = sim_line_of(word);

	cpu->watched = word;
	cpu->mask = mask;
	cpu->value = value;
	cpu->state = SIM_WAIT;
	cpu->next_watcher = line->watchers;
	line->watchers = cpu->id;
}

void sim_changed(const m_word *word)
{
	struct sim_line *line = sim_line_of(word);
	int32_t *link = &line->watchers;

	while (*link >= 0) {
		struct sim_cpu *cpu = &sim->cpus[*link];

		if (cpu->watched == word && is_true(cpu)) {
			*link = cpu->next_watcher;
			sim_wake(cpu, sim->now);
		} else {
			link = &cpu->next_watcher;
		}
	}
}

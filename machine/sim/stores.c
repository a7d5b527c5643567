// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stores.c - the store buffer of each CPU: a store is posted and the CPU goes on; it takes effect
 * when its line has come, and the stores of one CPU do so in their order. A queued lock's hand-over
 * is made of stores, so without this it would take half as long again.
 */
#include "machine/sim/sim.h"

static struct sim_store *oldest(struct sim_cpu *cpu)
{
	return &cpu->stores[cpu->first_store % SIM_STORES_MAX];
}

static void drop_oldest(struct sim_cpu *cpu)
{
	cpu->first_store++;
	cpu->store_count--;
	if (cpu->state == SIM_DRAIN && (cpu->store_count == 0 || cpu->waits_for_room))
		sim_wake(cpu, sim->now);
}

/* Stores whose lines are at hand take effect at `at`; the first that is none asks for its line. */
void sim_stores_go_on(struct sim_cpu *cpu, int64_t at)
{
	while (cpu->store_count > 0) {
		struct sim_request *request = &sim->requests[cpu->id];
		struct sim_line *line;

		*request = (struct sim_request){ .word = oldest(cpu)->word,
						 .value = oldest(cpu)->value,
						 .kind = SIM_STORE };
		line = sim_line_of(request->word);
		if (line->owner == SIM_NOBODY)
			line->owner = cpu->id;
		if (!sim_may_write(line, cpu->id, at)) {
			sim_ask(request, cpu->id, at);
			return;
		}
		sim_apply(request);
		drop_oldest(cpu);
	}
}

void sim_store_arrived(struct sim_cpu *cpu)
{
	drop_oldest(cpu);
	sim_stores_go_on(cpu, sim->now);
}

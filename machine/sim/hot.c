// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * hot.c - noting what lines move for. The notes are the host's, outside of the simulated world:
 * what a hold undoes is not noted in the first place.
 */
#include "machine/sim/hot.h"

#include <stdlib.h>
#include <string.h>

#include "machine/sim/sim.h"

bool sim_hot_on;

static struct {
	bool attached;
	struct sim_hot *table; /* open addressing; at most half full */
	uint32_t room, count;  /* room is a power of two */
	int64_t began_ps, window_ps;
	uint64_t began_ops, ops;
} hot;

static void make_table(uint32_t room)
{
	hot.table = malloc(room * sizeof(*hot.table));
	CHECK(hot.table);
	memset(hot.table, 0xff, room * sizeof(*hot.table));
	hot.room = room;
}

static struct sim_hot *place_of(uint32_t word, int32_t cpu)
{
	uint64_t hash = ((uint64_t)word << 20 ^ (uint64_t)cpu) * 0x9e3779b97f4a7c15ULL;
	uint32_t at = (uint32_t)(hash >> 32) & (hot.room - 1);

	while (hot.table[at].word != UINT32_MAX &&
	       (hot.table[at].word != word || hot.table[at].cpu != cpu))
		at = (at + 1) & (hot.room - 1);
	return &hot.table[at];
}

static void grow(void)
{
	struct sim_hot *old = hot.table;
	uint32_t room = hot.room;

	make_table(2 * room);
	for (uint32_t i = 0; i < room; i++)
		if (old[i].word != UINT32_MAX)
			*place_of(old[i].word, old[i].cpu) = old[i];
	free(old);
}

static struct sim_hot *note_of(const m_word *word, const struct sim_cpu *cpu)
{
	uint32_t number = (uint32_t)(word - (const m_word *)sim->arena);
	struct sim_hot *note = place_of(number, cpu->id);

	if (note->word != UINT32_MAX)
		return note;
	if (2 * ++hot.count > hot.room) {
		grow();
		note = place_of(number, cpu->id);
	}
	*note = (struct sim_hot){ .word = number, .cpu = cpu->id };
	return note;
}

/* The part of a time since `since` that lies in the window. */
static uint64_t spent_ps(int64_t since, int64_t until)
{
	return (uint64_t)(until - sim_most(since, hot.began_ps));
}

void sim_hot_came(const struct sim_request *request, const struct sim_cpu *cpu)
{
	struct sim_hot *note;

	if (sim->holding)
		return;
	note = note_of(request->word, cpu);
	if (request->clean)
		note->clean_reads++;
	else if (request->kind == SIM_LOAD)
		note->dirty_reads++;
	else
		note->writes++;
	note->stall_ps += spent_ps(request->at, sim->now);
}

void sim_hot_waited(const m_word *word, const struct sim_cpu *cpu, int64_t since)
{
	struct sim_hot *note;

	if (sim->holding)
		return;
	note = note_of(word, cpu);
	note->waits++;
	note->wait_ps += spent_ps(since, cpu->now);
}

static uint64_t ops_so_far(const struct m_run *run)
{
	uint64_t ops = 0;

	for (unsigned int slot = 0; slot < run->setup.tasks; slot++)
		ops += m_task_of(run, slot)->ops;
	return ops;
}

static int attach(struct m_run *run, struct error *error)
{
	(void)run, (void)error;
	hot.attached = true;
	make_table(1024);
	return 0;
}

static void window(struct m_run *run, bool on)
{
	sim_hot_on = on && hot.attached;
	if (on) {
		hot.began_ps = sim->now;
		hot.began_ops = ops_so_far(run);
	} else {
		hot.window_ps += sim->now - hot.began_ps;
		hot.ops += ops_so_far(run) - hot.began_ops;
	}
}

static int in_order(const void *left, const void *right)
{
	const struct sim_hot *a = left, *b = right;

	if (a->word != b->word)
		return a->word < b->word ? -1 : 1;
	return (a->cpu > b->cpu) - (a->cpu < b->cpu);
}

/* Unused places come last, and are left out. */
struct sim_hot_all sim_hot_take(void)
{
	qsort(hot.table, hot.room, sizeof(*hot.table), in_order);
	return (struct sim_hot_all){ hot.table, hot.count, hot.ops, hot.window_ps };
}

static int report(struct m_run *run, struct m_profile *profile, struct error *error)
{
	struct sim_hot_all all = sim_hot_take();

	(void)run;
	profile->text = sim_hot_text(&all);
	profile->rows = sim_hot_rows(&all);
	if (!profile->text || !profile->rows)
		return error_set(error, "--profile: no memory for the report");
	return 0;
}

void sim_hot_drop(void)
{
	sim_hot_on = false;
	free(hot.table);
	memset(&hot, 0, sizeof(hot));
}

const struct m_profiler sim_profiler = {
	.attach = attach,
	.window = window,
	.report = report,
	.row_columns = sim_hot_columns,
	.rows_name = "lines",
};

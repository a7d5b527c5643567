// SPDX-License-Identifier: GPL-2.0-or-later
/* hot_uses.c - fields and lines of what was asked, false sharing, and who asked most. */
#include "machine/sim/hot_uses.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/sim/sim.h"

#define TOP_TASKS 3

static uint32_t line_of(uint32_t word)
{
	return (uint32_t)(word * sizeof(m_word)) >> sim->line_shift;
}

void hot_add(struct sim_hot *sum, const struct sim_hot *more)
{
	sum->writes += more->writes;
	sum->dirty_reads += more->dirty_reads;
	sum->clean_reads += more->clean_reads;
	sum->stall_ps += more->stall_ps;
	sum->waits += more->waits;
	sum->wait_ps += more->wait_ps;
}

static void begin_use(struct hot_use *use, const struct sim_field *field, uint32_t line,
		      uint32_t note)
{
	const char *start = sim->arena + ((size_t)line << sim->line_shift);

	*use = (struct hot_use){ .field = *field,
				 .line = line,
				 .is_block = field->slot >= 0,
				 .place = (size_t)(start - sim->arena),
				 .first = note };
	if (use->is_block)
		use->place = (size_t)(start - sim->run->blocks) % sim->run->stride;
}

/* Whether no task is in both; notes of a field are few, one for each word and task. */
static bool are_strangers(const struct sim_hot_all *all, const struct hot_use *a,
			  const struct hot_use *b, uint8_t *uses)
{
	bool strangers = true;

	memset(uses, 0, sim->cpu_count);
	for (uint32_t i = a->first; i < a->end; i++)
		uses[all->list[i].cpu] = 1;
	for (uint32_t i = b->first; i < b->end; i++)
		strangers &= !uses[all->list[i].cpu];
	return strangers;
}

static void mark_false(const struct sim_hot_all *all, struct hot_uses *uses, uint8_t *scratch)
{
	for (uint32_t i = 0; i < uses->count; i++) {
		for (uint32_t j = i + 1; j < uses->count; j++) {
			struct hot_use *a = &uses->list[i], *b = &uses->list[j];

			if (b->line != a->line)
				break;
			if (!(a->sum.writes || b->sum.writes) || !are_strangers(all, a, b, scratch))
				continue;
			a->is_false = b->is_false = true;
		}
	}
}

/* Notes are in the order of words, so fields come one behind the other, and lines too. */
struct hot_uses hot_uses_by_line(const struct sim_hot_all *all)
{
	struct hot_uses uses = { .list = calloc(all->count + 1, sizeof(*uses.list)) };
	uint8_t *scratch = malloc(sim->cpu_count);

	for (uint32_t i = 0; i < all->count && uses.list; i++) {
		const struct sim_hot *note = &all->list[i];
		struct sim_field field = sim_field_of((const m_word *)sim->arena + note->word);
		struct hot_use *use = uses.count ? &uses.list[uses.count - 1] : NULL;

		if (!use || use->line != line_of(note->word) || use->field.slot != field.slot ||
		    use->field.first != field.first) {
			use = &uses.list[uses.count++];
			begin_use(use, &field, line_of(note->word), i);
		}
		use->end = i + 1;
		hot_add(&use->sum, note);
	}
	if (uses.list && scratch)
		mark_false(all, &uses, scratch);
	free(scratch);
	return uses;
}

static int by_place(const void *left, const void *right)
{
	const struct hot_use *a = left, *b = right;

	if (a->is_block != b->is_block)
		return a->is_block - b->is_block;
	if (a->place != b->place)
		return a->place < b->place ? -1 : 1;
	if (a->field.first != b->field.first)
		return a->field.first < b->field.first ? -1 : 1;
	return (a->line > b->line) - (a->line < b->line);
}

struct hot_uses hot_uses_by_place(const struct sim_hot_all *all)
{
	struct hot_uses uses = hot_uses_by_line(all);

	if (uses.list)
		qsort(uses.list, uses.count, sizeof(*uses.list), by_place);
	return uses;
}

void hot_name_line(const struct hot_use *use, bool all_blocks, char text[SIM_NAME])
{
	if (!use->is_block)
		snprintf(text, SIM_NAME, "shared+%#zx",
			 use->place - (size_t)(sim->run->shared - sim->arena));
	else if (all_blocks)
		snprintf(text, SIM_NAME, "task[*]+%#zx", use->place);
	else
		snprintf(text, SIM_NAME, "task[%d]+%#zx", use->field.slot, use->place);
}

static uint64_t part_of(const struct sim_hot *note, bool writers)
{
	return writers ? note->writes : note->dirty_reads + note->clean_reads;
}

static void list_top(uint64_t *by_cpu, bool counts, char text[HOT_WHO])
{
	for (unsigned int n = 0; n < TOP_TASKS; n++) {
		size_t used = strlen(text);
		uint32_t most = 0;

		for (uint32_t cpu = 1; cpu < sim->cpu_count; cpu++)
			if (by_cpu[cpu] > by_cpu[most])
				most = cpu;
		if (!by_cpu[most])
			return;
		if (counts)
			snprintf(text + used, HOT_WHO - used, "%s%u:%llu", n ? ";" : "",
				 sim->cpus[most].task->slot, (unsigned long long)by_cpu[most]);
		else
			snprintf(text + used, HOT_WHO - used, "%s%u", n ? ", " : "",
				 sim->cpus[most].task->slot);
		by_cpu[most] = 0;
	}
}

unsigned int hot_tell_who(const struct sim_hot_all *all, const struct hot_use *first,
			  const struct hot_use *end, bool writers, bool counts, char text[HOT_WHO])
{
	uint64_t *by_cpu = calloc(sim->cpu_count, sizeof(*by_cpu));
	unsigned int count = 0;

	text[0] = '\0';
	CHECK(by_cpu);
	for (const struct hot_use *use = first; use < end; use++)
		for (uint32_t i = use->first; i < use->end; i++)
			by_cpu[all->list[i].cpu] += part_of(&all->list[i], writers);
	for (uint32_t cpu = 0; cpu < sim->cpu_count; cpu++)
		count += by_cpu[cpu] > 0;
	if (count && !counts)
		snprintf(text, HOT_WHO, "%u task%s: ", count, count == 1 ? "" : "s");
	list_top(by_cpu, counts, text);
	free(by_cpu);
	return count;
}

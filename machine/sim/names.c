// SPDX-License-Identifier: GPL-2.0-or-later
/* names.c - names of the arena's words. They are the host's, so no figure depends on them. */
#include "machine/sim/names.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "machine/sim/sim.h"

struct name {
	char text[SIM_NAME];
	size_t first, end; /* bytes, of the arena or of a block */
	bool in_block;
};

static struct {
	struct name *list;
	uint32_t count, room;
} names;

/* Of struct task: what others may wait for or write. */
#define TASK_NAME(field)                                                    \
	{                                                                   \
#field, offsetof(struct task, field),                       \
			offsetof(struct task, field) + sizeof(m_word), true \
	}
static const struct name task_names[] = { M_TASK_WORDS(TASK_NAME) };
#undef TASK_NAME

static void add(size_t first, unsigned int words, bool in_block, const char *format, va_list args)
{
	struct name *name;

	if (names.count == names.room) {
		names.room = names.room ? 2 * names.room : 64;
		names.list = reallocarray(names.list, names.room, sizeof(*names.list));
		CHECK(names.list);
	}
	name = &names.list[names.count++];
	*name = (struct name){ .first = first,
			       .end = first + words * sizeof(m_word),
			       .in_block = in_block };
	vsnprintf(name->text, sizeof(name->text), format, args);
}

void sim_name(const m_word *first, unsigned int words, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add((size_t)((const char *)first - sim->arena), words, false, format, args);
	va_end(args);
}

void sim_name_part(const struct m_percpu *percpu, unsigned int first, unsigned int words,
		   const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add((size_t)percpu->offset.opaque + first * sizeof(m_word), words, true, format, args);
	va_end(args);
}

void sim_names_drop(void)
{
	free(names.list);
	names.list = NULL;
	names.count = names.room = 0;
}

static const struct name *find(const struct name *list, uint32_t count, size_t at, bool in_block)
{
	for (uint32_t i = 0; i < count; i++)
		if (list[i].in_block == in_block && list[i].first <= at && at < list[i].end)
			return &list[i];
	return NULL;
}

struct sim_field sim_field_of(const m_word *word)
{
	const struct m_run *run = sim->run;
	size_t at = (size_t)((const char *)word - sim->arena);
	struct sim_field field = { .slot = -1, .first = at };
	const struct name *name;

	if ((const char *)word >= run->blocks) {
		at = (size_t)((const char *)word - run->blocks);
		field.slot = (int)(at / run->stride);
		field.first = at %= run->stride;
	}
	name = find(names.list, names.count, at, field.slot >= 0);
	if (!name && field.slot >= 0)
		name = find(task_names, sizeof(task_names) / sizeof(*task_names), at, true);
	field.is_named = name;
	if (name) {
		field.first = name->first;
		snprintf(field.name, sizeof(field.name), "%s", name->text);
	} else {
		snprintf(field.name, sizeof(field.name), "%s+%#zx", field.slot < 0 ? "shared" : "",
			 field.slot < 0 ? (size_t)((const char *)word - run->shared) : at);
	}
	return field;
}

void sim_name_field(const struct sim_field *field, char text[SIM_NAME])
{
	if (field->slot < 0)
		snprintf(text, SIM_NAME, "%s", field->name);
	else
		snprintf(text, SIM_NAME, "task[%d]%s%.40s", field->slot, field->is_named ? "." : "",
			 field->name);
}

void sim_name_word(const m_word *word, char text[SIM_NAME])
{
	struct sim_field field = sim_field_of(word);

	sim_name_field(&field, text);
}

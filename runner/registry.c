// SPDX-License-Identifier: GPL-2.0-or-later
/* registry.c - looking up cells, and the names and option rows that they declare. */
#include "runner/registry.h"

#include <stdlib.h>
#include <string.h>

#include "machine/check.h"

static const struct cell *const *table = cells;

void registry_use(const struct cell *const *cells_wanted)
{
	table = cells_wanted;
}

static void add(struct names *names, const char *name)
{
	for (unsigned int i = 0; i < names->count; i++)
		if (strcmp(names->name[i], name) == 0)
			return;
	CHECK(names->count < REGISTRY_NAMES);
	names->name[names->count++] = name;
	names->name[names->count] = NULL;
}

void registry_testcases(struct names *names)
{
	*names = (struct names){ .count = 0 };
	for (const struct cell *const *cell = table; *cell; cell++)
		add(names, (*cell)->testcase);
}

void registry_counters(struct names *names, const char *kind)
{
	*names = (struct names){ .count = 0 };
	for (const struct cell *const *cell = table; *cell; cell++)
		if ((*cell)->counter[0] && (!kind || strcmp((*cell)->kind, kind) == 0))
			add(names, (*cell)->counter);
}

void registry_kinds(struct names *names)
{
	*names = (struct names){ .count = 0 };
	for (const struct cell *const *cell = table; *cell; cell++)
		add(names, (*cell)->kind);
}

static bool is_wanted(const struct cell *cell, const char *counter)
{
	if (counter)
		return strcmp(cell->counter, counter) == 0;
	return cell->counter_info->is_default;
}

const struct cell *registry_find(const char *machine, const char *testcase, const char *counter)
{
	const struct cell *first = NULL;

	for (const struct cell *const *cell = table; *cell; cell++) {
		if (strcmp((*cell)->machine, machine) != 0 ||
		    strcmp((*cell)->testcase, testcase) != 0)
			continue;
		if (is_wanted(*cell, counter))
			return *cell;
		if (!first)
			first = *cell;
	}
	return counter ? NULL : first;
}

static void add_rows(struct settings *settings, const struct option_row *row)
{
	for (; row && row->name; row++) {
		unsigned int i = 0;

		while (i < settings->count && strcmp(settings->list[i].row->name, row->name) != 0)
			i++;
		if (i < settings->count)
			continue;
		settings->list =
			reallocarray(settings->list, settings->count + 1, sizeof(*settings->list));
		CHECK(settings->list);
		settings->list[settings->count++] =
			(struct setting){ .row = row, .value = row->fallback };
	}
}

void registry_settings(struct settings *settings)
{
	*settings = (struct settings){ .list = NULL };
	for (const struct cell *const *cell = table; *cell; cell++) {
		add_rows(settings, (*cell)->kind_ops->options);
		add_rows(settings, (*cell)->info->options);
	}
}

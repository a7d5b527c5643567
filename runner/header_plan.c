// SPDX-License-Identifier: GPL-2.0-or-later
/* header_plan.c - the header lines that follow from the plan. */
#include "runner/header_plan.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/registry.h"

/* A key of the line, with a comma before each number but the first. */
struct list_text {
	char text[512];
	size_t used;
};

static void add_number(struct list_text *list, const char *key, unsigned int number)
{
	size_t room = sizeof(list->text) - list->used;
	int length = list->used ? snprintf(list->text + list->used, room, ",%u", number)
				: snprintf(list->text, room, "%s=%u", key, number);

	/* A machine of so many packages shows without the last of them. */
	if (length < 0 || (size_t)length >= room)
		list->text[list->used] = '\0';
	else
		list->used += (size_t)length;
}

static bool is_new_package(const struct place *places, unsigned int task)
{
	for (unsigned int i = 0; i < task; i++)
		if (places[i].package == places[task].package)
			return false;
	return task > 0 && places[task].package >= 0;
}

static void write_places(struct output *output, const struct place *places, unsigned int tasks)
{
	struct list_text package = { "", 0 }, smt = { "", 0 }, again = { "", 0 };
	char line[sizeof(package.text) * 3 + 3];
	int used;

	for (unsigned int task = 0; task < tasks; task++) {
		if (is_new_package(places, task))
			add_number(&package, "package", task + 1);
		if (places[task].sibling > 0 && !smt.used)
			add_number(&smt, "smt", task + 1);
		if (places[task].round > 0 && !again.used)
			add_number(&again, "again", task + 1);
	}
	used = snprintf(line, sizeof(line), "%s %s %s", package.text, smt.text, again.text);
	while (used > 0 && line[used - 1] == ' ')
		line[--used] = '\0';
	if (used > 0)
		output_header(output, "places", line + strspn(line, " "));
}

static void write_counts(struct output *output, const struct plan *plan)
{
	struct names kinds = { 0 };
	char line[128];

	registry_kinds(&kinds);
	for (unsigned int i = 0; i < kinds.count; i++)
		for (size_t at = 0; at < plan->count; at++) {
			const struct cell *cell = plan->points[at].cell;

			if (strcmp(cell->kind, kinds.name[i]) != 0 || !cell->kind_ops->unit)
				continue;
			snprintf(line, sizeof(line), "%s %s", kinds.name[i], cell->kind_ops->unit);
			output_header(output, "counts", line);
			break;
		}
}

void header_plan_write(struct output *output, const struct config *config, const struct plan *plan)
{
	unsigned int tasks = config->tasks[config->task_count - 1];
	struct place *places = calloc(tasks, sizeof(*places));
	struct error error;

	if (places && config->placement != PLACEMENT_NONE &&
	    placement_make(&config->topology, config->placement, config->cpus, tasks, places,
			   &error) == 0)
		write_places(output, places, tasks);
	free(places);
	write_counts(output, plan);
}

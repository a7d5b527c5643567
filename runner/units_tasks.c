// SPDX-License-Identifier: GPL-2.0-or-later
/* units_tasks.c - a list of task counts on the command line: 1,2,4 or 1..144:8 or 50% or all. */
#include "runner/units.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "machine/check.h"
#include "runner/units_scan.h"

/* What an item of a task list stands for: first..last with a step, a number being first..first. */
struct range {
	uint64_t first, last, step;
};

/* Takes a number, or `all` where allowed. */
static bool take_end(const char **text, unsigned int all, uint64_t *value)
{
	if (strncmp(*text, "all", 3) != 0)
		return take_whole(text, value);
	*text += 3;
	*value = all;
	return true;
}

static bool take_percent(const char **text, unsigned int all, uint64_t *value)
{
	const char *at = *text;
	double percent, tasks;

	if (!take_decimal(&at, &percent) || *at != '%')
		return false;
	*text = at + 1;
	tasks = round(all * percent / 100);
	if (percent > 0 && tasks < 1)
		tasks = 1;
	*value = tasks < UINT32_MAX ? (uint64_t)tasks : UINT64_MAX;
	return true;
}

/* Moves *text behind the item; false when the item makes no sense. */
static bool take_item(const char **text, unsigned int all, struct range *range)
{
	range->step = 1;
	if (take_percent(text, all, &range->first)) {
		range->last = range->first;
		return true;
	}
	if (!take_end(text, all, &range->first))
		return false;
	range->last = range->first;
	if (strncmp(*text, "..", 2) != 0)
		return true;
	*text += 2;
	if (!take_end(text, all, &range->last))
		return false;
	if (**text != ':')
		return true;
	++*text;
	return take_whole(text, &range->step);
}

/* Sets wanted[] for the counts of one item of `length` characters. */
static int add_item(const char *item, size_t length, unsigned int all, unsigned int max,
		    bool *wanted, struct error *error)
{
	const char *at = item;
	struct range range;

	if (length == 0)
		return error_set(error, "an item of the task list is empty: give counts as 1,2,4");
	if (!take_item(&at, all, &range) || at != item + length)
		return error_set(error,
				 "%s is not a task count: give a number, 1..144:8, 50%% or all",
				 shown(item, length).text);
	if (range.step == 0)
		return error_set(error, "%s has a step of 0: give 1 or more, as 1..144:8",
				 shown(item, length).text);
	if (range.first > range.last)
		return error_set(error, "%s runs backwards: give the smaller end first, as 1..8",
				 shown(item, length).text);
	if (range.first < 1)
		return error_set(error, "%s asks for 0 tasks: give 1 to %u",
				 shown(item, length).text, max);
	if (range.last > max)
		return error_set(error, "%s asks for more tasks than the limit: give 1 to %u",
				 shown(item, length).text, max);
	for (uint64_t count = range.first; count <= range.last; count++) {
		if (count % range.step == 0 || count == range.first || count == range.last)
			wanted[count] = true;
	}
	return 0;
}

/* The numbers of the set flags as an allocated array; NULL without memory. */
static unsigned int *collect(const bool *wanted, unsigned int max, size_t *n)
{
	unsigned int *tasks;
	size_t count = 0;

	for (size_t i = 1; i <= max; i++)
		count += wanted[i];
	tasks = calloc(count, sizeof(*tasks));
	if (!tasks)
		return NULL;
	*n = 0;
	for (size_t i = 1; i <= max; i++) {
		if (wanted[i])
			tasks[(*n)++] = (unsigned int)i;
	}
	return tasks;
}

int units_tasks(const char *text, unsigned int all, unsigned int max, unsigned int **tasks,
		size_t *n, struct error *error)
{
	unsigned int *list;
	const char *item = text;
	bool *wanted;
	int result = 0;

	CHECK(max >= 1);
	wanted = calloc((size_t)max + 1, sizeof(*wanted));
	while (wanted && result == 0) {
		size_t length = strcspn(item, ",");

		result = add_item(item, length, all, max, wanted, error);
		item += length;
		if (!*item++)
			break;
	}
	list = wanted && result == 0 ? collect(wanted, max, n) : NULL;
	free(wanted);
	if (result < 0)
		return result;
	if (!list)
		return error_set(error, "no memory for a list of up to %u task counts", max);
	*tasks = list;
	return 0;
}

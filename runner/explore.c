// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * explore.c - the search: each cell of the plan on one schedule for each seed, until a seed fails.
 * That seed alone shows it again.
 */
#include "runner/explore.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/check.h"
#include "runner/registry.h"
#include "runner/schedule.h"

#define MACHINE "8c16t"
#define TASKS "2,3,4"
#define TIMEOUT_NS 20000000000ULL /* of one schedule, which takes a millisecond */

int explore_defaults(struct config *config, struct error *error)
{
	if (config->words.count < 2)
		return error_set(error, "explore what? Give a testcase, as `./runtest explore "
					"null1`");
	if (config->repeat > 1 || config->output || config->duration_given ||
	    config->warmup_given || config->take_profile)
		return error_set(error, "explore measures nothing: --repeat, --output, "
					"--duration, --warmup and --profile are of runs");
	free((void *)config->words.item[0]);
	config->words.count--;
	memmove(config->words.item, config->words.item + 1,
		config->words.count * sizeof(*config->words.item));
	/* This host runs one schedule, its own; a simulated machine runs any. */
	if (strcmp(config->machine, "native") == 0)
		config->machine = MACHINE;
	if (!config->tasks_text)
		config->tasks_text = TASKS;
	/* As many slots as tasks: with idle ones no error would come near its bound. */
	if (config->cpu_count == 0)
		config->cpu_count = 1;
	if (config->seeds == 0)
		config->seeds = EXPLORE_SEEDS;
	if (config->timeout_ns == 0)
		config->timeout_ns = TIMEOUT_NS;
	return 0;
}

/* The points of one cell, which differ in what the command line gave: tasks, batches. */
struct search {
	const struct config *config;
	const struct cell *cell;
	const struct point **points;
	unsigned int count;
	uint64_t schedules, checks, places;
};

static void name_cell(const struct cell *cell, char *text, size_t size)
{
	snprintf(text, size, "%s%s%s", cell->testcase, cell->counter[0] ? " " : "", cell->counter);
}

/* The command as it was typed, with this counter and seed instead of what it said of them. */
static void tell_again(const struct search *search, uint64_t seed)
{
	static const char *const said[] = { "--counter", "-c", "--seed", "--seeds" };
	char command[sizeof(search->config->command)];
	char *rest = command;
	bool skip = false;

	snprintf(command, sizeof(command), "%s", search->config->command);
	printf("  again:");
	for (char *word; (word = strsep(&rest, " "));) {
		bool is_said = false;

		for (unsigned int i = 0; i < sizeof(said) / sizeof(*said); i++) {
			size_t length = strlen(said[i]);

			if (strncmp(word, said[i], length) == 0 && strchr("=", word[length]))
				is_said = true;
		}
		if (!is_said && !skip)
			printf(" %s", word);
		skip = is_said && !strchr(word, '=');
	}
	if (search->cell->counter[0])
		printf(" --counter=%s", search->cell->counter);
	printf(" --seed=%llu --seeds=1\n", (unsigned long long)seed);
}

static void tell_failure(const struct search *search, const struct schedule *schedule,
			 uint64_t seed)
{
	char name[128], shape[512];

	name_cell(search->cell, name, sizeof(name));
	schedule_describe(schedule, shape, sizeof(shape));
	printf("%s: seed %llu fails: %s\n  with %s\n", name, (unsigned long long)seed,
	       schedule->reason.text, shape);
	tell_again(search, seed);
}

static enum m_event run_seed(struct search *search, uint64_t seed)
{
	struct schedule schedule = { .random = seed };
	enum m_event event;

	schedule.point = *search->points[schedule_below(&schedule, search->count)];
	schedule_draw(&schedule, search->config, seed);
	event = schedule_run(&schedule);
	search->schedules++;
	search->checks += schedule.checks;
	search->places += schedule.points;
	if (event == M_FAILED)
		tell_failure(search, &schedule, seed);
	schedule_free(&schedule);
	return event;
}

static enum m_event run_cell(struct search *search)
{
	const struct config *config = search->config;
	enum m_event event = M_OK;
	char name[128];

	name_cell(search->cell, name, sizeof(name));
	if (config->dry_run) {
		printf("%s: %u schedules\n", name, config->seeds);
		return M_OK;
	}
	for (uint64_t n = 0; n < config->seeds && event == M_OK; n++) {
		event = run_seed(search, config->seed + n);
		if (event == M_OK && config->ops->interrupted())
			event = M_INTERRUPTED;
	}
	if (event == M_OK)
		printf("%s: nothing found in %llu schedules (%llu checks, %llu scheduling "
		       "points)\n",
		       name, (unsigned long long)search->schedules,
		       (unsigned long long)search->checks, (unsigned long long)search->places);
	fflush(stdout);
	return event;
}

/* Those of the plan's points that are of the cell and can be run. */
static unsigned int points_of(const struct plan *plan, const struct cell *cell,
			      const struct point **points, const char **why_not)
{
	unsigned int count = 0;

	*why_not = NULL;
	for (size_t i = 0; i < plan->count; i++) {
		if (plan->points[i].cell != cell)
			continue;
		if (plan->points[i].skip)
			*why_not = plan->points[i].skip;
		else
			points[count++] = &plan->points[i];
	}
	return count;
}

static int by_tasks(const void *left, const void *right)
{
	const struct point *a = left, *b = right;
	int order = strcmp(a->cell->testcase, b->cell->testcase);

	if (order == 0)
		order = strcmp(a->cell->counter, b->cell->counter);
	if (order == 0)
		order = (a->tasks > b->tasks) - (a->tasks < b->tasks);
	return order ? order : strcmp(a->batch, b->batch);
}

static int search_all(const struct config *config, struct plan *plan)
{
	const struct point **points = calloc(plan->count + 1, sizeof(*points));
	unsigned int found = 0, searched = 0;
	enum m_event event = M_OK;

	CHECK(points);
	/* The plan's own order is by the seed, which is another for each search. */
	qsort(plan->points, plan->count, sizeof(*plan->points), by_tasks);
	for (size_t i = 0; i < plan->count && event != M_INTERRUPTED; i++) {
		struct search search = { .config = config,
					 .cell = plan->points[i].cell,
					 .points = points };
		const char *why_not;

		if (i && plan->points[i - 1].cell == search.cell)
			continue;
		search.count = points_of(plan, search.cell, points, &why_not);
		if (search.count == 0) {
			printf("%s %s: skipped: %s\n", search.cell->testcase, search.cell->counter,
			       why_not);
			continue;
		}
		event = run_cell(&search);
		searched++;
		found += event != M_OK;
	}
	free(points);
	if (event == M_INTERRUPTED)
		return 128 + config->ops->interrupted();
	return found || !searched;
}

int explore(const struct config *config)
{
	struct plan plan;
	struct error error;
	int status;

	if (plan_make(config, &plan, &error) != 0) {
		fprintf(stderr, "runtest: %s\n", error.text);
		plan_free(&plan);
		return 2;
	}
	printf("explore on %s, seeds %llu to %llu\n", config->machine_name,
	       (unsigned long long)config->seed,
	       (unsigned long long)(config->seed + config->seeds - 1));
	status = search_all(config, &plan);
	plan_free(&plan);
	return status;
}

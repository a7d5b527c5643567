// SPDX-License-Identifier: GPL-2.0-or-later
/* plan.c - making the plan and its order. */
#include "runner/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counters/batch.h"
#include "machine/check.h"
#include "runner/kernel.h"
#include "runner/measure.h"
#include "runner/registry.h"
#include "runner/suggest.h"
#include "runner/units.h"
#include "runner/wis/compat.h"

const char *const mode_names[] = { [M_PROCESS] = "process", [M_THREAD] = "thread" };

struct kind_args plan_kind_args(const struct config *config, const struct point *point)
{
	return (struct kind_args){
		.settings = &config->settings,
		.memory_bytes = (int64_t)config->memory_bytes,
		.cpus = config->cpu_count,
		.tasks = point->tasks,
		.slots = point->tasks > config->cpu_count ? point->tasks : config->cpu_count,
		.nodes = config->nodes,
		.size = config->size ? (int64_t)config->size : point->cell->info->size,
	};
}

static int unknown(const char *what, const char *name, const struct names *names,
		   struct error *error)
{
	const char *nearest = suggest(name, names->name, names->count);

	return error_set(error, "unknown %s '%.60s'%s%s%s", what, name,
			 nearest ? ", did you mean " : "; see ./runtest list",
			 nearest ? nearest : "", nearest ? "?" : "");
}

static bool contains(const struct names *names, const char *name)
{
	for (unsigned int i = 0; i < names->count; i++)
		if (strcmp(names->name[i], name) == 0)
			return true;
	return false;
}

static int add(struct plan *plan, const struct point *point, struct error *error)
{
	if (plan->count == PLAN_POINTS)
		return error_set(error,
				 "the plan has more than %d points: give fewer tasks, batches "
				 "or repeats",
				 PLAN_POINTS);
	/* Grown by half, so that a long plan is not copied for each of its points. */
	if ((plan->count & (plan->count - 1)) == 0) {
		size_t room = plan->count ? plan->count * 2 : 1;

		plan->points = reallocarray(plan->points, room, sizeof(*plan->points));
		CHECK(plan->points);
	}
	plan->points[plan->count++] = *point;
	return 0;
}

/* What the testcase itself says of that; a constant text, or NULL. */
static const char *cannot_run(const struct config *config, const struct point *point)
{
	const struct kind_args args = plan_kind_args(config, point);

	return point->cell->info->cannot_run ? point->cell->info->cannot_run(&args) : NULL;
}

static const char *too_many(const struct config *config, unsigned int tasks)
{
	if (!config_is_virtual(config) || tasks + config->readers <= config->usable_cpus)
		return NULL;
	return "more tasks and readers than CPUs: a simulated machine has no scheduler";
}

/* All task counts, modes and repeats of one cell and batch. */
static int add_runs(struct plan *plan, const struct config *config, struct point point,
		    struct error *error)
{
	const struct cell *cell = point.cell;
	const char *skip;

	for (unsigned int mode = M_PROCESS; mode <= M_THREAD; mode <<= 1) {
		if (!(config->modes & mode))
			continue;
		point.mode = (enum m_mode)mode;
		skip = NULL;
		if (!(cell->info->modes & mode))
			skip = cell->info->mode_reason;
		else if (config->readers && !cell->kind_ops->read)
			skip = "there is no counter to read";
		else if (mode == M_THREAD && config_is_virtual(config))
			skip = config_no_threads;
		for (size_t i = 0; i < config->task_count; i++) {
			point.tasks = config->tasks[i];
			point.skip = skip ? skip : too_many(config, point.tasks);
			if (!point.skip)
				point.skip = cannot_run(config, &point);
			for (point.repeat = 1; point.repeat <= config->repeat; point.repeat++)
				if (add(plan, &point, error) != 0)
					return -1;
		}
	}
	return 0;
}

/* All values of the knobs from `id` on, with those before it as they are in the point. */
static int add_knobs(struct plan *plan, const struct config *config, struct point point, int id,
		     struct error *error)
{
	const struct list *values;

	if (id == KNOBS)
		return add_runs(plan, config, point, error);
	values = &config->knobs[id];
	if (values->count == 0)
		return add_knobs(plan, config, point, id + 1, error);
	for (unsigned int i = 0; i < values->count; i++) {
		point.knob[id] = values->item[i];
		if (add_knobs(plan, config, point, id + 1, error) != 0)
			return -1;
	}
	return 0;
}

static int add_batches(struct plan *plan, const struct config *config, const struct cell *cell,
		       struct error *error)
{
	static const char *const own = "default";
	const char *const *item = config->batches.count ? config->batches.item : &own;
	unsigned int count = config->batches.count ? config->batches.count : 1;
	struct point probe = { .cell = cell, .tasks = 1 };
	struct kind_args args = plan_kind_args(config, &probe);
	struct batch_spec spec;

	for (unsigned int i = 0; i < count && cell->kind_ops->batch; i++)
		if (cell->kind_ops->batch(item[i], &args, &args.batch, error) != 0)
			return -1;
	/* A kind without batches takes any, but not what is none. */
	for (unsigned int i = 0; i < count && !cell->kind_ops->batch; i++)
		if (batch_parse(item[i], INT64_MAX, &spec, error) != 0)
			return -1;
	probe.batch = "";
	if (!cell->counter_info->has_batch)
		return add_knobs(plan, config, probe, 0, error);
	for (unsigned int i = 0; i < count; i++) {
		probe.batch = item[i];
		if (add_knobs(plan, config, probe, 0, error) != 0)
			return -1;
	}
	return 0;
}

static bool is_all(const struct list *list)
{
	return list->count == 1 && strcmp(list->item[0], "all") == 0;
}

static int add_testcase(struct plan *plan, const struct config *config, const char *testcase,
			bool *used, struct error *error)
{
	const struct cell *own = registry_find(config->ops->name, testcase, NULL);
	struct names all;
	const char *const *item = config->counters.item;
	unsigned int count = config->counters.count;

	registry_counters(&all, own->kind);
	if (all.count == 0 || count == 0)
		return add_batches(plan, config, own, error);
	if (is_all(&config->counters)) {
		item = all.name;
		count = all.count;
	}
	for (unsigned int i = 0; i < count; i++) {
		const struct cell *cell = registry_find(config->ops->name, testcase, item[i]);

		if (!cell)
			continue;
		if (!is_all(&config->counters))
			used[i] = true;
		if (add_batches(plan, config, cell, error) != 0)
			return -1;
	}
	return 0;
}

static void append_names(char *text, size_t size, const struct names *names)
{
	for (unsigned int i = 0; i < names->count; i++) {
		size_t used = strlen(text);

		snprintf(text + used, size - used, "%s%s", i ? ", " : "", names->name[i]);
	}
	if (names->count == 0)
		snprintf(text + strlen(text), size - strlen(text), "no counter");
}

/* A counter of another kind than any testcase's: says what would be of theirs. */
static int fits_none(const struct config *config, const char *counter, struct error *error)
{
	char right[200] = "";
	struct names told = { .count = 0 };

	for (unsigned int i = 0; i < config->words.count; i++) {
		const struct cell *cell = registry_find("native", config->words.item[i], NULL);
		size_t used = strlen(right);
		struct names all;

		if (contains(&told, cell->kind))
			continue;
		told.name[told.count++] = cell->kind;
		registry_counters(&all, cell->kind);
		snprintf(right + used, sizeof(right) - used, "; %.40s has ", config->words.item[i]);
		append_names(right, sizeof(right), &all);
	}
	return error_set(error, "counter '%.40s' fits none of the testcases named%s", counter,
			 right);
}

/* Every counter named must exist and fit one of the testcases. */
static int check_counters(const struct config *config, const bool *used, struct error *error)
{
	struct names all;

	registry_counters(&all, NULL);
	if (is_all(&config->counters))
		return 0;
	for (unsigned int i = 0; i < config->counters.count; i++) {
		if (!contains(&all, config->counters.item[i]))
			return unknown("counter", config->counters.item[i], &all, error);
		if (!used[i])
			return fits_none(config, config->counters.item[i], error);
	}
	return 0;
}

uint64_t plan_random(uint64_t *state)
{
	uint64_t value = *state += 0x9e3779b97f4a7c15ULL; /* splitmix64 */

	value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9ULL;
	value = (value ^ value >> 27) * 0x94d049bb133111ebULL;
	return value ^ value >> 31;
}

static void shuffle(struct point *points, size_t count, uint64_t *state)
{
	for (size_t left = count; left > 1; left--) {
		size_t chosen = plan_random(state) % left;
		struct point last = points[left - 1];

		points[left - 1] = points[chosen];
		points[chosen] = last;
	}
}

static int by_tasks(const void *left, const void *right)
{
	const struct point *a = left, *b = right;

	if (a->tasks != b->tasks)
		return a->tasks < b->tasks ? -1 : 1;
	return a->mode != b->mode ? (int)a->mode - (int)b->mode : (int)a->repeat - (int)b->repeat;
}

static void order(struct plan *plan, uint64_t seed)
{
	size_t singles = 0;

	for (size_t i = 0; i < plan->count; i++) {
		if (plan->points[i].tasks == 1) {
			struct point point = plan->points[i];

			plan->points[i] = plan->points[singles];
			plan->points[singles++] = point;
		}
	}
	shuffle(plan->points, singles, &seed);
	shuffle(plan->points + singles, plan->count - singles, &seed);
}

int plan_make(const struct config *config, struct plan *plan, struct error *error)
{
	bool used[LIST_ITEMS] = { false };
	struct names all;

	*plan = (struct plan){ .points = NULL };
	registry_testcases(&all);
	for (unsigned int i = 0; i < config->words.count; i++) {
		if (!contains(&all, config->words.item[i]))
			return unknown("testcase", config->words.item[i], &all, error);
		if (add_testcase(plan, config, config->words.item[i], used, error) != 0)
			return -1;
	}
	if (check_counters(config, used, error) != 0)
		return -1;
	if (config->format != FORMAT_WIS) {
		order(plan, config->seed);
		return 0;
	}
	/* Its lines hold both modes, so that they can be written as the plan goes on. */
	qsort(plan->points, plan->count, sizeof(*plan->points), by_tasks);
	return wis_check_plan(plan, error);
}

void plan_free(struct plan *plan)
{
	free(plan->points);
}

uint64_t plan_longest_ns(const struct plan *plan, const struct config *config)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < plan->count; i++)
		if (!plan->points[i].skip)
			ns += config->duration_ns + measure_longest_warmup_ns(config);
	return ns;
}

void plan_print(const struct plan *plan, const struct config *config)
{
	char longest[UNITS_TEXT];

	printf("%-4s %-12s %-16s %-8s %-8s %5s %6s\n", "", "testcase", "counter", "batch", "mode",
	       "tasks", "repeat");
	for (size_t i = 0; i < plan->count; i++) {
		const struct point *point = &plan->points[i];
		char kernel[96];

		kernel_describe(point, kernel, sizeof(kernel));
		printf("%-4zu %-12s %-16s %-8s %-8s %5u %6u%s%s%s%s\n", i + 1,
		       point->cell->testcase, point->cell->counter, point->batch,
		       mode_names[point->mode], point->tasks, point->repeat,
		       kernel[0] ? "  kernel: " : "", kernel, point->skip ? "  skipped: " : "",
		       point->skip ? point->skip : "");
	}
	units_format_ns(plan_longest_ns(plan, config), longest, sizeof(longest));
	printf("%zu point%s, at most %s%s%s\n", plan->count, plan->count == 1 ? "" : "s", longest,
	       config_is_virtual(config) ? " of simulated time" : "",
	       config->precision_pct > 0 ? " (less where --precision stops a point early)" : "");
}

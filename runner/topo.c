// SPDX-License-Identifier: GPL-2.0-or-later
/* topo.c - the `topo` subcommand: where each task would be placed, and why, for people. */
#include "runner/topo.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "machine/check.h"

enum column {
	COLUMN_TASK,
	COLUMN_PU,
	COLUMN_CORE,
	COLUMN_PACKAGE,
	COLUMN_CACHE,
	COLUMN_NODE,
	COLUMN_KIND,
	COLUMN_WHY,
	COLUMN_COUNT,
};

static const char *const headings[COLUMN_COUNT] = {
	"task", "PU", "core", "package", "cache", "node", "kind", "why",
};

struct row {
	char cell[COLUMN_COUNT][128];
};

struct table {
	const struct topology *topology;
	enum placement placement;
	const struct place *places;
	unsigned int tasks;
	struct row *rows;
	unsigned int count;
};

/* Tasks first, first + step, ... last: one line of the table. */
struct run {
	unsigned int first;
	unsigned int last;
	unsigned int step;
};

/* "3", "0-17", "0-34:2"; "-" where it is not known. */
static void set_range(char *cell, int first, int last, int count)
{
	size_t size = sizeof(((struct row *)NULL)->cell[0]);
	int step = count > 1 ? (last - first) / (count - 1) : 0;

	if (first < 0)
		snprintf(cell, size, "-");
	else if (step == 0)
		snprintf(cell, size, "%d", first);
	else if (step == 1)
		snprintf(cell, size, "%d-%d", first, last);
	else
		snprintf(cell, size, "%d-%d:%d", first, last, step);
}

static void set_cache(const struct table *table, const struct place *place, char *cell)
{
	hwloc_topology_t hwloc = table->topology->hwloc;
	hwloc_obj_t cache = NULL;

	if (place->pu >= 0)
		cache = topology_last_cache(hwloc_get_pu_obj_by_os_index(hwloc, place->pu));
	if (cache)
		snprintf(cell, sizeof(((struct row *)NULL)->cell[0]), "L%u#%d",
			 cache->attr->cache.depth, place->cache);
	else
		set_range(cell, -1, -1, 1);
}

static void set_why(const struct table *table, const struct run *run, char *cell, size_t size)
{
	struct place place = table->places[run->first];
	const char *order = table->placement == PLACEMENT_SPREAD ? "; packages in turn" : "";

	if (run->first == run->last || place.pu < 0) {
		placement_reason(&place, table->placement, cell, size);
		return;
	}
	if (place.core < 0)
		snprintf(cell, size, "PUs by themselves: no cores are known");
	else if (place.sibling == 0)
		snprintf(cell, size, "first PU of each core%s", order);
	else if (table->placement == PLACEMENT_PU)
		snprintf(cell, size, "SMT sibling %d of each core", place.sibling);
	else
		snprintf(cell, size, "SMT sibling %d of each core; all cores are taken",
			 place.sibling);
	if (place.round > 0)
		snprintf(cell, size, "all PUs are taken, task %d on each", place.round + 1);
}

static void add_row(struct table *table, const struct run *run)
{
	struct row *row = &table->rows[table->count++];
	const struct place *first = &table->places[run->first];
	const struct place *last = &table->places[run->last];
	int count = run->step ? (run->last - run->first) / run->step + 1 : 1;

	set_range(row->cell[COLUMN_TASK], run->first, run->last, count);
	set_range(row->cell[COLUMN_PU], first->pu, last->pu, count);
	set_range(row->cell[COLUMN_CORE], first->core, last->core, count);
	set_range(row->cell[COLUMN_PACKAGE], first->package, last->package, count);
	set_cache(table, first, row->cell[COLUMN_CACHE]);
	set_range(row->cell[COLUMN_NODE], first->pu < 0 ? -1 : first->node, last->node, count);
	set_range(row->cell[COLUMN_KIND], first->kind, last->kind, count);
	set_why(table, run, row->cell[COLUMN_WHY], sizeof(row->cell[0]));
}

/* Whether two tasks may share a line: all but the task, the PU and the core is the same. */
static bool alike(const struct place *a, const struct place *b)
{
	return a->package == b->package && a->cache == b->cache && a->node == b->node &&
	       a->kind == b->kind && a->sibling == b->sibling && a->round == b->round &&
	       (a->core < 0) == (b->core < 0);
}

/* The longest regular run of tasks not yet shown that begins with `first`. */
static struct run find_run(const struct table *table, const bool *shown, unsigned int first)
{
	struct run run = { first, first, 0 };
	const struct place *places = table->places;
	int pu_step = 0;
	int core_step = 0;
	unsigned int task;

	for (task = first + 1; task < table->tasks; task++) {
		if (shown[task] || !alike(&places[first], &places[task]))
			continue;
		if (run.step == 0) {
			run.step = task - first;
			pu_step = places[task].pu - places[first].pu;
			core_step = places[task].core - places[first].core;
		} else if (task - run.last != run.step ||
			   places[task].pu - places[run.last].pu != pu_step ||
			   places[task].core - places[run.last].core != core_step) {
			break;
		}
		run.last = task;
	}
	return run;
}

static int fill(struct table *table, struct error *error)
{
	bool fold = table->tasks > TOPO_FOLD_TASKS || table->placement == PLACEMENT_NONE;
	bool *shown = calloc(table->tasks, sizeof(*shown));
	unsigned int task, other;

	if (!shown)
		return error_set(error, "out of memory for %u tasks", table->tasks);
	for (task = 0; task < table->tasks; task++) {
		struct run run = { task, task, 0 };

		if (shown[task])
			continue;
		if (fold)
			run = find_run(table, shown, task);
		for (other = run.first; other <= run.last; other += run.step ? run.step : 1)
			shown[other] = true;
		add_row(table, &run);
	}
	free(shown);
	return 0;
}

static bool is_hybrid(const struct table *table)
{
	unsigned int task;

	for (task = 0; task < table->tasks; task++)
		if (table->places[task].kind >= 0)
			return true;
	return false;
}

static void print_rows(FILE *out, const struct table *table)
{
	bool hybrid = is_hybrid(table);
	int width[COLUMN_COUNT];
	unsigned int row;
	int column;

	for (column = 0; column < COLUMN_COUNT; column++) {
		width[column] = strlen(headings[column]);
		for (row = 0; row < table->count; row++)
			if ((int)strlen(table->rows[row].cell[column]) > width[column])
				width[column] = strlen(table->rows[row].cell[column]);
	}
	for (row = 0; row <= table->count; row++) {
		for (column = 0; column < COLUMN_WHY; column++)
			if (hybrid || column != COLUMN_KIND)
				fprintf(out, "%*s  ", width[column],
					row ? table->rows[row - 1].cell[column] : headings[column]);
		fprintf(out, "%s\n", row ? table->rows[row - 1].cell[column] : headings[column]);
	}
}

static void print_head(FILE *out, const struct table *table, unsigned int pus)
{
	static const char *const meaning[PLACEMENT_COUNT] = {
		[PLACEMENT_CORE] = "one task a core, first package first; SMT siblings last",
		[PLACEMENT_PU] = "all PUs of a core before the next core",
		[PLACEMENT_SPREAD] = "packages in turn, then shared caches; SMT siblings last",
		[PLACEMENT_NONE] = "tasks are not bound",
	};
	uint64_t memory = topology_memory_bytes(table->topology);
	char text[256];

	topology_describe(table->topology, text, sizeof(text));
	fprintf(out, "%s: %s", table->topology->this_host ? "this host" : "machine described",
		text);
	if (memory)
		fprintf(out, ", %.1f GiB of memory", memory / (double)(1ULL << 30));
	fprintf(out, "\nplacement %s: %s%s\n", placement_names[table->placement],
		meaning[table->placement],
		is_hybrid(table) && table->placement != PLACEMENT_PU ? "; fast kinds before slow"
								     : "");
	fprintf(out, "%u task%s on %u PU%s", table->tasks, table->tasks == 1 ? "" : "s", pus,
		pus == 1 ? "" : "s");
	if (table->tasks > pus)
		fprintf(out, ": from task %u on, PUs are used more than once", pus);
	fprintf(out, "\n\n");
}

int topo_print(FILE *out, const struct topology *topology, enum placement placement,
	       hwloc_const_bitmap_t cpus, unsigned int tasks, struct error *error)
{
	unsigned int pus =
		cpus ? (unsigned int)hwloc_bitmap_weight(cpus) : topology_usable_pus(topology);
	struct table table = { .topology = topology, .placement = placement };
	struct place *places;
	int result = -1;

	/* Also an empty list of CPUs is for placement_make() to refuse. */
	table.tasks = tasks ? tasks : pus;
	places = calloc(table.tasks + 1, sizeof(*places));
	table.rows = calloc(table.tasks + 1, sizeof(*table.rows));
	table.places = places;
	if (!places || !table.rows) {
		error_set(error, "out of memory for %u tasks", table.tasks);
		goto out;
	}
	if (placement_make(topology, placement, cpus, table.tasks, places, error))
		goto out;
	if (fill(&table, error))
		goto out;
	print_head(out, &table, pus);
	print_rows(out, &table);
	result = 0;
out:
	free(places);
	free(table.rows);
	return result;
}

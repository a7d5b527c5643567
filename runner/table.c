// SPDX-License-Identifier: GPL-2.0-or-later
/* table.c - the table for people. */
#include "runner/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "machine/check.h"

#define CELL_TEXT 48
#define CELLS 16

struct cell_column {
	const char *title;
	bool to_the_left;
	void (*write)(const struct row *row, char *text, size_t size);
};

void table_add(struct table *table, const struct row *row)
{
	struct result *result = malloc(sizeof(*result));

	table->rows = reallocarray(table->rows, table->count + 1, sizeof(*table->rows));
	CHECK(table->rows && result);
	*result = *row->result;
	table->rows[table->count] = *row;
	table->rows[table->count].result = result;
	table->rows[table->count].phase = &result->phase[row->phase - row->result->phase];
	table->count++;
}

void table_free(struct table *table)
{
	for (size_t i = 0; i < table->count; i++)
		free((void *)table->rows[i].result);
	free(table->rows);
}

/* 1234567.8 as 1,234,568: digits in threes, as many as fit. */
static void grouped(char *text, size_t size, double value)
{
	char plain[32];
	int digits = snprintf(plain, sizeof(plain), "%.0f", value);
	size_t used = 0;

	for (int i = 0; i < digits && used + 2 < size; i++) {
		if (i && (digits - i) % 3 == 0)
			text[used++] = ',';
		text[used++] = plain[i];
	}
	text[used] = '\0';
}

static bool measured(const struct row *row)
{
	return row->result->status == STATUS_OK;
}

static bool counted(const struct row *row)
{
	return measured(row) && !row->point->cell->counter_info->counts_nothing;
}

static void write_testcase(const struct row *row, char *text, size_t size)
{
	snprintf(text, size, "%s", row->point->cell->testcase);
}

static void write_counter(const struct row *row, char *text, size_t size)
{
	snprintf(text, size, "%s", row->point->cell->counter[0] ? row->point->cell->counter : "-");
}

static void write_batch(const struct row *row, char *text, size_t size)
{
	char *rest;

	text[0] = '\0';
	if (!measured(row) || row->phase->batch_used < 0)
		snprintf(text, size, "%s", row->point->batch);
	else if (strtoll(row->point->batch, &rest, 10) == row->phase->batch_used && !*rest)
		snprintf(text, size, "%lld", (long long)row->phase->batch_used);
	else
		snprintf(text, size, "%s=%lld", row->point->batch,
			 (long long)row->phase->batch_used);
}

static void write_policy(const struct row *row, char *text, size_t size)
{
	snprintf(text, size, "%s", row->phase->policy ? row->phase->policy : "");
}

static void write_mode(const struct row *row, char *text, size_t size)
{
	snprintf(text, size, "%s", mode_names[row->point->mode]);
}

static void write_tasks(const struct row *row, char *text, size_t size)
{
	snprintf(text, size, "%u", row->point->tasks);
}

static void write_ops(const struct row *row, char *text, size_t size)
{
	static const char *const words[] = { "", "FAILED", "skipped" };

	if (measured(row))
		grouped(text, size, row->phase->ops_per_sec);
	else
		snprintf(text, size, "%s", words[row->result->status]);
}

/* Half the width of the 95 % interval in percent of the median. */
static void write_spread(const struct row *row, char *text, size_t size)
{
	double half = (row->phase->ops_high - row->phase->ops_low) / 2;

	text[0] = '\0';
	if (measured(row) && !isnan(half) && row->phase->ops_per_sec > 0)
		snprintf(text, size, "%.1f%%", 100 * half / row->phase->ops_per_sec);
}

static void write_speedup(const struct row *row, char *text, size_t size)
{
	text[0] = '\0';
	if (measured(row) && !isnan(row->speedup))
		snprintf(text, size, "%.2f", row->speedup);
}

static void write_efficiency(const struct row *row, char *text, size_t size)
{
	text[0] = '\0';
	if (measured(row) && !isnan(row->speedup))
		snprintf(text, size, "%.0f%%", 100 * row_efficiency(row));
}

/* The slowest task's rate in percent of the fastest's. */
static void write_fairness(const struct row *row, char *text, size_t size)
{
	text[0] = '\0';
	if (measured(row) && row->point->tasks > 1 && row->phase->task_max > 0)
		snprintf(text, size, "%.0f%%", 100 * row->phase->task_min / row->phase->task_max);
}

static void write_locks(const struct row *row, char *text, size_t size)
{
	const struct totals *totals = &row->phase->totals;

	text[0] = '\0';
	if (counted(row) && totals->ops)
		snprintf(text, size, "%.2f", (double)totals->acquisitions / (double)totals->ops);
}

static void write_wait(const struct row *row, char *text, size_t size)
{
	text[0] = '\0';
	if (counted(row))
		snprintf(text, size, "%.1f%%", totals_wait_pct(&row->phase->totals));
}

static void write_error(const struct row *row, char *text, size_t size)
{
	char bound[32];

	text[0] = '\0';
	if (!counted(row) || row->phase->error_max < 0)
		return;
	grouped(bound, sizeof(bound), (double)row->phase->error_bound);
	grouped(text, size, (double)row->phase->error_max);
	snprintf(text + strlen(text), size - strlen(text), "/%s", bound);
}

static void write_read(const struct row *row, char *text, size_t size)
{
	text[0] = '\0';
	if (counted(row) && !isnan(row->phase->read_ns))
		snprintf(text, size, "%.0f/%.0f", row->phase->read_ns, row->phase->sum_ns);
}

static const struct cell_column table_columns[] = {
	{ "testcase", true, write_testcase }, { "counter", true, write_counter },
	{ "batch", true, write_batch },	      { "policy", true, write_policy },
	{ "mode", true, write_mode },	      { "tasks", false, write_tasks },
	{ "ops/s", false, write_ops },	      { "+-95%", false, write_spread },
	{ "speedup", false, write_speedup },  { "effic.", false, write_efficiency },
	{ "min/max", false, write_fairness }, { "locks/op", false, write_locks },
	{ "wait", false, write_wait },	      { "error/bound", false, write_error },
	{ "read/sum ns", false, write_read },
};

#define COLUMNS (sizeof(table_columns) / sizeof(table_columns[0]))
_Static_assert(COLUMNS <= CELLS, "room for every column");

/* Phases of one point stay together: the first one's batch decides where. */
static int64_t first_batch(const struct row *row)
{
	return row->result->phase[0].batch_used;
}

static int phase_number(const struct row *row)
{
	return (int)(row->phase - row->result->phase);
}

static int by_series(const void *left, const void *right)
{
	const struct row *a = left, *b = right;
	int order = strcmp(a->point->cell->testcase, b->point->cell->testcase);

	if (order == 0)
		order = strcmp(a->point->cell->counter, b->point->cell->counter);
	if (order == 0)
		order = (first_batch(a) > first_batch(b)) - (first_batch(a) < first_batch(b));
	if (order == 0)
		order = strcmp(a->point->batch, b->point->batch);
	if (order == 0)
		order = (int)a->point->mode - (int)b->point->mode;
	if (order == 0)
		order = (a->point->tasks > b->point->tasks) - (a->point->tasks < b->point->tasks);
	if (order == 0)
		order = (int)a->point->repeat - (int)b->point->repeat;
	if (order == 0)
		order = phase_number(a) - phase_number(b);
	return order;
}

static void print_reasons(const struct table *table, FILE *out)
{
	for (size_t i = 0; i < table->count; i++) {
		const struct row *row = &table->rows[i];

		if (!measured(row))
			fprintf(out, "%s %s %s %s, %u %s: %s: %s\n", row->point->cell->testcase,
				row->point->cell->counter, row->point->batch,
				mode_names[row->point->mode], row->point->tasks,
				row->point->tasks == 1 ? "task" : "tasks",
				row->result->status == STATUS_FAILED ? "FAILED" : "skipped",
				row->result->reason.text);
	}
}

void table_print(struct table *table, FILE *out)
{
	size_t width[CELLS] = { 0 };
	char text[CELL_TEXT];

	qsort(table->rows, table->count, sizeof(*table->rows), by_series);
	/* A column with nothing in it is left out. */
	for (size_t c = 0; c < COLUMNS; c++) {
		for (size_t i = 0; i < table->count; i++) {
			table_columns[c].write(&table->rows[i], text, sizeof(text));
			width[c] = strlen(text) > width[c] ? strlen(text) : width[c];
		}
		if (width[c] > 0 && width[c] < strlen(table_columns[c].title))
			width[c] = strlen(table_columns[c].title);
	}
	for (size_t i = 0; i <= table->count; i++) {
		for (size_t c = 0; c < COLUMNS; c++) {
			if (width[c] == 0)
				continue;
			if (i == 0)
				snprintf(text, sizeof(text), "%s", table_columns[c].title);
			else
				table_columns[c].write(&table->rows[i - 1], text, sizeof(text));
			fprintf(out, "%*s%s",
				table_columns[c].to_the_left ? -(int)width[c] : (int)width[c], text,
				c + 1 < COLUMNS ? "  " : "");
		}
		fputc('\n', out);
	}
	print_reasons(table, out);
}

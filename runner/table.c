// SPDX-License-Identifier: GPL-2.0-or-later
/* table.c - the table for people. */
#include "runner/table.h"

#include <stdlib.h>
#include <string.h>

#include "machine/check.h"
#include "runner/table_columns.h"

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
	for (int id = 0; id < KNOBS && order == 0; id++)
		order = strcmp(a->point->knob[id] ? a->point->knob[id] : "",
			       b->point->knob[id] ? b->point->knob[id] : "");
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

		if (row->result->status != STATUS_OK)
			fprintf(out, "%s %s %s %s, %u %s: %s: %s\n", row->point->cell->testcase,
				row->point->cell->counter, row->point->batch,
				mode_names[row->point->mode], row->point->tasks,
				row->point->tasks == 1 ? "task" : "tasks",
				row->result->status == STATUS_FAILED ? "FAILED" : "skipped",
				row->result->reason.text);
	}
}

/* Width of a column, 0 when it has nothing to say or says the same in all rows (then `shared`). */
static size_t measure_column(const struct table *table, const struct table_column *column,
			     char *shared)
{
	char text[TABLE_TEXT];
	bool same = column->shared;
	size_t width = 0;

	shared[0] = '\0';
	for (size_t i = 0; i < table->count; i++) {
		column->write(&table->rows[i], text, sizeof(text));
		if (!text[0])
			continue;
		width = strlen(text) > width ? strlen(text) : width;
		same = same && (!shared[0] || strcmp(shared, text) == 0);
		memcpy(shared, text, sizeof(text));
	}
	if (!same)
		shared[0] = '\0';
	if (same || width == 0)
		return 0;
	return width < strlen(column->title) ? strlen(column->title) : width;
}

/* One line: the titles for row NULL. Blanks at its end are left out. */
static void print_line(FILE *out, const struct row *row, const size_t *width)
{
	size_t blanks = 0;
	char text[TABLE_TEXT];

	for (size_t c = 0; table_columns[c].title; c++) {
		size_t length;

		if (width[c] == 0)
			continue;
		if (row)
			table_columns[c].write(row, text, sizeof(text));
		else
			snprintf(text, sizeof(text), "%s", table_columns[c].title);
		length = strlen(text);
		if (!table_columns[c].left)
			blanks += width[c] - length;
		if (length)
			fprintf(out, "%*s%s", (int)blanks, "", text);
		else
			length = 0;
		blanks = (length ? 0 : blanks) + 2;
		if (table_columns[c].left)
			blanks += width[c] - length;
	}
	fputc('\n', out);
}

void table_print(struct table *table, FILE *out)
{
	size_t width[TABLE_COLUMNS] = { 0 };
	char shared[TABLE_TEXT];
	unsigned int said = 0;

	if (table->count == 0)
		return;
	qsort(table->rows, table->count, sizeof(*table->rows), by_series);
	for (size_t c = 0; table_columns[c].title; c++) {
		CHECK(c < TABLE_COLUMNS);
		width[c] = measure_column(table, &table_columns[c], shared);
		if (width[c] == 0 && shared[0])
			fprintf(out, "%s%s: %s", said++ ? ", " : "", table_columns[c].title,
				shared);
	}
	fputs(said ? "\n" : "", out);
	print_line(out, NULL, width);
	for (size_t i = 0; i < table->count; i++)
		print_line(out, &table->rows[i], width);
	print_reasons(table, out);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * rows.c - results as runtest.py prints them. Readers go by position and by character class: names
 * in lower case, plain numbers without sign or exponent. What was not measured is 0, never -1,
 * which would make them drop the whole line.
 */
#include <string.h>

#include "runner/wis/compat.h"

static int mode_index(const struct row *row)
{
	return row->point->mode == M_PROCESS ? 0 : 1;
}

static double mean(double sum, unsigned int count)
{
	return count ? sum / count : 0;
}

int wis_check_plan(const struct plan *plan, struct error *error)
{
	for (size_t i = 1; i < plan->count; i++)
		if (plan->points[i].cell != plan->points[0].cell ||
		    strcmp(plan->points[i].batch, plan->points[0].batch) != 0)
			return error_set(error, "--format=will-it-scale has room for one testcase "
						"with one counter and one batch");
	return 0;
}

void wis_rows_begin(FILE *file)
{
	fputs("tasks,processes,processes_idle,threads,threads_idle,linear\n0,0,100,0,100,0\n",
	      file);
}

void wis_rows_end(struct wis_rows *rows, FILE *file)
{
	double rate[2], idle[2];

	if (!rows->tasks)
		return;
	for (int mode = 0; mode < 2; mode++) {
		rate[mode] = mean(rows->rate[mode], rows->count[mode]);
		idle[mode] = mean(rows->idle[mode], rows->count[mode]);
		if (rows->tasks == 1 && rate[mode] > rows->single)
			rows->single = rate[mode];
	}
	fprintf(file, "%u,%.0f,%.2f,%.0f,%.2f,%.0f\n", rows->tasks, rate[0], idle[0], rate[1],
		idle[1], rows->single * rows->tasks);
	*rows = (struct wis_rows){ .single = rows->single };
}

void wis_rows_add(struct wis_rows *rows, const struct row *row, FILE *file)
{
	int mode = mode_index(row);

	if (rows->tasks != row->point->tasks)
		wis_rows_end(rows, file);
	rows->tasks = row->point->tasks;
	if (row->result->status != STATUS_OK)
		return;
	rows->rate[mode] += row->phase->ops_per_sec;
	rows->idle[mode] += row->phase->idle_pct > 0 ? row->phase->idle_pct : 0;
	rows->count[mode]++;
}

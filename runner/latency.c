// SPDX-License-Identifier: GPL-2.0-or-later
/* latency.c - histograms of latencies: percentiles, and the file beside the rows. */
#include "runner/latency.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

double latency_percentile(const uint64_t *counts, double percent)
{
	uint64_t total = 0;
	double rank, below = 0;

	for (unsigned int i = 0; i < M_LATENCIES; i++)
		total += counts[i];
	if (total == 0)
		return NAN;
	rank = (double)total * percent / 100;
	for (unsigned int i = 0; i < M_LATENCIES; i++) {
		double low = i ? ldexp(1, (int)i) : 0;
		double high = ldexp(1, (int)i + 1);

		if (counts[i] && below + (double)counts[i] >= rank)
			return low + (high - low) * (rank - below) / (double)counts[i];
		below += (double)counts[i];
	}
	return NAN;
}

bool latency_in_plan(const struct plan *plan)
{
	for (size_t i = 0; i < plan->count; i++)
		if (plan->points[i].cell->info->has_latency && !plan->points[i].skip)
			return true;
	return false;
}

void latency_open(struct output *output, const struct output *rows)
{
	*output = (struct output){ .format = FORMAT_CSV, .failed = true };
	if (strcmp(rows->path, "-") == 0)
		fprintf(stderr, "runtest: with --output=- the latency histograms have no file: "
				"their percentiles are in the rows\n");
	else
		output_open_beside(output, rows, ".latency.csv");
}

void latency_begin(struct output *output)
{
	if (output->failed)
		return;
	fputs("schema,run_id,machine,testcase,counter,batch,mode,tasks,repeat,phase,low_ns,high_ns,"
	      "count\n",
	      output->file);
	output_flush(output);
}

void latency_row(struct output *output, const struct row *row)
{
	const struct point *point = row->point;
	const uint64_t *counts = row->phase->totals.latency;

	if (output->failed || row->result->status != STATUS_OK || !point->cell->info->has_latency)
		return;
	for (unsigned int i = 0; i < M_LATENCIES; i++)
		if (counts[i])
			fprintf(output->file,
				"%d,%s,%s,%s,%s,%s,%s,%u,%u,%d,%.0f,%.0f,%" PRIu64 "\n", ROW_SCHEMA,
				row->context->run_id, point->cell->machine, point->cell->testcase,
				point->cell->counter, point->batch, mode_names[point->mode],
				point->tasks, point->repeat,
				(int)(row->phase - row->result->phase) + 1,
				i ? ldexp(1, (int)i) : 0, ldexp(1, (int)i + 1), counts[i]);
	output_flush(output);
}

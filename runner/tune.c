// SPDX-License-Identifier: GPL-2.0-or-later
/* tune.c - finding the smallest batch that is large enough. */
#include "runner/tune.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "counters/overcommit.h"
#include "machine/check.h"
#include "runner/units.h"

#define BATCH_MOST \
	((int64_t)1 << 26) /* 256 GiB of pages: nothing is charged at once that is more */
#define NEAR_ENOUGH 1.05   /* between two batches, where no size of a charge decides */

static bool is_allowed(const struct tune *tune, int64_t batch)
{
	char text[24];
	int64_t used;
	struct error error;

	snprintf(text, sizeof(text), "%" PRId64, batch);
	return batch >= 1 && tune->cell->kind_ops->batch(text, &tune->args, &used, &error) == 0;
}

static void add_candidate(struct tune *tune, int64_t batch)
{
	unsigned int at = tune->candidate_count;

	if (!is_allowed(tune, batch) ||
	    tune->candidate_count == sizeof(tune->candidates) / sizeof(tune->candidates[0]))
		return;
	while (at > 0 && tune->candidates[at - 1] > batch)
		at--;
	if (at > 0 && tune->candidates[at - 1] == batch)
		return;
	memmove(&tune->candidates[at + 1], &tune->candidates[at],
		(tune->candidate_count - at) * sizeof(tune->candidates[0]));
	tune->candidates[at] = batch;
	tune->candidate_count++;
}

/*
 * Powers of two; the kernel's own batch; and the size of a charge, since what is charged at once
 * either reaches the batch or stays below it: the first batch above is where a curve may jump.
 */
static void make_candidates(struct tune *tune)
{
	int64_t own = 1, pages = tune->args.size / PAGE_BYTES, most;
	struct error error;

	tune->cell->kind_ops->batch("default", &tune->args, &own, &error);
	most = 16 * (own > pages ? own : pages);
	for (int64_t batch = 1; batch <= most && batch <= BATCH_MOST; batch *= 2)
		add_candidate(tune, batch);
	add_candidate(tune, own);
	add_candidate(tune, tune->cell->counter_info->batch_limit);
	if (pages) {
		add_candidate(tune, pages);
		add_candidate(tune, pages + 1);
	}
}

static int check_command(const struct config *config, const struct plan *plan, struct error *error)
{
	const struct cell *cell = plan->points[0].cell;

	if (config->batches.count)
		return error_set(error, "tune finds the batch: leave --batch out");
	if (!cell->counter_info->has_batch)
		return error_set(error,
				 "tune needs a counter that takes a batch, and %s of %s has "
				 "none; see ./runtest list",
				 cell->counter[0] ? cell->counter : "no counter", cell->testcase);
	if (plan->count > 1)
		return error_set(error,
				 "tune takes one testcase, counter, mode and task count, not "
				 "%zu points",
				 plan->count);
	if (plan->points[0].skip)
		return error_set(error, "%s: %s", cell->testcase, plan->points[0].skip);
	return 0;
}

static void add_point(struct tune *tune, struct plan *plan, int64_t batch)
{
	struct tune_point *next = &tune->points[tune->count++];

	*next = (struct tune_point){ .batch = batch, .rate = NAN };
	snprintf(next->text, sizeof(next->text), "%" PRId64, batch);
	if (tune->count > 1)
		plan->points[plan->count++] = plan->points[0];
	plan->points[plan->count - 1].batch = next->text;
}

int tune_begin(struct tune *tune, struct config *config, struct plan *plan, struct error *error)
{
	struct point first;

	/* All of its CPUs, unless told otherwise: that is where a batch matters. */
	if (!config->tasks_text) {
		config->tasks[0] = config->tasks[config->task_count - 1];
		config->task_count = 1;
	}
	config->repeat = 1;
	if (plan_make(config, plan, error) != 0 || check_command(config, plan, error) != 0)
		return -1;
	first = plan->points[0];
	/* Rows point into the plan: it must not move when it grows. */
	plan->points = reallocarray(plan->points, TUNE_POINTS, sizeof(*plan->points));
	CHECK(plan->points);
	*tune = (struct tune){ .config = config, .cell = first.cell };
	tune->args = plan_kind_args(config, &first);
	make_candidates(tune);
	tune->enough = tune->candidates[tune->candidate_count - 1];
	add_point(tune, plan, tune->enough);
	return 0;
}

/* The middle one of the candidates that may still be the answer; 0: there are none. */
static int64_t middle_candidate(const struct tune *tune)
{
	unsigned int first = 0, end;

	while (first < tune->candidate_count && tune->candidates[first] <= tune->too_small)
		first++;
	for (end = first; end < tune->candidate_count; end++)
		if (tune->candidates[end] >= tune->enough)
			break;
	return first == end ? 0 : tune->candidates[first + (end - first) / 2];
}

/* Where to look next; 0: the answer is known. */
static int64_t next_batch(const struct tune *tune)
{
	int64_t batch = middle_candidate(tune);

	if (batch || tune->enough <= tune->too_small + 1)
		return batch;
	if ((double)tune->enough <= NEAR_ENOUGH * (double)tune->too_small)
		return 0;
	batch = (int64_t)sqrt((double)tune->enough * (double)tune->too_small);
	return batch > tune->too_small ? batch : tune->too_small + 1;
}

void tune_next(struct tune *tune, struct plan *plan, const struct result *result)
{
	struct tune_point *point = &tune->points[tune->count - 1];
	const struct phase *phase = &result->phase[0];
	double least = tune->points[0].rate * (1 - tune->config->within_pct / 100);
	int64_t batch;

	if (result->status != STATUS_OK) {
		tune->stopped = true;
		return;
	}
	point->rate = phase->ops_per_sec;
	point->bound = phase->error_bound;
	point->locks = phase->totals.ops
			       ? (double)phase->totals.acquisitions / (double)phase->totals.ops
			       : 0;
	if (tune->count == 1 || point->rate >= least)
		tune->enough = point->batch;
	else
		tune->too_small = point->batch;
	batch = next_batch(tune);
	if (batch && tune->count < TUNE_POINTS)
		add_point(tune, plan, batch);
}

static int by_batch(const void *left, const void *right)
{
	const struct tune_point *a = left, *b = right;

	return a->batch < b->batch ? -1 : a->batch > b->batch;
}

static void print_curve(const struct tune *tune, const struct tune_point *points,
			unsigned int count, FILE *out)
{
	double ceiling = tune->points[0].rate;

	fprintf(out, "\n%12s %16s %11s %10s %16s\n", "batch", "ops/s", "of ceiling", "locks/op",
		"error bound");
	for (unsigned int i = 0; i < count; i++)
		fprintf(out, "%12" PRId64 " %16.0f %10.1f%% %10.2f %16" PRId64 "%s\n",
			points[i].batch, points[i].rate, 100 * points[i].rate / ceiling,
			points[i].locks, points[i].bound,
			points[i].batch == tune->enough ? "  <" : "");
}

void tune_report(const struct tune *tune, FILE *out)
{
	struct tune_point sorted[TUNE_POINTS];
	unsigned int count = tune->count - (isnan(tune->points[tune->count - 1].rate) ? 1 : 0);
	const char *unit = tune->cell->kind_ops->unit ? tune->cell->kind_ops->unit : "counts";
	const struct tune_point *answer = NULL;
	int64_t own = 0;
	struct error error;

	if (count == 0)
		return;
	memcpy(sorted, tune->points, count * sizeof(sorted[0]));
	qsort(sorted, count, sizeof(sorted[0]), by_batch);
	print_curve(tune, sorted, count, out);
	if (tune->stopped || isnan(tune->points[tune->count - 1].rate))
		return;
	for (unsigned int i = 0; i < count; i++)
		if (sorted[i].batch == tune->enough)
			answer = &sorted[i];
	tune->cell->kind_ops->batch("default", &tune->args, &own, &error);
	fprintf(out,
		"\n%s with %u tasks: --batch=%" PRId64
		" is the smallest within %g %% of the ceiling, "
		"in %u points.\nA cheap read may then be off by %" PRId64
		" %s. The default here is "
		"%" PRId64 ".\n",
		tune->cell->testcase, tune->args.tasks, answer->batch, tune->config->within_pct,
		count, answer->bound, unit, own);
}

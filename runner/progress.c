// SPDX-License-Identifier: GPL-2.0-or-later
/* progress.c - one line on a terminal. Written between points only: it must not disturb a run. */
#include "runner/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define BAR 20

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

void progress_begin(struct progress *progress, const struct config *config, const struct plan *plan)
{
	*progress = (struct progress){ .points = plan->count, .began_ns = now_ns() };
	progress->shown = config->progress == PROGRESS_ALWAYS ||
			  (config->progress == PROGRESS_AUTO && isatty(STDERR_FILENO));
	progress->longest_ns = plan->count ? plan_longest_ns(plan, config) / plan->count : 0;
}

/* Until a tenth of the first point has run its longest is all there is to go by; then the mean. */
static int64_t left_s(const struct progress *progress)
{
	double done = (double)progress->done + progress->part;
	double each = (double)progress->longest_ns;

	if (done > 0.1)
		each = (double)(now_ns() - progress->began_ns) / done;
	return (int64_t)(each * ((double)progress->points - done) / 1e9 + 0.5);
}

static void show(const struct progress *progress)
{
	const struct point *point = progress->point;
	double done = ((double)progress->done + progress->part) / (double)progress->points;
	int64_t left = left_s(progress);

	if (!progress->shown)
		return;
	fprintf(stderr, "\r\033[K[");
	for (unsigned int i = 0; i < BAR; i++)
		fputc(i < done * BAR ? '#' : '.', stderr);
	fprintf(stderr, "] %zu/%zu  %s%s%s%s%s, %u %s  %lld:%02lld left", progress->done + 1,
		progress->points, point->cell->testcase, point->cell->counter[0] ? " " : "",
		point->cell->counter, point->batch[0] ? " " : "", point->batch, point->tasks,
		point->tasks == 1 ? "task" : "tasks", (long long)left / 60, (long long)left % 60);
	fflush(stderr);
}

void progress_point(struct progress *progress, const struct point *point)
{
	progress->point = point;
	progress->part = 0;
	show(progress);
}

void progress_part(struct progress *progress, double part)
{
	progress->part = part;
	show(progress);
}

void progress_done(struct progress *progress)
{
	progress->done++;
	progress->part = 0;
}

void progress_clear(const struct progress *progress)
{
	if (progress->shown)
		fprintf(stderr, "\r\033[K");
}

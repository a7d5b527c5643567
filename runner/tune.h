/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tune.h - which batch should this machine have? The smallest whose throughput is near that of the
 * largest, found by bisection: points are added to the plan one by one, each where the last result
 * says.
 */
#ifndef RUNNER_TUNE_H
#define RUNNER_TUNE_H

#include <stdio.h>

#include "runner/measure.h"
#include "runner/plan.h"

#define TUNE_POINTS 20 /* at most */

struct tune_point {
	int64_t batch;
	char text[24]; /* the same, as it stands in --batch */
	double rate;
	int64_t bound; /* of the cheap read's error */
	double locks;  /* an operation */
};

struct tune {
	const struct config *config;
	const struct cell *cell;
	struct kind_args args;
	int64_t candidates[128]; /* ascending */
	unsigned int candidate_count;
	struct tune_point points[TUNE_POINTS]; /* in the order of the runs */
	unsigned int count;
	int64_t too_small; /* the largest batch known to be; 0: none */
	int64_t enough;	   /* the smallest known to be */
	bool stopped;	   /* a point has failed */
};

/*
 * Makes a plan of one point, the largest batch. -1 with the error set when the command does not
 * name one testcase, one counter with a batch and one task count.
 */
int tune_begin(struct tune *tune, struct config *config, struct plan *plan, struct error *error);
/* Takes a result, and adds the next point to the plan unless the answer is known. */
void tune_next(struct tune *tune, struct plan *plan, const struct result *result);
/* Prints the curve by batch, and the answer with what it costs in read error. */
void tune_report(const struct tune *tune, FILE *out);

#endif

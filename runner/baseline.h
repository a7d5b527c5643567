/* SPDX-License-Identifier: GPL-2.0-or-later */
/* baseline.h - the 1-task rates of each series: what speed-up and efficiency are measured by. */
#ifndef RUNNER_BASELINE_H
#define RUNNER_BASELINE_H

#include "runner/plan.h"

struct baseline {
	const struct point *point;
	unsigned int phase;
	double rate;
};

struct baselines {
	struct baseline *list;
	size_t count;
};

void baselines_add(struct baselines *baselines, const struct point *point, unsigned int phase,
		   double rate);
/* Median of the 1-task repeats of the point's series; NAN when there are none. */
double baselines_rate(const struct baselines *baselines, const struct point *point,
		      unsigned int phase);
void baselines_free(struct baselines *baselines);

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
/* baseline.c - the 1-task rates of each series. */
#include "runner/baseline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "machine/check.h"
#include "runner/kernel.h"
#include "runner/stats.h"

static bool same_series(const struct baseline *baseline, const struct point *point,
			unsigned int phase)
{
	return baseline->phase == phase && baseline->point->cell == point->cell &&
	       baseline->point->mode == point->mode &&
	       strcmp(baseline->point->batch, point->batch) == 0 &&
	       kernel_is_same(baseline->point, point);
}

void baselines_add(struct baselines *baselines, const struct point *point, unsigned int phase,
		   double rate)
{
	baselines->list =
		reallocarray(baselines->list, baselines->count + 1, sizeof(*baselines->list));
	CHECK(baselines->list);
	baselines->list[baselines->count++] = (struct baseline){ point, phase, rate };
}

double baselines_rate(const struct baselines *baselines, const struct point *point,
		      unsigned int phase)
{
	double *rates = malloc((baselines->count + 1) * sizeof(*rates));
	size_t count = 0;
	double median;

	CHECK(rates);
	for (size_t i = 0; i < baselines->count; i++)
		if (same_series(&baselines->list[i], point, phase))
			rates[count++] = baselines->list[i].rate;
	median = stats_median(rates, count);
	free(rates);
	return median;
}

void baselines_free(struct baselines *baselines)
{
	free(baselines->list);
}

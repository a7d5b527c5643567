// SPDX-License-Identifier: GPL-2.0-or-later
/* stats.c - the median of a few repeats, its 95 % interval and quantiles. */
#include "runner/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "machine/check.h"

#define ONE_SIDED_95 1.645 /* of the normal distribution */
#define ROUNDING 1e-12

static int compare(const void *left, const void *right)
{
	double a = *(const double *)left;
	double b = *(const double *)right;

	return (a > b) - (a < b);
}

/* A sorted copy that the caller frees, or NULL: no values, a NaN among them, or no memory. */
static double *sorted_copy(const double *values, size_t n)
{
	double *copy;

	if (n == 0)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		if (isnan(values[i]))
			return NULL;
	}
	copy = calloc(n, sizeof(*copy));
	if (!copy)
		return NULL;
	memcpy(copy, values, n * sizeof(*copy));
	qsort(copy, n, sizeof(*copy), compare);
	return copy;
}

double stats_median(const double *values, size_t n)
{
	double *sorted = sorted_copy(values, n);
	double median;

	if (!sorted)
		return NAN;
	/* Halves first: the sum of two large values could overflow. */
	if (n % 2)
		median = sorted[n / 2];
	else
		median = sorted[n / 2 - 1] / 2 + sorted[n / 2] / 2;
	free(sorted);
	return median;
}

double stats_quantile(const double *values, size_t n, double q)
{
	double *sorted;
	double position, part, quantile;
	size_t below;

	CHECK(q >= 0 && q <= 1);
	sorted = sorted_copy(values, n);
	if (!sorted)
		return NAN;
	position = (double)(n - 1) * q;
	below = (size_t)position;
	part = position - (double)below;
	quantile = sorted[below];
	/* Without a part there may be no next value, and infinity times 0 would be NaN. */
	if (part > 0)
		quantile = quantile * (1 - part) + sorted[below + 1] * part;
	free(sorted);
	return quantile;
}

/*
 * The largest k with P(Binomial(n, 1/2) < k) <= 0.025, 0 when there is none. In logarithms, since
 * (1/2)^n underflows from n = 1075 on.
 */
static size_t interval_rank(size_t n)
{
	double log_p = -(double)n * log(2); /* of exactly k values below the median */
	double below = 0;
	size_t k;

	for (k = 0; k < n; k++) {
		below += exp(log_p);
		if (below > 0.025)
			break;
		log_p += log((double)(n - k) / (double)(k + 1));
	}
	return k;
}

int stats_median_interval(const double *values, size_t n, double *low, double *high)
{
	double *sorted;
	size_t k;

	if (n < STATS_INTERVAL_MIN)
		return -1;
	sorted = sorted_copy(values, n);
	if (!sorted)
		return -1;
	k = interval_rank(n);
	CHECK(k >= 1 && k <= n - k + 1);
	*low = sorted[k - 1];
	*high = sorted[n - k];
	free(sorted);
	return 0;
}

bool stats_follow_each_other(const double *values, size_t n)
{
	double mean = 0, own = 0, next = 0;

	if (n < 3)
		return false;
	for (size_t i = 0; i < n; i++)
		mean += values[i] / (double)n;
	for (size_t i = 0; i < n; i++) {
		own += (values[i] - mean) * (values[i] - mean);
		next += i + 1 < n ? (values[i] - mean) * (values[i + 1] - mean) : 0;
	}
	/* Values that are all the same may differ from their mean, by rounding. */
	if (own <= (double)n * pow(mean * ROUNDING, 2))
		return false;
	return next / own > ONE_SIDED_95 / sqrt((double)n);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stats.h - the median of a few repeats, its 95 % interval and quantiles. Pure functions: the
 * values are in any unit and any order and are not modified; the results are in the same unit.
 *
 * A NaN among the values has no place in an order, so it is never sorted in: the result is NAN (or
 * -1), as it is when memory for a sorted copy is short. Infinities sort as numbers.
 */
#ifndef RUNNER_STATS_H
#define RUNNER_STATS_H

#include <stdbool.h>
#include <stddef.h>

/* Fewer values than this cannot cover the median with 95 %: n = 5 reaches 93.75 %. */
#define STATS_INTERVAL_MIN 6

/* The middle value, with an even n the mean of the middle two. NAN for n == 0. */
double stats_median(const double *values, size_t n);

/*
 * The value below which the part q (0 to 1, CHECKed) lies: 0 is the smallest, 1 the largest,
 * between two values in a straight line, at position (n - 1) * q. NAN for n == 0. It is type 7 of
 * Hyndman and Fan, "Sample Quantiles in Statistical Packages", 1996: the default of R and NumPy.
 */
double stats_quantile(const double *values, size_t n, double q);

/*
 * The 95 % interval of the median by order statistics, free of any assumption on the distribution:
 * from the k-th smallest to the k-th largest value with the largest k for which
 * 1 - 2 * P(Binomial(n, 1/2) < k) is at least 0.95 (David and Nagaraja, Order Statistics, 7.1).
 * n = 6 gives the whole range, n = 30 the ranks 10 and 21; the coverage is never below 95 %.
 * Returns 0, or -1 with neither set: n is below STATS_INTERVAL_MIN, or a value is NaN.
 */
int stats_median_interval(const double *values, size_t n, double *low, double *high);

/*
 * Whether each value tells something about the next: their autocorrelation at lag 1 is above what
 * independent ones have in 95 of 100 cases, 1.645 / sqrt(n) (Box and Jenkins, Time Series Analysis,
 * 2.1.6). False where all are the same or n is below 3.
 */
bool stats_follow_each_other(const double *values, size_t n);

#endif

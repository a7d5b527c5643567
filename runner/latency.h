/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * latency.h - histograms of latencies, of testcases that note them: percentiles for the rows, and
 * the file beside the rows' that has a line for each bucket. Any testcase may have one; none is
 * known here by name.
 */
#ifndef RUNNER_LATENCY_H
#define RUNNER_LATENCY_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/task.h"
#include "runner/output.h"

/*
 * The latency in ns that so many percent of all do not exceed, from the counts of M_LATENCIES
 * buckets (see m_latency()): exact to its bucket, and in a straight line within. NAN: no counts.
 */
double latency_percentile(const uint64_t *counts, double percent);

/* Whether some point of the plan notes latencies. */
bool latency_in_plan(const struct plan *plan);

/*
 * Opens FILE.latency.csv beside the rows' FILE.csv; the caller writes its header lines, then
 * latency_begin() its columns. With rows on standard output there is none, which is said.
 */
void latency_open(struct output *output, const struct output *rows);
void latency_begin(struct output *output);
/* A line for each bucket of the row that is not empty. */
void latency_row(struct output *output, const struct row *row);

#endif

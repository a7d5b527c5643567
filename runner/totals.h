/* SPDX-License-Identifier: GPL-2.0-or-later */
/* totals.h - what all counting tasks together have done since the gate. */
#ifndef RUNNER_TOTALS_H
#define RUNNER_TOTALS_H

#include <stdint.h>

#include "counters/kind.h"
#include "machine/run.h"

struct totals {
	uint64_t ops, charges, refused, spills;
	uint64_t acquisitions, contended;
	uint64_t site_wait_ns[M_SITES];
	uint64_t latency[M_LATENCIES]; /* see m_latency(); all 0 where none is noted */
	int64_t elapsed_ns;	       /* tasks x time, without what they were held */
};

/* Exact when all tasks are held at safe points or have finished; readers are not counted. */
struct totals totals_take(struct m_run *run, const struct kind_ops *kind, void *counter,
			  int64_t now_ns);
/* What has come between two of them. */
struct totals totals_between(const struct totals *from, const struct totals *to);
/* Percent of tasks x time that was spent waiting for locks at one site, or at all of them. */
double totals_site_pct(const struct totals *totals, unsigned int site);
double totals_wait_pct(const struct totals *totals);

#endif

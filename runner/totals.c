// SPDX-License-Identifier: GPL-2.0-or-later
/* totals.c - what all counting tasks together have done since the gate. */
#include "runner/totals.h"

#include <math.h>

static void add_task(struct totals *totals, const struct task *task, int64_t now_ns)
{
	int64_t until = task->stop_ns ? task->stop_ns : now_ns;

	totals->ops += task->ops;
	totals->charges += task->charges;
	totals->refused += task->refused;
	totals->spills += task->spills;
	totals->elapsed_ns += until - task->start_ns - task->held_ns;
	for (unsigned int site = 0; site < M_SITES; site++) {
		totals->acquisitions += task->sites[site].acquisitions;
		totals->contended += task->sites[site].contended;
		totals->site_wait_ns[site] += task->sites[site].wait_ns;
	}
	for (unsigned int i = 0; i < M_LATENCIES && task->latency; i++)
		totals->latency[i] += task->latency[i];
}

struct totals totals_take(struct m_run *run, const struct kind_ops *kind, void *counter,
			  int64_t now_ns)
{
	struct totals totals = { 0 };

	for (unsigned int slot = 0; slot < run->setup.tasks; slot++)
		add_task(&totals, m_task_of(run, slot), now_ns);
	if (kind->charges)
		totals.charges = kind->charges(run, counter);
	return totals;
}

struct totals totals_between(const struct totals *from, const struct totals *to)
{
	struct totals result = *to;

	result.ops -= from->ops;
	result.charges -= from->charges;
	result.refused -= from->refused;
	result.spills -= from->spills;
	result.elapsed_ns -= from->elapsed_ns;
	result.acquisitions -= from->acquisitions;
	result.contended -= from->contended;
	for (unsigned int site = 0; site < M_SITES; site++)
		result.site_wait_ns[site] -= from->site_wait_ns[site];
	for (unsigned int i = 0; i < M_LATENCIES; i++)
		result.latency[i] -= from->latency[i];
	return result;
}

double totals_site_pct(const struct totals *totals, unsigned int site)
{
	if (totals->elapsed_ns <= 0)
		return NAN;
	return 100.0 * (double)totals->site_wait_ns[site] / (double)totals->elapsed_ns;
}

double totals_wait_pct(const struct totals *totals)
{
	double pct = 0;

	for (unsigned int site = 0; site < M_SITES; site++)
		pct += totals_site_pct(totals, site);
	return pct;
}

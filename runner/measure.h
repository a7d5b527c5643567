/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * measure.h - running one point and what came out of it. Works on any machine by its struct m_ops.
 */
#ifndef RUNNER_MEASURE_H
#define RUNNER_MEASURE_H

#include "machine/run.h"
#include "runner/config.h"
#include "runner/plan.h"
#include "runner/progress.h"
#include "runner/totals.h"

#define PHASES_MAX 2

/* A value that was not measured is NAN, a count that does not apply negative. */
struct phase {
	const char *policy; /* NULL: the kind has none */
	int64_t batch_used;
	double duration_s; /* of the measured window */
	struct totals totals;
	double ops_per_sec, ops_low, ops_high;
	double task_min, task_median, task_max;
	int64_t error_max, error_bound;
	double read_ns, sum_ns;
	double idle_pct, steal_pct;
	double warmup_s;
	unsigned int intervals;
	bool settled; /* warmup=auto saw the rates settle */
};

enum status {
	STATUS_OK,
	STATUS_FAILED,
	STATUS_SKIPPED,
};

struct result {
	enum status status;
	bool interrupted;
	struct error reason;  /* of a status other than ok */
	struct error warning; /* what the host refused; empty: nothing */
	unsigned int phases;
	struct m_profile profile; /* of --profile; texts are the caller's to free */
	char cpu_kinds[64];	  /* of the tasks' CPUs, as placement_kinds() has it */
	struct phase phase[PHASES_MAX];
};

/* Runs one point; whatever happens, no task of it is left when this returns. */
void measure_point(const struct m_ops *ops, const struct config *config, const struct point *point,
		   struct progress *progress, struct result *result);

uint64_t measure_longest_warmup_ns(const struct config *config);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sample.h - rates by intervals: the operations of all tasks are read at both ends of an interval
 * with the time at which they were read. Time in which tasks are held lies between intervals.
 */
#ifndef RUNNER_SAMPLE_H
#define RUNNER_SAMPLE_H

#include <stdbool.h>

#include "machine/run.h"
#include "runner/ticker.h"

#define SAMPLE_INTERVALS 512

struct sampler {
	const struct m_ops *ops;
	struct m_run *run;
	struct ticker ticker; /* by which time passes */
	unsigned int tasks;
	uint64_t *before;   /* operations of each task where the interval began */
	uint64_t *task_ops; /* of each task in all intervals */
	int64_t began_ns;
	int64_t window_ns;	       /* all intervals together */
	double rate[SAMPLE_INTERVALS]; /* of each interval, all tasks, operations per second */
	unsigned int intervals;
};

/* -1: no memory. */
int sampler_init(struct sampler *sampler, const struct m_ops *ops, struct m_run *run);
void sampler_free(struct sampler *sampler);
void sampler_reset(struct sampler *sampler);

/* One interval of `ns`. Not M_OK: nothing was added. */
enum m_event sampler_interval(struct sampler *sampler, int64_t ns, struct error *error);

/* Operations of all tasks in all intervals. */
uint64_t sampler_operations(const struct sampler *sampler);
/* The 95 % interval of the median rate is at most +- `pct` percent wide. */
bool sampler_is_precise(const struct sampler *sampler, double pct);
/* The last three rates are within 2 % of the three before them. */
bool sampler_has_settled(const struct sampler *sampler);

#endif

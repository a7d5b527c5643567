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

/* Intervals in the order of time: of all tasks, operations per second, and how long each took. */
struct rates {
	unsigned int count;
	double rate[SAMPLE_INTERVALS];
	double ns[SAMPLE_INTERVALS];
};

struct sampler {
	const struct m_ops *ops;
	struct m_run *run;
	struct ticker ticker; /* by which time passes */
	unsigned int tasks;
	uint64_t *before;   /* operations of each task where the interval began */
	uint64_t *task_ops; /* of each task in all intervals */
	int64_t began_ns;
	int64_t window_ns;    /* all intervals together */
	unsigned int stretch; /* 1, doubled each time that two intervals had to become one */
	struct rates rates;
};

/* -1: no memory. */
int sampler_init(struct sampler *sampler, const struct m_ops *ops, struct m_run *run);
void sampler_free(struct sampler *sampler);
void sampler_reset(struct sampler *sampler);

/* One interval of `stretch` times `ns`. Not M_OK: nothing was added. */
enum m_event sampler_interval(struct sampler *sampler, int64_t ns, struct error *error);

/* Operations of all tasks in all intervals. */
uint64_t sampler_operations(const struct sampler *sampler);
/* The last three rates are within 2 % of the three before them. */
bool sampler_has_settled(const struct sampler *sampler);

/*
 * Joins neighbouring intervals, two by two, until a rate says nothing about the next one and one
 * operation more or less is at most a quarter of `pct` percent of it: the 95 % interval of their
 * median would else be too narrow. That is the method of batch means (Law, Simulation Modeling and
 * Analysis, 9.5.3). False, and joined as far as RATES_LEAST are left, where that is not enough.
 */
#define RATES_LEAST 10
bool rates_batch(struct rates *rates, double pct);
/* So joined, there are enough, and the 95 % interval of the median rate is at most +- `pct` percent
 * wide. */
bool rates_are_precise(const struct rates *rates, double pct);

#endif

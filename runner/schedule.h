/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * schedule.h - one seed of a search: what it makes of a point (its shape), and the run of that. The
 * same seed and command line give the same run, whatever else was searched before.
 */
#ifndef RUNNER_SCHEDULE_H
#define RUNNER_SCHEDULE_H

#include "machine/sim/explore.h"
#include "runner/config.h"
#include "runner/plan.h"

struct schedule {
	struct config config; /* the command line's, with what the seed has drawn */
	struct point point;
	uint64_t random;
	struct sim_explore how;
	unsigned int looks; /* at the counter, with all tasks held */
	uint64_t checks;    /* made: of looks, and one at the end */
	uint64_t points;    /* of the schedule: primitives where others might have come first */
	struct error reason;
};

/* Draws what the command line leaves open. `point` is one of the cell's, drawn by the caller. */
void schedule_draw(struct schedule *schedule, const struct config *config, uint64_t seed);
/* From 0 to count - 1. */
unsigned int schedule_below(struct schedule *schedule, unsigned int count);
void schedule_free(struct schedule *schedule);

/* M_FAILED is a finding, or a run that could not be made: the reason says which. */
enum m_event schedule_run(struct schedule *schedule);

/* "tasks=3 batch=2 size=4K policy=never": what was drawn or given. */
void schedule_describe(const struct schedule *schedule, char *text, size_t size);

#endif

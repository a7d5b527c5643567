/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plan.h - what will be run: the product of testcases, counters, batches, modes, task counts and
 * repeats, in the order in which it will be run.
 */
#ifndef RUNNER_PLAN_H
#define RUNNER_PLAN_H

#include "runner/config.h"
#include "testcases/cell.h"

#define PLAN_POINTS 1000000 /* at most, in one plan */

struct point {
	const struct cell *cell;
	const char *batch; /* as given; empty: the counter has none */
	enum m_mode mode;
	unsigned int tasks;
	unsigned int repeat;	 /* 1 .. */
	const char *knob[KNOBS]; /* of the running kernel; NULL: left as it is */
	const char *skip;	 /* why it will not be run; NULL: it will */
};

struct plan {
	struct point *points;
	size_t count;
};

/*
 * Makes the plan; -1 with the error set for a name or a batch that is wrong. 1-task points come
 * first (speed-up needs them), the others in an order shuffled by the seed, so that a drift of the
 * machine does not look like a curve.
 */
int plan_make(const struct config *config, struct plan *plan, struct error *error);
void plan_free(struct plan *plan);

/* Prints the plan and how long it will take, without running it. */
void plan_print(const struct plan *plan, const struct config *config);

/* Longest that the plan takes if nothing fails, in ns. */
uint64_t plan_longest_ns(const struct plan *plan, const struct config *config);

/* What the point's kind is told; the slots are max(tasks, CPUs of the machine). */
struct kind_args plan_kind_args(const struct config *config, const struct point *point);

/* The next of a sequence that begins with any number. */
uint64_t plan_random(uint64_t *state);

extern const char *const mode_names[];

#endif

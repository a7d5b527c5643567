/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calibrate_probe.h - running one probe on this host for a moment, and what came out of all rounds.
 */
#ifndef RUNNER_CALIBRATE_PROBE_H
#define RUNNER_CALIBRATE_PROBE_H

#include "machine/native/probes.h"
#include "machine/run.h"
#include "runner/config.h"

#define PROBE_ROUNDS 7

/* What all rounds gave, in any unit. */
struct spread {
	double value[PROBE_ROUNDS * 16];
	unsigned int count;
};

void spread_add(struct spread *spread, double value);
double spread_median(const struct spread *spread);
/* "7 rounds, 80.2 to 85.1 (quartiles)"; `size` of 80 will do. */
void spread_text(const struct spread *spread, char *text, size_t size);

/* One run of one loop: medians of its chunks. */
struct probe_result {
	double ns;    /* of task 0, for a round of its loop */
	double first; /* part of a timed loop's first call in both, 0 to 1 */
};

/*
 * Runs the loop with `tasks` tasks (1 or 2) on those places. The event is that of the run; the
 * result is set with M_OK alone, the error with all others but M_INTERRUPTED.
 */
enum m_event probe_run(const struct config *config, probe_loop *loop, const struct place *places,
		       unsigned int tasks, struct probe_result *result, struct error *error);

#endif

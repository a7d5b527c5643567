/* SPDX-License-Identifier: GPL-2.0-or-later */
/* progress.h - one line on a terminal: which point runs, how much is done, time left. */
#ifndef RUNNER_PROGRESS_H
#define RUNNER_PROGRESS_H

#include "runner/plan.h"

struct progress {
	bool shown;
	size_t points;
	size_t done;
	double part; /* of the present point, 0 to 1 */
	const struct point *point;
	int64_t began_ns;
	uint64_t longest_ns; /* of a point, before any has run */
};

void progress_begin(struct progress *progress, const struct config *config,
		    const struct plan *plan);
/* Shows the point that is about to run. */
void progress_point(struct progress *progress, const struct point *point);
/* Shows how far it is; called while tasks are held, when writing disturbs nobody. */
void progress_part(struct progress *progress, double part);
void progress_done(struct progress *progress);
/* Takes the line away again, so that other text can stand there. */
void progress_clear(const struct progress *progress);

#endif

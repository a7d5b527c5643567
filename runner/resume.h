/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * resume.h - going on with a plan that was interrupted: the points whose rows are in the file are
 * taken out of the plan, what is missing is run and appended.
 */
#ifndef RUNNER_RESUME_H
#define RUNNER_RESUME_H

#include "machine/native/env.h"
#include "runner/baseline.h"
#include "runner/plan.h"
#include "runner/row.h"

struct resume {
	long keep_bytes; /* length of the file up to the last whole point */
	size_t kept;	 /* points that are in it */
};

/*
 * Reads config->resume and takes its points out of the plan; their 1-task rates go into the
 * baselines. -1 with the error set: it cannot be read, or is of another command, schema, program or
 * machine.
 */
int resume_read(struct resume *resume, const struct row_context *context, const struct env *env,
		struct plan *plan, struct baselines *baselines, struct error *error);

#endif

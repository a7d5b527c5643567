/* SPDX-License-Identifier: GPL-2.0-or-later */
/* header_plan.h - the header lines that follow from the plan: what charts need to be labelled. */
#ifndef RUNNER_HEADER_PLAN_H
#define RUNNER_HEADER_PLAN_H

#include "runner/output.h"
#include "runner/plan.h"

/*
 * `places`: the first task count with which a further package, an SMT sibling, or a PU that has
 * a task already is used, as "package=19,37 smt=73 again=145". No line where none is, or tasks are
 * not bound. `counts`: for each kind in the plan, what its batches and errors are in, as
 * "commit pages".
 */
void header_plan_write(struct output *output, const struct config *config, const struct plan *plan);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* needs.h - what a plan's largest points take of the host. */
#ifndef RUNNER_NEEDS_H
#define RUNNER_NEEDS_H

#include "machine/native/preflight.h"
#include "runner/plan.h"

#define NEEDS_FOLDER 512

/*
 * The most that any point of the plan takes. `folder` has room for NEEDS_FOLDER bytes: the one that
 * rows go to.
 */
struct needs needs_of_plan(const struct plan *plan, const struct config *config, char *folder);

#endif

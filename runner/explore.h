/* SPDX-License-Identifier: GPL-2.0-or-later */
/* explore.h - the `explore` subcommand: many schedules of few tasks, and whether any is wrong. */
#ifndef RUNNER_EXPLORE_H
#define RUNNER_EXPLORE_H

#include "runner/config.h"

#define EXPLORE_SEEDS 1000 /* unless --seeds says otherwise */

/* What is different from a run, before the machine is looked at: few tasks on a small machine. */
int explore_defaults(struct config *config, struct error *error);

/* Runs the seeds of each cell until one fails, and gives the exit status. */
int explore(const struct config *config);

#endif

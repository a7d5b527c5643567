/* SPDX-License-Identifier: GPL-2.0-or-later */
/* run.h - the main job: run a plan, print its table, write its file. */
#ifndef RUNNER_RUN_H
#define RUNNER_RUN_H

#include "runner/config.h"

/* Gives the exit status. */
int run_plan(struct config *config);

#endif

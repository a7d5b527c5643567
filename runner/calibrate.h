/* SPDX-License-Identifier: GPL-2.0-or-later */
/* calibrate.h - the `calibrate` subcommand: a profile of this host, for --machine=FILE.ini. */
#ifndef RUNNER_CALIBRATE_H
#define RUNNER_CALIBRATE_H

#include "runner/config.h"

/* Gives the exit status. The configuration is as parsed, not resolved. */
int calibrate(struct config *config);

#endif

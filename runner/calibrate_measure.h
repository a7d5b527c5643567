/* SPDX-License-Identifier: GPL-2.0-or-later */
/* calibrate_measure.h - measuring this host for a profile: latencies, primitives, paths. */
#ifndef RUNNER_CALIBRATE_MEASURE_H
#define RUNNER_CALIBRATE_MEASURE_H

#include "machine/error.h"
#include "machine/run.h"
#include "runner/calibrate_figures.h"
#include "runner/config.h"

/*
 * Fills in every number that this host can tell. `shown`: a line of progress on standard error. Not
 * M_OK: the user wants to stop, or the error says what is wrong with the host.
 */
enum m_event calibrate_measure(const struct config *config, struct figures *figures, bool shown,
			       struct error *error);

#endif

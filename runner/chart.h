/* SPDX-License-Identifier: GPL-2.0-or-later */
/* chart.h - --chart: at the end of a run, plot/chart.py draws what is in the file. */
#ifndef RUNNER_CHART_H
#define RUNNER_CHART_H

#include "runner/config.h"

/* -1 with the error set when --chart was given with an output that charts are not drawn from. */
int chart_check(const struct config *config, struct error *error);

/*
 * Draws a CSV file into a folder, which is named after the file where it is NULL; the script stands
 * beside this program. What goes wrong is a warning: the rows are on disk.
 */
void chart_draw(const char *csv, const char *folder);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * profiles.h - what --profile has found: kept while the plan runs, since nobody can read a report
 * between two updates of a progress bar, and printed below the table. A machine's rows go into a
 * file beside the results: FILE.lines.csv.
 */
#ifndef RUNNER_PROFILES_H
#define RUNNER_PROFILES_H

#include <stdio.h>

#include "runner/measure.h"
#include "runner/output.h"

struct profiles {
	FILE *kept; /* in memory */
	char *text;
	size_t size;
	FILE *rows;
	char path[sizeof(((struct output *)0)->path) + 16]; /* of the rows; empty: none */
	bool failed;
};

void profiles_begin(struct profiles *profiles);
/* Takes the texts of the result. Rows are on their way to the disk before the next point begins. */
void profiles_add(struct profiles *profiles, const struct config *config,
		  const struct output *output, const struct point *point, struct result *result);
/* Prints what was kept; 0, or -1 when not all rows are in their file. */
int profiles_end(struct profiles *profiles, FILE *out);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * profiles.h - what --profile has found: kept while the plan runs, since nobody can read a report
 * between two updates of a progress bar, and printed below the table.
 */
#ifndef RUNNER_PROFILES_H
#define RUNNER_PROFILES_H

#include <stdio.h>

#include "runner/measure.h"

struct profiles {
	FILE *kept; /* in memory */
	char *text;
	size_t size;
};

void profiles_begin(struct profiles *profiles);
/* Takes the text of the result. */
void profiles_add(struct profiles *profiles, const struct point *point, struct result *result);
/* Prints what was kept. */
void profiles_end(struct profiles *profiles, FILE *out);

#endif

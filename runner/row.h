/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * row.h - one row of the results: a phase of a point with everything that its columns tell, and the
 * table of columns from which all formats are written. results/README.md documents each.
 */
#ifndef RUNNER_ROW_H
#define RUNNER_ROW_H

#include <stdbool.h>

#include "runner/measure.h"

#define ROW_SCHEMA 1
#define ROW_VALUE 512 /* longest value of a column, with its end */

/* The same for all rows of one command. */
struct row_context {
	const struct config *config;
	char run_id[40];
	const char *host;
	bool aslr_off;
};

struct row {
	const struct row_context *context;
	const struct point *point;
	const struct result *result;
	const struct phase *phase; /* zero values for a point that has none */
	char time[32];		   /* when the point began, UTC */
	double speedup;		   /* NAN without a 1-task row of the same series */
};

struct column {
	const char *name;
	bool is_number;
	/* Writes the value; an empty text means absent. */
	void (*write)(const struct row *row, char *text, size_t size);
};

extern const struct column columns[]; /* a name of NULL ends it */

double row_efficiency(const struct row *row);

#endif

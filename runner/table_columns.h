/* SPDX-License-Identifier: GPL-2.0-or-later */
/* table_columns.h - the columns of the table for people: fewer and shorter than the file's. */
#ifndef RUNNER_TABLE_COLUMNS_H
#define RUNNER_TABLE_COLUMNS_H

#include <stdbool.h>

#include "runner/row.h"

#define TABLE_TEXT 80	 /* longest value, with its end */
#define TABLE_COLUMNS 24 /* at most */

struct table_column {
	const char *title; /* NULL ends the table */
	bool left;	   /* aligned to the left */
	bool shared;	   /* said once above the table when it is the same in all rows */
	/* An empty text is nothing to say; a column with nothing to say in any row is left out. */
	void (*write)(const struct row *row, char *text, size_t size);
};

extern const struct table_column table_columns[];

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* table.h - the table for people: the same rows as in the file, sorted by series and tasks. */
#ifndef RUNNER_TABLE_H
#define RUNNER_TABLE_H

#include <stdio.h>

#include "runner/row.h"

struct table {
	struct row *rows;
	size_t count;
};

/* Keeps a copy of the row; its context and point must stay. */
void table_add(struct table *table, const struct row *row);
void table_print(struct table *table, FILE *out);
void table_free(struct table *table);

#endif

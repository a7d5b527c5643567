/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compat.h - going by will-it-scale's names: the programs NAME_processes and NAME_threads with
 * their options and lines of output, runtest.py with its arguments, and its table of results.
 */
#ifndef RUNNER_WIS_COMPAT_H
#define RUNNER_WIS_COMPAT_H

#include <stdbool.h>
#include <stdio.h>

#include "runner/config.h"
#include "runner/plan.h"
#include "runner/row.h"

/* Whether the program was called by such a name, NAME_processes or NAME_threads. */
bool wis_is_binary(const char *argv0);
/* Then this is all of main: its exit status. */
int wis_binary(struct config *config, int argc, char **argv);

/*
 * Called as runtest.py: sets what follows from that, and reads its arguments TESTCASE [SECONDS
 * [MODE [NO_AFFINITY [SMT [TASKS...]]]]] wherever --format=will-it-scale was given. -1 with the
 * error set.
 */
int wis_take_words(struct config *config, const char *argv0, struct error *error);

/* That table holds one series: -1 with the error set when the plan has more. */
int wis_check_plan(const struct plan *plan, struct error *error);

/* Rows of the table: a line for each task count, written once the next one begins. */
struct wis_rows {
	unsigned int tasks;	 /* of the line under way; 0: none */
	double rate[2], idle[2]; /* processes, threads: sums over the repeats */
	unsigned int count[2];
	double single; /* the better rate of one task; 0: not known */
};

void wis_rows_begin(FILE *file);
void wis_rows_add(struct wis_rows *rows, const struct row *row, FILE *file);
void wis_rows_end(struct wis_rows *rows, FILE *file);

#endif

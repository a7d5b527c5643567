/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wis.h - testcases in will-it-scale's form, from a folder of the user's: compiled when they are
 * wanted, and run like any testcase of the kind plain. Each becomes a cell (testcases/cell.h).
 */
#ifndef RUNNER_WIS_WIS_H
#define RUNNER_WIS_WIS_H

#include "runner/config.h"
#include "testcases/cell.h"

/* One file of the folder. */
struct wis_file {
	struct cell cell; /* first: the two are cast into each other */
	struct testcase_info info;
	char *name;
	char *source;  /* DIR/NAME.c, or NULL where only what was built of it is there */
	char *library; /* NULL: has not been built */
	uint64_t hash; /* of the source's content, or else the library's */
	char *about;   /* its description */
};

/*
 * Reads the folder of --wis and makes its files the only testcases that the registry knows; a word
 * "all" becomes all of them. Unless it is a dry run, builds those that config->words names. -1 with
 * the error set: no such folder, or a file that does not compile.
 */
int wis_open(struct config *config, struct error *error);
void wis_close(void);

/* The file of a cell that was made here, else NULL. */
const struct wis_file *wis_file_of(const struct cell *cell);

#endif

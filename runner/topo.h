/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * topo.h - the `topo` subcommand: where each task would be placed, and why, for people.
 */
#ifndef RUNNER_TOPO_H
#define RUNNER_TOPO_H

#include <stdio.h>

#include "machine/placement.h"

/*
 * Prints the machine, the placement and a table. `tasks` 0 means one for each usable PU, or each of
 * `cpus` where that is not NULL. Up to TOPO_FOLD_TASKS tasks have a line each; of more, those that
 * differ only in a regular step share one, as in "0-110:2". Returns 0, or -1 with the error set.
 */
#define TOPO_FOLD_TASKS 32
int topo_print(FILE *out, const struct topology *topology, enum placement placement,
	       hwloc_const_bitmap_t cpus, unsigned int tasks, struct error *error);

#endif

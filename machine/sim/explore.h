/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * explore.h - runs that look for a bad schedule: tasks lose time at random primitives, so that
 * interleavings come which a machine of its own would show once a month, and locks are watched.
 */
#ifndef MACHINE_SIM_EXPLORE_H
#define MACHINE_SIM_EXPLORE_H

#include <stdint.h>

/* How often and how long. The same numbers give the same schedule. */
struct sim_explore {
	uint64_t seed;
	unsigned int one_in; /* of so many primitives, on average, one is held up, */
	int64_t longest_ps;  /* for up to so long */
};

/* For the run that is opened next; it stays until sim_explore_end(). */
void sim_explore_begin(const struct sim_explore *how);
void sim_explore_end(void);
/* Primitives at which somebody else might have come first, since the beginning. */
uint64_t sim_explore_points(void);

#endif

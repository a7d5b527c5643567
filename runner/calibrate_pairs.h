/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calibrate_pairs.h - which pairs of CPUs stand for each class of distance. A pure function of the
 * topology and the CPUs that may be used.
 */
#ifndef RUNNER_CALIBRATE_PAIRS_H
#define RUNNER_CALIBRATE_PAIRS_H

#include "machine/placement.h"
#include "machine/sim/profile_keys.h"

#define PAIRS_MOST 8 /* of a class: they are spread over the machine */

struct cpu_pair {
	struct place place[2];
};

struct pair_class {
	struct cpu_pair pair[PAIRS_MOST];
	unsigned int count; /* 0: the machine, or what may be used of it, has no such pair */
};

/* By enum sim_level: what the nearest is that two CPUs have in common. -1 with the error set. */
int pairs_find(const struct topology *topology, hwloc_const_bitmap_t cpus,
	       struct pair_class classes[SIM_LEVELS], struct error *error);

#endif

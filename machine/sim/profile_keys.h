/* SPDX-License-Identifier: GPL-2.0-or-later */
/* profile_keys.h - the keys of a profile: where each goes, its range, and what levels there are. */
#ifndef MACHINE_SIM_PROFILE_KEYS_H
#define MACHINE_SIM_PROFILE_KEYS_H

#include <stdbool.h>
#include <stddef.h>

#include "machine/sim/profile.h"

#define SIM_KEYS_MAX 64
#define SIM_KEY_MOST 1000000000LL /* no number in a profile is larger */

enum sim_key_type {
	SIM_KEY_TEXT,
	SIM_KEY_COUNT, /* a whole number */
	SIM_KEY_NS,    /* with up to three decimals, kept as picoseconds */
};

struct sim_key {
	const char *name; /* "section.key"; NULL ends the table */
	enum sim_key_type type;
	bool needed;
	size_t offset, size; /* in struct sim_profile; the size of a text */
	int64_t low, high;   /* as kept */
};

extern const struct sim_key sim_keys[];
extern const char *const sim_latency_keys[SIM_LEVELS];

/* Index of a key that exists. */
unsigned int sim_key_of(const char *name);

/* Where in the machine a CPU is, by objects of its topology; -1 where there is none. */
struct sim_where {
	int core, cache, package, group;
};

void sim_where(const struct topology *topology, hwloc_obj_t pu, struct sim_where *where);

static inline enum sim_level sim_level_of(const struct sim_where *a, const struct sim_where *b)
{
	if (a->core == b->core)
		return SIM_CORE;
	if (a->cache == b->cache && a->cache >= 0)
		return SIM_CACHE;
	if (a->package == b->package)
		return SIM_PACKAGE;
	if (a->group == b->group && a->group >= 0)
		return SIM_GROUP;
	return SIM_MACHINE;
}

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
/* profile_keys.c - the table of a profile's keys. */
#include "machine/sim/profile_keys.h"

#include <string.h>

#include "machine/check.h"

#define NS_MOST 100000000000LL /* 100 ms */

#define TEXT(key, field)                                            \
	{                                                           \
		.name = key, .type = SIM_KEY_TEXT, .needed = true,  \
		.offset = offsetof(struct sim_profile, field),      \
		.size = sizeof(((struct sim_profile *)NULL)->field) \
	}
#define COUNT(key, field, lowest, highest)                                                    \
	{                                                                                     \
		.name = key, .type = SIM_KEY_COUNT, .needed = true,                           \
		.offset = offsetof(struct sim_profile, field), .low = lowest, .high = highest \
	}
#define NS(key, field, must, lowest)                                                          \
	{                                                                                     \
		.name = key, .type = SIM_KEY_NS, .needed = must,                              \
		.offset = offsetof(struct sim_profile, field), .low = lowest, .high = NS_MOST \
	}
#define PATH(name) NS("path." #name "_ns", path_ps[SIM_PATH_##name], false, 0),

const struct sim_key sim_keys[] = {
	TEXT("machine.about", about),
	TEXT("machine.topology", topology),
	COUNT("machine.memory_gib", memory_gib, 1, 2 << 20),
	COUNT("machine.clock_mhz", clock_mhz, 1, 100000),
	COUNT("machine.line_bytes", line_bytes, 64, 128),
	NS("latency.hit_ns", hit_ps, true, 1),
	NS("latency.atomic_ns", atomic_ps, true, 1),
	NS("latency.core_ns", latency_ps[SIM_CORE], false, 1),
	NS("latency.cache_ns", latency_ps[SIM_CACHE], false, 1),
	NS("latency.package_ns", latency_ps[SIM_PACKAGE], false, 1),
	NS("latency.group_ns", latency_ps[SIM_GROUP], false, 1),
	NS("latency.machine_ns", latency_ps[SIM_MACHINE], false, 1),
	NS("latency.read_ns", read_ps, true, 1),
	NS("latency.read_busy_ns", read_busy_ps, true, 0),
	COUNT("coherence.request_pct", request_pct, 0, 100),
	COUNT("coherence.near_grants", near_grants, 1, 1000000),
	COUNT("coherence.stores", stores, 1, SIM_STORES_MAX),
	COUNT("path.smt_pct", smt_pct, 100, 1000),
	COUNT("path.jitter_pct", jitter_pct, 0, 90),
	SIM_PATHS(PATH){ .name = NULL },
};

_Static_assert(sizeof(sim_keys) / sizeof(sim_keys[0]) <= SIM_KEYS_MAX, "more keys than seen");

const char *const sim_latency_keys[SIM_LEVELS] = {
	[SIM_CORE] = "latency.core_ns",	      [SIM_CACHE] = "latency.cache_ns",
	[SIM_PACKAGE] = "latency.package_ns", [SIM_GROUP] = "latency.group_ns",
	[SIM_MACHINE] = "latency.machine_ns",
};

#define PATH_NAME(name) [SIM_PATH_##name] = #name,
const char *const sim_path_names[SIM_PATH_COUNT] = { SIM_PATHS(PATH_NAME) };

unsigned int sim_key_of(const char *name)
{
	unsigned int i = 0;

	while (sim_keys[i].name && strcmp(sim_keys[i].name, name) != 0)
		i++;
	CHECK(sim_keys[i].name);
	return i;
}

static int number_of(hwloc_obj_t object)
{
	return object ? (int)object->logical_index : -1;
}

void sim_where(const struct topology *topology, hwloc_obj_t pu, struct sim_where *where)
{
	hwloc_topology_t hwloc = topology->hwloc;

	where->core = number_of(hwloc_get_ancestor_obj_by_type(hwloc, HWLOC_OBJ_CORE, pu));
	where->cache = number_of(topology_last_cache(pu));
	where->package = number_of(hwloc_get_ancestor_obj_by_type(hwloc, HWLOC_OBJ_PACKAGE, pu));
	/* The innermost group around packages. */
	where->group = -1;
	for (hwloc_obj_t object = pu; object; object = object->parent)
		if (object->type == HWLOC_OBJ_GROUP && where->group < 0 &&
		    hwloc_get_nbobjs_inside_cpuset_by_type(hwloc, object->cpuset,
							   HWLOC_OBJ_PACKAGE) > 1)
			where->group = number_of(object);
}

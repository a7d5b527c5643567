// SPDX-License-Identifier: GPL-2.0-or-later
/* placement.c - the order in which tasks take PUs. */
#include "machine/placement.h"

#include <stdlib.h>
#include <string.h>

#include "machine/check.h"

#define KEYS 5

/* A PU that may be used, with what its turn depends on. `key` is compared first to last. */
struct candidate {
	struct place place;
	int order;	  /* hwloc's logical index of the PU */
	int cache_first;  /* first PU of the last-level cache: tells caches of any level apart */
	int package_kind; /* the fastest kind in the package */
	int cache_turn;	  /* how many of its like come before it in the cache, ... */
	int package_turn; /* ... and in the package */
	int key[KEYS];
};

static int compare(const void *left, const void *right)
{
	const struct candidate *a = left;
	const struct candidate *b = right;
	int i;

	for (i = 0; i < KEYS; i++)
		if (a->key[i] != b->key[i])
			return a->key[i] < b->key[i] ? -1 : 1;
	return 0;
}

#define SET_KEYS(candidate, ...) \
	memcpy((candidate)->key, ((const int[KEYS]){ __VA_ARGS__ }), sizeof((candidate)->key))

static void sort(struct candidate *all, int count)
{
	qsort(all, count, sizeof(*all), compare);
}

/* Whether both agree in their first `keys` keys. */
static bool same_group(const struct candidate *a, const struct candidate *b, int keys)
{
	return !memcmp(a->key, b->key, keys * sizeof(a->key[0]));
}

static void order_core(struct candidate *all, int count)
{
	struct candidate *c;

	for (c = all; c < all + count; c++)
		SET_KEYS(c, c->place.sibling, -c->package_kind, c->place.package, -c->place.kind,
			 c->order);
	sort(all, count);
}

/* Deals each cache's PUs to its package, then each package's to the machine, one at a time. */
static void order_spread(struct candidate *all, int count)
{
	struct candidate *c;

	for (c = all; c < all + count; c++)
		SET_KEYS(c, c->place.package, c->place.sibling, -c->place.kind, c->cache_first,
			 c->order);
	sort(all, count);
	for (c = all + 1; c < all + count; c++)
		c->cache_turn = same_group(c - 1, c, 4) ? c[-1].cache_turn + 1 : 0;

	for (c = all; c < all + count; c++)
		SET_KEYS(c, c->place.package, c->place.sibling, -c->place.kind, c->cache_turn,
			 c->order);
	sort(all, count);
	for (c = all + 1; c < all + count; c++)
		c->package_turn = same_group(c - 1, c, 2) ? c[-1].package_turn + 1 : 0;

	for (c = all; c < all + count; c++)
		SET_KEYS(c, c->place.sibling, c->package_turn, -c->package_kind, c->place.package,
			 c->order);
	sort(all, count);
}

/* Whether there are kinds, and whether the system knows which is faster. */
static bool is_hybrid(hwloc_topology_t hwloc)
{
	int efficiency = -1;

	return hwloc_cpukinds_get_nr(hwloc, 0) > 1 &&
	       !hwloc_cpukinds_get_info(hwloc, 0, NULL, &efficiency, NULL, NULL, 0) &&
	       efficiency >= 0;
}

static int logical_index(hwloc_obj_t object)
{
	return object ? (int)object->logical_index : -1;
}

static void find_place(hwloc_topology_t hwloc, hwloc_obj_t pu, struct candidate *c)
{
	hwloc_obj_t cache = topology_last_cache(pu);

	c->order = pu->logical_index;
	c->cache_first = cache ? hwloc_bitmap_first(cache->cpuset) : -1;
	c->place.pu = pu->os_index;
	c->place.package =
		logical_index(hwloc_get_ancestor_obj_by_type(hwloc, HWLOC_OBJ_PACKAGE, pu));
	c->place.core = logical_index(hwloc_get_ancestor_obj_by_type(hwloc, HWLOC_OBJ_CORE, pu));
	c->place.cache = logical_index(cache);
	c->place.kind = -1;
	if (is_hybrid(hwloc))
		c->place.kind = hwloc_cpukinds_get_by_cpuset(hwloc, pu->cpuset, 0);
}

/* Lists the PUs of `set` in hwloc's order. Siblings are neighbours in it; so are packages. */
static int list_candidates(const struct topology *topology, hwloc_const_bitmap_t set,
			   struct candidate *all)
{
	hwloc_topology_t hwloc = topology->hwloc;
	struct candidate *c = all;
	struct candidate *first;
	hwloc_obj_t pu = NULL;

	while ((pu = hwloc_get_next_obj_by_type(hwloc, HWLOC_OBJ_PU, pu))) {
		if (!hwloc_bitmap_isset(set, pu->os_index))
			continue;
		find_place(hwloc, pu, c);
		c->place.node = topology_nearest_node(topology, pu);
		c->place.node_index = topology_node_index(topology, c->place.node);
		if (c > all && c->place.core >= 0 && c->place.core == c[-1].place.core)
			c->place.sibling = c[-1].place.sibling + 1;
		c++;
	}
	for (first = all; first < c;) {
		struct candidate *end = first;
		int fastest = -1;

		for (; end < c && end->place.package == first->place.package; end++)
			if (end->place.kind > fastest)
				fastest = end->place.kind;
		for (; first < end; first++)
			first->package_kind = fastest;
	}
	return c - all;
}

/* A list of CPUs for an error line: cut short where it would push out the rest. */
static const char *list_text(hwloc_const_bitmap_t set, char *text, size_t size)
{
	if (hwloc_bitmap_list_snprintf(text, size, set) >= (int)size)
		memcpy(text + size - 4, "...", 4);
	return text;
}

static int check_cpus(const struct topology *topology, hwloc_const_bitmap_t cpus,
		      struct error *error)
{
	char allowed[256];
	int cpu;

	if (hwloc_bitmap_iszero(cpus))
		return error_set(error, "--cpus names no CPU; right would be some of %s",
				 list_text(topology->usable, allowed, sizeof(allowed)));
	for (cpu = hwloc_bitmap_first(cpus); cpu >= 0; cpu = hwloc_bitmap_next(cpus, cpu))
		if (!hwloc_bitmap_isset(topology->usable, cpu))
			break;
	if (cpu < 0)
		return 0;
	list_text(topology->usable, allowed, sizeof(allowed));
	if (hwloc_get_pu_obj_by_os_index(topology->hwloc, cpu))
		return error_set(error,
				 "--cpus: CPU %d may not be used (cpuset, cgroup or affinity "
				 "mask); right would be some of %s",
				 cpu, allowed);
	return error_set(error,
			 "--cpus: CPU %d does not exist or is offline; right would be some of %s",
			 cpu, allowed);
}

static void place_unbound(const struct topology *topology, unsigned int pus, unsigned int count,
			  struct place *places)
{
	int node = topology_nearest_node(topology, NULL);
	unsigned int i;

	for (i = 0; i < count; i++)
		places[i] = (struct place){ .pu = -1,
					    .node = node,
					    .node_index = topology_node_index(topology, node),
					    .package = -1,
					    .cache = -1,
					    .core = -1,
					    .kind = -1,
					    .round = i / pus };
}

int placement_make(const struct topology *topology, enum placement placement,
		   hwloc_const_bitmap_t cpus, unsigned int count, struct place *places,
		   struct error *error)
{
	hwloc_const_bitmap_t set = cpus ? cpus : topology->usable;
	struct candidate *all;
	unsigned int i;
	int pus;

	CHECK(placement < PLACEMENT_COUNT);
	if (hwloc_bitmap_iszero(topology->usable))
		return error_set(error, "no CPU may be used on this machine");
	if (cpus && check_cpus(topology, cpus, error))
		return -1;
	pus = hwloc_bitmap_weight(set);
	if (placement == PLACEMENT_NONE) {
		place_unbound(topology, pus, count, places);
		return 0;
	}
	all = calloc(pus, sizeof(*all));
	if (!all)
		return error_set(error, "out of memory for the places of %d PUs", pus);
	pus = list_candidates(topology, set, all);
	CHECK(pus > 0);
	if (placement == PLACEMENT_CORE)
		order_core(all, pus);
	else if (placement == PLACEMENT_SPREAD)
		order_spread(all, pus);
	for (i = 0; i < count; i++) {
		places[i] = all[i % pus].place;
		places[i].round = i / pus;
	}
	free(all);
	return 0;
}

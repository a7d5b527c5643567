// SPDX-License-Identifier: GPL-2.0-or-later
/* calibrate_pairs.c - which pairs of CPUs stand for each class of distance. */
#include "runner/calibrate_pairs.h"

#include <stdlib.h>

struct search {
	const struct topology *topology;
	const struct place *places; /* of all CPUs that may be used */
	unsigned int count;
	struct sim_where *where;
};

/*
 * The first CPU that is so far from the n-th, going round from `skip` behind it, so that not all
 * take the same one; -1: none.
 */
static int partner_of(const struct search *search, unsigned int n, unsigned int skip,
		      enum sim_level level)
{
	for (unsigned int step = 0; step + 1 < search->count; step++) {
		unsigned int behind = 1 + (skip + step) % (search->count - 1);
		unsigned int other = (n + behind) % search->count;

		if (sim_level_of(&search->where[n], &search->where[other]) == level)
			return (int)other;
	}
	return -1;
}

static bool has_pair(const struct pair_class *class, const struct cpu_pair *pair)
{
	for (unsigned int i = 0; i < class->count; i++)
		if (class->pair[i].place[0].pu == pair->place[1].pu &&
		    class->pair[i].place[1].pu == pair->place[0].pu)
			return true;
	return false;
}

/* First CPUs evenly over all, so that each package and cache has its say. */
static void find_class(const struct search *search, enum sim_level level, struct pair_class *class)
{
	unsigned int tries = search->count < PAIRS_MOST ? search->count : PAIRS_MOST;

	class->count = 0;
	for (unsigned int i = 0; i < tries; i++) {
		unsigned int first = (unsigned int)((uint64_t)i * search->count / tries);
		int second = partner_of(search, first, 5 * i, level);
		struct cpu_pair pair;

		if (second < 0)
			continue;
		pair.place[0] = search->places[first];
		pair.place[1] = search->places[second];
		if (!has_pair(class, &pair))
			class->pair[class->count++] = pair;
	}
}

static int find_where(struct search *search, struct error *error)
{
	for (unsigned int i = 0; i < search->count; i++) {
		hwloc_obj_t pu = hwloc_get_pu_obj_by_os_index(search->topology->hwloc,
							      (unsigned int)search->places[i].pu);

		if (!pu)
			return error_set(error, "CPU %d is not in the topology",
					 search->places[i].pu);
		sim_where(search->topology, pu, &search->where[i]);
		/* Where no cores are told each CPU is one of its own. */
		if (search->where[i].core < 0)
			search->where[i].core = -2 - (int)i;
	}
	return 0;
}

int pairs_find(const struct topology *topology, hwloc_const_bitmap_t cpus,
	       struct pair_class classes[SIM_LEVELS], struct error *error)
{
	unsigned int count =
		cpus ? (unsigned int)hwloc_bitmap_weight(cpus) : topology_usable_pus(topology);
	struct place *places = calloc(count + 1, sizeof(*places));
	struct sim_where *where = calloc(count + 1, sizeof(*where));
	struct search search = { topology, places, count, where };
	int result = -1;

	if (!places || !where)
		error_set(error, "no memory for %u CPUs", count);
	else if (placement_make(topology, PLACEMENT_PU, cpus, count, places, error) == 0)
		result = find_where(&search, error);
	for (int level = 0; level < SIM_LEVELS && result == 0; level++)
		find_class(&search, (enum sim_level)level, &classes[level]);
	free(places);
	free(where);
	return result;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* placement_text.c - placement in words: names of the policies, lists of CPUs, reasons. */
#include "machine/placement.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

const char *const placement_names[PLACEMENT_COUNT] = {
	[PLACEMENT_CORE] = "core",
	[PLACEMENT_PU] = "pu",
	[PLACEMENT_SPREAD] = "spread",
	[PLACEMENT_NONE] = "none",
};

/* Reads digits alone: strtoul would take blanks, signs and, at the end of its range, anything. */
static int parse_cpu(const char *list, const char **at, int *cpu, struct error *error)
{
	const char *digits = *at;

	for (*cpu = 0; isdigit((unsigned char)**at) && *cpu < TOPOLOGY_PU_MAX; (*at)++)
		*cpu = *cpu * 10 + **at - '0';
	if (*cpu >= TOPOLOGY_PU_MAX)
		return error_set(error, "CPU list \"%.100s\": CPUs are numbered up to %d", list,
				 TOPOLOGY_PU_MAX - 1);
	if (*at == digits)
		return error_set(error,
				 "CPU list \"%.100s\": %s%.20s where a number is due; right "
				 "would be as 0-3,8,10-11",
				 list, *digits ? "found " : "it ends", digits);
	return 0;
}

int placement_parse_cpus(const char *list, hwloc_bitmap_t set, struct error *error)
{
	hwloc_bitmap_t read = hwloc_bitmap_alloc();
	const char *at = list;
	int first, last;

	if (!read)
		return error_set(error, "out of memory for a list of CPUs");
	do {
		if (parse_cpu(list, &at, &first, error))
			goto fail;
		last = first;
		if (*at == '-') {
			at++;
			if (parse_cpu(list, &at, &last, error))
				goto fail;
		}
		if (last < first) {
			error_set(error,
				  "CPU list \"%.100s\": %d-%d runs backwards; right would be "
				  "%d-%d",
				  list, first, last, last, first);
			goto fail;
		}
		hwloc_bitmap_set_range(read, first, last);
	} while (*at == ',' && at++);
	if (*at) {
		error_set(error,
			  "CPU list \"%.100s\": \"%.20s\" is not understood; right would be as "
			  "0-3,8,10-11",
			  list, at);
		goto fail;
	}
	hwloc_bitmap_copy(set, read);
	hwloc_bitmap_free(read);
	return 0;
fail:
	hwloc_bitmap_free(read);
	return -1;
}

/* Only kinds that have one tell it apart from the others: Intel's CoreType, or ARM's capacity. */
static void kind_name(hwloc_topology_t hwloc, unsigned int kind, char *text, size_t size)
{
	struct hwloc_info_s *infos = NULL;
	unsigned int count = 0;

	snprintf(text, size, "kind%u", kind);
	if (hwloc_cpukinds_get_info(hwloc, kind, NULL, NULL, &count, &infos, 0) != 0)
		return;
	for (unsigned int i = 0; i < count; i++)
		if (strcmp(infos[i].name, "CoreType") == 0)
			snprintf(text, size, "%s", infos[i].value);
}

void placement_kinds(const struct topology *topology, const struct place *places,
		     unsigned int count, char *text, size_t size)
{
	size_t used = 0;

	text[0] = '\0';
	for (int kind = hwloc_cpukinds_get_nr(topology->hwloc, 0) - 1; kind >= 0; kind--) {
		unsigned int here = 0;
		char name[32];

		for (unsigned int i = 0; i < count; i++)
			here += places[i].kind == kind;
		if (here == 0 || used >= size)
			continue;
		kind_name(topology->hwloc, (unsigned int)kind, name, sizeof(name));
		used += (size_t)snprintf(text + used, size - used, "%s%s:%u", used ? ";" : "", name,
					 here);
	}
}

void placement_reason(const struct place *place, enum placement placement, char *text, size_t size)
{
	bool last = placement == PLACEMENT_CORE || placement == PLACEMENT_SPREAD;
	char core[64] = "a PU by itself: no cores are known";
	char package[32] = "";
	char again[64] = "";

	if (place->pu < 0) {
		snprintf(text, size, "not bound: the scheduler chooses");
		return;
	}
	if (place->core >= 0 && place->sibling == 0)
		snprintf(core, sizeof(core), "first PU of core %d", place->core);
	else if (place->core >= 0)
		snprintf(core, sizeof(core), "SMT sibling %d of core %d", place->sibling,
			 place->core);
	if (place->package >= 0)
		snprintf(package, sizeof(package), ", package %d", place->package);
	if (place->round > 0)
		snprintf(again, sizeof(again), "; all PUs are taken, task %d on this one",
			 place->round + 1);
	snprintf(text, size, "%s%s%s%s", core, package,
		 place->sibling > 0 && last && !place->round ? "; all cores are taken" : "", again);
}

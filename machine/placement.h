/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * placement.h - which task runs on which PU. A pure function of topology, policy and task count.
 */
#ifndef MACHINE_PLACEMENT_H
#define MACHINE_PLACEMENT_H

#include "machine/place.h"
#include "machine/topology.h"

enum placement {
	PLACEMENT_CORE,	  /* one task a core, first package first; SMT siblings last */
	PLACEMENT_PU,	  /* PUs in hwloc's order: all siblings of a core before the next core */
	PLACEMENT_SPREAD, /* round-robin over packages, then shared caches; SMT siblings last */
	PLACEMENT_NONE,	  /* the scheduler's choice: no binding */
	PLACEMENT_COUNT,
};

extern const char *const placement_names[PLACEMENT_COUNT];

/*
 * Fills places[0..count-1]. `cpus`, where not NULL, limits the PUs to this set (--cpus); it must be
 * part of the usable ones. With more tasks than PUs the order begins anew (round 1, 2, ...).
 * Returns 0, or -1 with the error set (no usable PU, a CPU that is not allowed).
 *
 * On a hybrid machine the faster kind comes first inside each package within PLACEMENT_CORE and
 * PLACEMENT_SPREAD, still before any SMT sibling: P cores, E cores, then the P cores' siblings. The
 * package with the fastest kind is the first (on some ARM machines each cluster of cores shows as a
 * package, and the slow one is package 0). Kinds that the system cannot rank count as one.
 *
 * The node of a PU whose own node has no memory is the nearest with memory by the machine's
 * latencies, or the first one where it tells none. PLACEMENT_NONE knows no PU: its node is the
 * first with memory and all else is unknown.
 */
int placement_make(const struct topology *topology, enum placement placement,
		   hwloc_const_bitmap_t cpus, unsigned int count, struct place *places,
		   struct error *error);

/*
 * Reads a list of CPUs, "0-3,8,10-11", into `set`. Strict: no blanks, no empty parts, no range that
 * runs backwards. Returns 0, or -1 with the error set and `set` as it was.
 */
int placement_parse_cpus(const char *list, hwloc_bitmap_t set, struct error *error);

/*
 * Writes how many of the places are on CPUs of each kind, the fastest first, as
 * "IntelCore:4;IntelAtom:2"; a kind without a name is kind0, kind1, ... from the slowest. Empty on
 * a machine with one kind of CPU.
 */
void placement_kinds(const struct topology *topology, const struct place *places,
		     unsigned int count, char *text, size_t size);

/* Writes why this PU was chosen, in words: "first PU of core 3, package 0", "SMT sibling ...". */
void placement_reason(const struct place *place, enum placement placement, char *text, size_t size);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * zone.h - the kind "zone": event counters with a level for each NUMA node's zone and one for the
 * machine. They count where pages came from, on every page allocation.
 *
 * A counter is one header in zone/ that defines struct zone and the functions below; their
 * prototypes stand before the include, so that a wrong signature does not compile. A node has one
 * zone here, so the two words mean the same.
 */
#ifndef COUNTERS_ZONE_H
#define COUNTERS_ZONE_H

#include "counters/counter.h"
#include "machine/machine.h"
#include "machine/spinlock.h"

/* The NUMA statistics of a zone, in the kernel's order. */
enum zone_item {
	ZONE_HIT,	 /* from the node that was wanted */
	ZONE_MISS,	 /* from here, though another node was wanted */
	ZONE_FOREIGN,	 /* wanted from here, but came from another node */
	ZONE_INTERLEAVE, /* as an interleaving policy wanted it */
	ZONE_LOCAL,	 /* for a task of this node */
	ZONE_OTHER,	 /* for a task of another node */
	ZONE_ITEMS,
};

static const char *const zone_item_names[] = { "HIT",	     "MISS",  "FOREIGN",
					       "INTERLEAVE", "LOCAL", "OTHER" };

#define ZONE_STRIDE 8 /* words from one node's items to the next in a slot's part: a line */

#define ZONE_MACHINE (-1) /* as a node: the machine's own level, which all zones spill into too */

/* Where a lock is taken from. */
enum zone_site {
	SITE_FOLD, /* parts brought in by a reader */
};

/*
 * A zone's shared words. Each allocation reads the free pages to hold them against the watermark,
 * and eleven words on come the NUMA statistics: on the next line, of the same pair of lines. A
 * spill thus costs every other CPU's next allocation a miss. Layout: vm_stat[], Linux 4.13; since
 * 4.14 vm_numa_stat[] follows it in the same place.
 */
struct zone_level {
	M_LINE_APART m_word free_pages;
	m_word others[10]; /* what else vm_stat counts, and nobody here changes */
	m_word item[ZONE_ITEMS];
};

/* The machine's level: all six on one line of their own. */
struct zone_machine {
	M_LINE_APART m_word item[ZONE_ITEMS];
};

/* The shared levels, part of every counter; the pointers never change once it is set up. */
struct zone_levels {
	struct zone_level *zone; /* one for each node */
	struct zone_machine *machine;
	unsigned int nodes;
};

struct zone;

/* Sets the counter up in the run's arena, which is zeroed; `levels` are there already. */
static inline void zone_init(struct zone *z, struct m_run *run, struct zone_levels levels,
			     int64_t threshold);
/* One event more, or one less, on behalf of the calling slot. */
static inline void zone_inc(struct zone *z, unsigned int node, enum zone_item item);
static inline void zone_dec(struct zone *z, unsigned int node, enum zone_item item);
/* The cheap read of a node, or of ZONE_MACHINE: may be off by zone_error_bound, also below 0. */
static inline int64_t zone_read(struct zone *z, int node, enum zone_item item);
/* The exact read; exact only while nobody counts. */
static inline int64_t zone_sum(struct zone *z, int node, enum zone_item item);
/* Moves the calling slot's parts into both levels; nothing where parts are never emptied. */
static inline void zone_fold(struct zone *z);
/* The calling slot's threshold; nothing happens where there is none, or a fixed one. */
static inline void zone_set_threshold(struct zone *z, int64_t threshold);
static inline int64_t zone_threshold(struct zone *z);
/*
 * Largest error of the cheap read of a node or of ZONE_MACHINE, in events, when no part has grown
 * under more than this.
 */
static inline int64_t zone_error_bound(const struct zone *z, int node, int64_t threshold);
static inline const struct zone_levels *zone_levels(const struct zone *z);

/* Adds to both levels, as a spill does: to the zone first. */
static inline void zone_add_shared(const struct zone_levels *levels, unsigned int node,
				   enum zone_item item, int64_t events)
{
	m_add(&levels->zone[node].item[item], events);
	m_add(&levels->machine->item[item], events);
}

/* Per-CPU parts behind a read: one for each slot, and on the machine's level for each node too. */
static inline int64_t zone_parts(const struct zone_levels *levels, int node)
{
	return (int64_t)m_slots() * (node == ZONE_MACHINE ? levels->nodes : 1);
}

static inline int64_t zone_read_shared(const struct zone_levels *levels, int node,
				       enum zone_item item)
{
	if (node == ZONE_MACHINE)
		return m_load(&levels->machine->item[item]);
	return m_load(&levels->zone[node].item[item]);
}

/*
 * For counters that keep ZONE_STRIDE words for each node in a slot's part: what all of one node, or
 * of all nodes, hold in the word `at`.
 */
static inline int64_t zone_sum_parts(const struct m_percpu *percpu, int node, unsigned int nodes,
				     unsigned int at)
{
	unsigned int from = node == ZONE_MACHINE ? 0 : (unsigned int)node;
	unsigned int end = node == ZONE_MACHINE ? nodes : from + 1;
	int64_t sum = 0;

	for (unsigned int slot = 0; slot < m_slots(); slot++) {
		const m_word *part = m_part_of(percpu, slot);

		for (unsigned int n = from; n < end; n++)
			sum += m_load(&part[n * ZONE_STRIDE + at]);
	}
	return sum;
}

/* Names the words of a slot's part: ZONE_STRIDE for each node, the items from `at` on. */
static inline void zone_name_parts(struct m_run *run, const struct m_percpu *percpu,
				   unsigned int nodes, unsigned int at, const char *name)
{
	for (unsigned int node = 0; node < nodes; node++)
		for (unsigned int item = 0; item < ZONE_ITEMS; item++)
			m_name_part(run, percpu, node * ZONE_STRIDE + at + item, 1, "%s[%u].%s",
				    name, node, zone_item_names[item]);
}

#include COUNTER_FILE

/*
 * One page has come from node `from`; `preferred` was wanted. Rule: zone_statistics(), Linux 4.14
 * to 6.x.
 */
static inline void zone_statistics(struct zone *z, unsigned int preferred, unsigned int from)
{
	if (likely(from == preferred)) {
		zone_inc(z, from, ZONE_HIT);
	} else {
		zone_inc(z, from, ZONE_MISS);
		zone_inc(z, preferred, ZONE_FOREIGN);
	}
	if (likely(from == m_node()))
		zone_inc(z, from, ZONE_LOCAL);
	else
		zone_inc(z, from, ZONE_OTHER);
}

#endif

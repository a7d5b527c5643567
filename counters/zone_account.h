/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * zone_account.h - the accounting around a zone counter: what a page allocation counts, and beside
 * it each task's own notes of where its pages came from, which the counter is checked against.
 */
#ifndef COUNTERS_ZONE_ACCOUNT_H
#define COUNTERS_ZONE_ACCOUNT_H

#include "counters/zone.h"

struct zone_account {
	struct zone zone;
	/*
	 * Each slot's notes: pages by the node they came from, then those that were interleaved.
	 * The usual page, of the own node, is in task->added: the cheapest place that there is.
	 */
	struct m_percpu notes;
	int64_t watermark_pages; /* allocations go on above; never changes */
	m_word next_threshold;	 /* what every slot is to set, when memory gets short */
	int64_t loosest;	 /* the largest threshold that a part may still have grown under */
	bool disturbed; /* by a fold or a new threshold: spills do not follow from events alone */
};

static inline struct zone_account *zone_account_of(const struct task *task)
{
	return (struct zone_account *)task->counter;
}

/* Whether a node has pages to give: what the allocator reads first. Rule: zone_watermark_ok(). */
static inline bool zone_has_pages(struct zone_account *account, unsigned int node)
{
	const struct zone_level *zone = &zone_levels(&account->zone)->zone[node];

	return m_load(&zone->free_pages) > account->watermark_pages;
}

/* A page has come from node `from`, though the task's own was wanted if that is another. */
static inline void zone_page_came(struct task *task, int64_t *notes, unsigned int from)
{
	zone_statistics(&zone_account_of(task)->zone, task->node, from);
	if (counter_info.counts_nothing)
		return;
	if (likely(from == task->node))
		task->added++;
	else
		notes[from]++;
}

/* The same when an interleaving policy wanted it from there. Rule: alloc_page_interleave(). */
static inline void zone_page_interleaved(struct task *task, int64_t *notes, unsigned int from)
{
	struct zone *zone = &zone_account_of(task)->zone;

	zone_statistics(zone, from, from);
	zone_inc(zone, from, ZONE_INTERLEAVE);
	if (!counter_info.counts_nothing)
		notes[task->run->setup.nodes + from]++;
}

#endif

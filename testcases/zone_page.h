/* SPDX-License-Identifier: GPL-2.0-or-later */
/* zone_page.h - what the statistics are told of a page, around the zone counter compiled in. */
#ifndef TESTCASES_ZONE_PAGE_H
#define TESTCASES_ZONE_PAGE_H

#include "counters/zone_account.h"
#include "testcases/page.h"

static const struct option_row zone_page_options[] = {
	REMOTE_OPTION,
	INTERLEAVE_OPTION,
	{ .name = "scatter",
	  .arg = "0|1",
	  .help = "tasks begin with their parts anywhere below a spill, as in a machine that has "
		  "run for a while, not all with none (0)",
	  .type = OPTION_NUMBER,
	  .low = 0,
	  .high = 1,
	  .fallback = 0 },
	OPTION_END,
};

static inline void zone_count_page(struct task *t, const struct page_source *source, int64_t *notes,
				   unsigned int from)
{
	if (unlikely(source->interleave))
		zone_page_interleaved(t, notes, from);
	else
		zone_page_came(t, notes, from);
}

/*
 * Before the loop: pages that only the statistics see, up to twice the threshold of them. Tasks
 * that all begin with nothing would all spill at once.
 */
static inline void zone_scatter(struct task *t, int64_t *notes)
{
	int64_t threshold = zone_threshold(&zone_account_of(t)->zone);

	if (!setting_value(t->run->setup.settings, "scatter") || !threshold)
		return;
	for (uint64_t left = m_random() % (uint64_t)(2 * threshold); left; left--)
		zone_page_came(t, notes, t->node);
}

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* zone_page.h - what the statistics are told of a page, around the zone counter compiled in. */
#ifndef TESTCASES_ZONE_PAGE_H
#define TESTCASES_ZONE_PAGE_H

#include "counters/zone_account.h"
#include "testcases/page.h"

static const struct option_row zone_page_options[] = { REMOTE_OPTION, INTERLEAVE_OPTION,
						       OPTION_END };

static inline void zone_count_page(struct task *t, const struct page_source *source, int64_t *notes,
				   unsigned int from)
{
	if (unlikely(source->interleave))
		zone_page_interleaved(t, notes, from);
	else
		zone_page_came(t, notes, from);
}

#endif

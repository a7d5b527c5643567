// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * page_alloc1.c - one page allocated and freed, again and again: the loop of the page_bench03 that
 * the threshold of NUMA statistics was measured with. The page comes from a list of the task's own,
 * so that what is left of the allocation is its statistics.
 */
#include "testcases/testcase.h"
#include "testcases/zone_page.h"

TESTCASE(.about = "allocate and free one page from a list of one's own, with its statistics",
	 .modes = PROCESS | THREAD, .charges = 2, .options = zone_page_options,
	 .cannot_run = page_cannot_run, .param = "pages=own-list", .maps_nothing = true)

static void testcase(struct task *t)
{
	struct page_source source = page_source(t);
	struct zone_account *account = zone_account_of(t);
	int64_t *notes = m_notes(t, &account->notes);

	m_sys_page_open(t);
	zone_scatter(t, notes);
	while (task_running(t)) {
		unsigned int from = page_from(&source);

		if (likely(zone_has_pages(account, from))) {
			m_area page = m_sys_page_alloc(t, from);

			zone_count_page(t, &source, notes, from);
			m_sys_page_free(t, page);
		}
		t->ops++;
	}
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * page_alloc2.c - as page_alloc1, but the page is a real one of the kernel's: a fault brings it and
 * MADV_DONTNEED takes it back. The kernel's own statistics are part of that cost.
 */
#include "testcases/testcase.h"
#include "testcases/zone_page.h"

TESTCASE(.about = "fault in and give back one page, with its statistics", .size = KIB(4),
	 .modes = PROCESS | THREAD, .charges = 2, .options = zone_page_options,
	 .cannot_run = page_cannot_run, .param = "pages=faults", .touches_size = true)

static void testcase(struct task *t)
{
	struct page_source source = page_source(t);
	struct zone_account *account = zone_account_of(t);
	int64_t *notes = m_notes(t, &account->notes);
	m_area area = m_sys_map(t, t->size);

	zone_scatter(t, notes);

	while (task_running(t)) {
		unsigned int from = page_from(&source);

		if (likely(zone_has_pages(account, from))) {
			m_sys_fault(t, area);
			zone_count_page(t, &source, notes, from);
			m_sys_discard(t, area, t->size);
		}
		t->ops++;
	}
	m_sys_unmap(t, area, t->size);
}

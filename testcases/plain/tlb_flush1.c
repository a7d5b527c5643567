// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tlb_flush1.c - take the right to write from a page that was just written, and give it back: each
 * time the old translation must go from the TLB of every CPU that runs the process.
 */
#include "counters/overcommit.h"

TESTCASE(.about = "write a page, take the right away, give it back: a TLB flush each",
	 .modes = PROCESS | THREAD, .maps_nothing = true)

static void testcase(struct task *t)
{
	m_area area = m_sys_map(t, PAGE_BYTES);

	while (task_running(t)) {
		m_sys_touch(t, area, true);
		m_sys_set_writable(t, area, PAGE_BYTES, false);
		m_sys_set_writable(t, area, PAGE_BYTES, true);
		t->ops++;
	}
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * brk2.c - as brk1, but the added page cannot join the area before it, since that one is read-only:
 * each operation makes or removes an area of memory, not only moves an end.
 */
#include "testcases/brk.h"

TESTCASE(.about = "as brk1, with an area of its own for the page", .size = KIB(4), .modes = PROCESS,
	 .mode_reason = "threads share one break", .charges = 1)

static void testcase(struct task *t)
{
	m_area end = m_sys_heap_end(t);
	m_area own = (end + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES + PAGE_BYTES;

	m_sys_brk(t, own);
	m_sys_protect(t, own - PAGE_BYTES, PAGE_BYTES);
	brk_loop(t, own);
	m_sys_brk(t, end);
}

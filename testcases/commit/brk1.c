// SPDX-License-Identifier: GPL-2.0-or-later
/* brk1.c - grow and shrink the heap by a page: one charge an operation, smallest of amounts. */
#include "testcases/brk.h"

TESTCASE(.about = "heap grown and shrunk by one page", .size = KIB(4), .modes = PROCESS,
	 .mode_reason = "threads share one break", .charges = 1)

static void testcase(struct task *t)
{
	m_area end = m_sys_heap_end(t);

	brk_loop(t, end);
}

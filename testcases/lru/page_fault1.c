// SPDX-License-Identifier: GPL-2.0-or-later
/* page_fault1.c - touch anonymous memory page by page and unmap it; an operation is one page. */
#include "testcases/fault.h"

static const struct option_row options[] = { REMOTE_OPTION, INTERLEAVE_OPTION, THP_OPTION,
					     OPTION_END };

TESTCASE(.about = "anonymous pages touched one by one, then unmapped; 128 MB", .size = MIB(128),
	 .modes = PROCESS | THREAD, .charges = 2, .options = options,
	 .cannot_run = fault_cannot_run, .touches_size = true)

static void testcase(struct task *t)
{
	fault_loop(t, FAULT_ANONYMOUS);
}

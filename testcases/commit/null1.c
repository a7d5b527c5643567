// SPDX-License-Identifier: GPL-2.0-or-later
/* null1.c - the counter alone, no system call: one add an operation, always of the same sign. */
#include "counters/account.h"

TESTCASE(.about = "the counter alone: one add of a page, no system call", .size = KIB(4),
	 .modes = PROCESS | THREAD, .charges = 1, .maps_nothing = true)

static void testcase(struct task *t)
{
	int64_t pages = t->size / PAGE_BYTES;

	while (task_running(t)) {
		charge(t, pages, SITE_CHARGE);
		t->ops++;
	}
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* lru_add1.c - the counter alone: pages added one by one, then released; nothing is mapped. */
#include "testcases/fault.h"

static const struct option_row options[] = { REMOTE_OPTION, INTERLEAVE_OPTION, OPTION_END };

TESTCASE(.about = "the lists alone: pages added and released, no fault; 4 MB", .size = MIB(4),
	 .modes = PROCESS | THREAD, .charges = 2, .options = options, .cannot_run = page_cannot_run,
	 .maps_nothing = true)

static void testcase(struct task *t)
{
	struct fault f = fault_open(t, FAULT_NOTHING);

	while (task_running(t)) {
		int64_t added = 0;

		while (added < f.pages && task_running(t)) {
			fault_add(&f, added++);
			t->ops++;
		}
		fault_release(&f, 0, added);
	}
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* mmap1.c - map and unmap anonymous memory: two charges an operation, no page touched. */
#include "testcases/vm.h"

TESTCASE(.about = "anonymous mmap/munmap of 128 MB", .size = MIB(128), .modes = PROCESS | THREAD,
	 .charges = 2)

static void testcase(struct task *t)
{
	while (task_running(t)) {
		m_area area = vm_map(t, t->size);

		if (area)
			vm_unmap(t, area, t->size);
		t->ops++;
	}
}

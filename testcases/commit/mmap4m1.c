// SPDX-License-Identifier: GPL-2.0-or-later
/* mmap4m1.c - mmap1 with 4 MB: the case of the 2016 RFC that proposed per-CPU sums. */
#include "testcases/vm.h"

TESTCASE(.about = "anonymous mmap/munmap of 4 MB", .size = MIB(4), .modes = PROCESS | THREAD,
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

// SPDX-License-Identifier: GPL-2.0-or-later
/* mmap2.c - map and unmap a file privately: two charges an operation, since it may be written. */
#include "testcases/vm.h"

TESTCASE(.about = "private file mmap/munmap of 128 MB, untouched", .size = MIB(128),
	 .modes = PROCESS | THREAD, .charges = 2, .files = 1)

static void testcase(struct task *t)
{
	int file = m_sys_file_open(t, t->size);

	while (task_running(t)) {
		m_area area = vm_map_private(t, file, t->size);

		if (area)
			vm_unmap(t, area, t->size);
		t->ops++;
	}
}

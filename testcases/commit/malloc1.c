// SPDX-License-Identifier: GPL-2.0-or-later
/* malloc1.c - a large piece from malloc and back: the C library maps and unmaps each anew. */
#include "testcases/vm.h"

TESTCASE(.about = "malloc/free of 128 MB", .size = MIB(128), .modes = PROCESS | THREAD,
	 .charges = 2)

static void testcase(struct task *t)
{
	while (task_running(t)) {
		m_area piece = vm_malloc(t, t->size);

		if (piece)
			vm_free(t, piece, t->size);
		t->ops++;
	}
}

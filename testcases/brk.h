/* SPDX-License-Identifier: GPL-2.0-or-later */
/* brk.h - the loop of the brk testcases: the heap grows and shrinks, each an operation. */
#ifndef TESTCASES_BRK_H
#define TESTCASES_BRK_H

#include "testcases/vm.h"

static inline void brk_loop(struct task *t, m_area end)
{
	while (task_running(t)) {
		if (vm_brk_grow(t, end, t->size)) {
			t->ops++;
			vm_brk_shrink(t, end, t->size);
		}
		t->ops++;
	}
}

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
/* madvise1.c - touch pages and give them back with MADV_DONTNEED; the area stays mapped. */
#include "counters/overcommit.h"

TESTCASE(.about = "touch 1 MB and give it back with MADV_DONTNEED", .size = MIB(1),
	 .modes = PROCESS | THREAD, .touches_size = true)

static void testcase(struct task *t)
{
	m_area area = m_sys_map(t, t->size);

	while (task_running(t)) {
		for (int64_t at = 0; at < t->size && task_running(t); at += PAGE_BYTES)
			m_sys_fault(t, area + (m_area)at);
		m_sys_discard(t, area, t->size);
		t->ops++;
	}
}

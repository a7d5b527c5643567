// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * page_fault_read1.c - read faults of a file that is in memory: a fault maps what is there, and the
 * kernel may map its neighbours too, so that an operation is a page read, not a fault taken.
 */
#include "counters/overcommit.h"

TESTCASE(.about = "read faults of a file of 16 MB, an operation a page", .size = MIB(16),
	 .modes = PROCESS | THREAD, .touches_size = true, .files = 1)

static void testcase(struct task *t)
{
	int file = m_sys_file_open(t, t->size);
	m_area area = m_sys_map_file(t, file, t->size, true);

	/* Each page is in the file before the loop: what is read is no hole. */
	for (int64_t at = 0; at < t->size && task_running(t); at += PAGE_BYTES)
		m_sys_touch(t, area + (m_area)at, true);
	m_sys_unmap(t, area, t->size);
	while (task_running(t)) {
		area = m_sys_map_file(t, file, t->size, true);
		for (int64_t at = 0; at < t->size && task_running(t); at += PAGE_BYTES) {
			m_sys_fault_read(t, area + (m_area)at);
			t->ops++;
		}
		m_sys_unmap(t, area, t->size);
	}
}

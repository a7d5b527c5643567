// SPDX-License-Identifier: GPL-2.0-or-later
/* move_pages1.c - move 64 pages from one NUMA node to another and back, an operation each way. */
#include "counters/overcommit.h"

static const char *cannot_run(const struct kind_args *args)
{
	return args->nodes < 2 ? "it moves pages between two NUMA nodes: this machine has one"
			       : NULL;
}

TESTCASE(.about = "move_pages of 64 pages between two NUMA nodes", .modes = PROCESS | THREAD,
	 .cannot_run = cannot_run, .maps_nothing = true)

#define PAGES 64

static void testcase(struct task *t)
{
	m_area area = m_sys_map(t, (int64_t)PAGES * PAGE_BYTES);
	int first = m_sys_node(t, 0);
	int second = m_sys_node(t, 1);
	int to = second;

	/* With --nodes there may be fewer than are counted by. */
	if (second < 0)
		m_sys_give_up(t, "it moves pages between two NUMA nodes that have memory: this "
				 "machine has one");
	for (int64_t at = 0; at < (int64_t)PAGES * PAGE_BYTES; at += PAGE_BYTES)
		m_sys_touch(t, area + (m_area)at, true);
	while (task_running(t)) {
		m_sys_move_pages(t, area, PAGES, to);
		to = to == first ? second : first;
		t->ops++;
	}
}

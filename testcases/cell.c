// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cell.c - the template that every cell is compiled from. The Makefile defines KIND_FILE,
 * COUNTER_FILE and TESTCASE_FILE (what to compile together), CELL (the symbol), and the names
 * CELL_MACHINE, CELL_KIND, CELL_TESTCASE, CELL_COUNTER.
 */
#include KIND_FILE
#include "testcases/cell.h"
#include "testcases/testcase.h"

#include TESTCASE_FILE

/* What --readers tasks do instead: read again and again, and time it. */
static void read_counter(struct task *t)
{
	int64_t (*read)(void *) = t->reads_exact ? kind_ops.sum : kind_ops.read;

	while (task_running(t)) {
		int64_t before = m_now();

		read(t->counter);
		t->read_ns += (uint64_t)(m_now() - before);
		t->reads++;
	}
}

extern const struct cell CELL;

const struct cell CELL = {
	.machine = CELL_MACHINE,
	.kind = CELL_KIND,
	.testcase = CELL_TESTCASE,
	.counter = CELL_COUNTER,
	.info = &testcase_info,
	.counter_info = &counter_info,
	.kind_ops = &kind_ops,
	.body = testcase,
	.reader = read_counter,
};

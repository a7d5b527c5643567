// SPDX-License-Identifier: GPL-2.0-or-later
/* fork1.c - fork a child that ends at once, and wait for it. */
TESTCASE(.about = "fork, exit and wait", .modes = PROCESS | THREAD, .maps_nothing = true)

static void testcase(struct task *t)
{
	while (task_running(t)) {
		m_sys_fork(t);
		t->ops++;
	}
}

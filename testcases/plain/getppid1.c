// SPDX-License-Identifier: GPL-2.0-or-later
/* getppid1.c - the cheapest system call there is: the floor of the harness. */
TESTCASE(.about = "getppid, the cheapest system call: the harness's floor",
	 .modes = PROCESS | THREAD, .maps_nothing = true)

static void testcase(struct task *t)
{
	while (task_running(t)) {
		m_sys_getppid(t);
		t->ops++;
	}
}

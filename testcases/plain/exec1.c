// SPDX-License-Identifier: GPL-2.0-or-later
/* exec1.c - start a program that does nothing, and wait for it. */
TESTCASE(.about = "start /bin/true and wait", .modes = PROCESS | THREAD, .maps_nothing = true)

static void testcase(struct task *t)
{
	while (task_running(t)) {
		m_sys_exec(t);
		t->ops++;
	}
}

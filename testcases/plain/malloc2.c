// SPDX-License-Identifier: GPL-2.0-or-later
/* malloc2.c - a small piece from malloc and back: no system call, so nothing is charged. */
TESTCASE(.about = "malloc/free of 1 KB", .modes = PROCESS | THREAD, .maps_nothing = true)

static void testcase(struct task *t)
{
	while (task_running(t)) {
		m_area piece = m_sys_malloc(t, KIB(1));

		m_sys_free(t, piece);
		t->ops++;
	}
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* mprotect1.c - change the protection of an area without pages: the area's own cost alone. */
TESTCASE(.about = "mprotect of 128 MB, untouched, to and fro", .size = MIB(128),
	 .modes = PROCESS | THREAD)

static void testcase(struct task *t)
{
	m_area area = m_sys_map(t, t->size);

	while (task_running(t)) {
		m_sys_set_writable(t, area, t->size, false);
		m_sys_set_writable(t, area, t->size, true);
		t->ops++;
	}
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * file.c - the files that testcases map: without a name, so that nothing is left behind, whatever
 * ends the task. And huge pages, as far as this host has them.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "machine/native/env_read.h"
#include "machine/native/primitives.h"
#include "machine/native/sys.h"
#include "machine/option.h"

/*
 * A page of a mapped file that cannot be had is no error of a call: the task that touches it gets
 * SIGBUS. Formatting in the handler is safe here, since the signal comes of a touch and of nothing
 * else.
 */
static void tell_bus_error(int signal, siginfo_t *info, void *context)
{
	struct task *task = m_task();

	(void)signal, (void)context;
	if (info->si_code == BUS_ADRERR)
		error_set(&task->error,
			  "task %u: there is no room for a page of its shared file (SIGBUS): the "
			  "file system or a quota is full; give a smaller --size, fewer --tasks "
			  "or another --file-dir",
			  task->slot);
	else
		error_set(&task->error, "task %u: a bad page of memory or of a file (SIGBUS, %d)",
			  task->slot, info->si_code);
	_exit(1);
}

static void expect_bus_errors(void)
{
	struct sigaction action = { .sa_sigaction = tell_bus_error, .sa_flags = SA_SIGINFO };

	sigemptyset(&action.sa_mask);
	sigaction(SIGBUS, &action, NULL);
}

int m_sys_file_open(struct task *task, int64_t size)
{
	const char *folder = setting_text(task->run->setup.settings, "file-dir");
	int file;

	if (folder)
		file = open(folder, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
	else
		file = memfd_create("will-it-batch", MFD_CLOEXEC);
	if (file < 0)
		native_fail(task,
			    folder ? "making a file without a name (O_TMPFILE) in --file-dir, of "
				     "bytes"
				   : "memfd_create of bytes",
			    size);
	if (ftruncate(file, size) != 0)
		native_fail(task, "ftruncate to bytes", size);
	expect_bus_errors();
	return file;
}

void m_sys_file_close(struct task *task, int file)
{
	if (close(file) != 0)
		native_fail(task, "close of file", file);
}

enum m_huge m_sys_huge_pages(void)
{
	FILE *file = env_open("", "/sys/kernel/mm/transparent_hugepage/enabled");
	char line[80];

	if (!env_line(file, line, sizeof(line)))
		return M_HUGE_NEVER;
	if (env_has_word(line, ' ', "[always]"))
		return M_HUGE_ALWAYS;
	return env_has_word(line, ' ', "[madvise]") ? M_HUGE_MADVISE : M_HUGE_NEVER;
}

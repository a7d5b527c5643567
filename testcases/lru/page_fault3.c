// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * page_fault3.c - as page_fault1 with a shared mapping of a file. The pages are the file's and stay
 * in memory when it is unmapped: only the first round adds them, as in the kernel, and the rounds
 * after it show faults without an LRU. With --file-pages=drop each round takes them out of the file
 * too, so that the next adds them anew.
 */
#include "testcases/fault.h"

static const struct option_row options[] = {
	REMOTE_OPTION,
	INTERLEAVE_OPTION,
	THP_OPTION,
	FILE_DIR_OPTION,
	{ .name = "file-pages",
	  .arg = "keep|drop",
	  .help = "whether a shared file's pages outlive a round, as its mapping does not (keep)",
	  .type = OPTION_CHOICE,
	  .choices = file_pages_names },
	OPTION_END,
};

TESTCASE(.about = "as page_fault1 in a shared mapping of a file", .size = MIB(128),
	 .modes = PROCESS | THREAD, .options = options, .cannot_run = fault_file_cannot_run,
	 .touches_size = true, .files = 1)

static void testcase(struct task *t)
{
	fault_loop(t, FAULT_SHARED_FILE);
}

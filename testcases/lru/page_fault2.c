// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * page_fault2.c - as page_fault1 with a private mapping of a file: each touch makes a copy of a
 * page of the file. The copies are what is added and released; the file's own pages come once, in
 * the first round, and are not counted.
 */
#include "testcases/fault.h"

static const struct option_row options[] = { REMOTE_OPTION, INTERLEAVE_OPTION, THP_OPTION,
					     FILE_DIR_OPTION, OPTION_END };

TESTCASE(.about = "as page_fault1 in a private mapping of a file", .size = MIB(128),
	 .modes = PROCESS | THREAD, .charges = 2, .options = options,
	 .cannot_run = fault_file_cannot_run, .touches_size = true, .files = 1)

static void testcase(struct task *t)
{
	fault_loop(t, FAULT_PRIVATE_FILE);
}

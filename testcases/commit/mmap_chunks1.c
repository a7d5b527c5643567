// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * mmap_chunks1.c - 4 MB as 32 areas that do not merge, unmapped with one call: 64 charges an
 * operation if each counts by itself, 33 as the kernel counts, 2 if the caller gathers them.
 */
#include "testcases/chunks.h"

#define CHUNKS 32

static const char *cannot_run(const struct kind_args *args)
{
	return args->size % (CHUNKS * PAGE_BYTES) ? "--size must be a multiple of 128K, 32 pages"
						  : NULL;
}

TESTCASE(.about = "4 MB as 32 areas, one unmap for all", .size = MIB(4), .modes = PROCESS | THREAD,
	 .charges = CHUNKS + 1, .options = coalesce_options, .cannot_run = cannot_run)

static void testcase(struct task *t)
{
	struct chunks chunks = chunks_of(t, CHUNKS);

	while (task_running(t)) {
		if (chunks_map(t, &chunks))
			chunks_unmap(t, &chunks);
		t->ops++;
	}
}

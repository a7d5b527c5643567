// SPDX-License-Identifier: GPL-2.0-or-later
/* overcommit.c - the kernel's rules for committed memory as pure functions. */
#include "counters/overcommit.h"

const char *const overcommit_policies[OVERCOMMIT_POLICIES + 1] = {
	[OVERCOMMIT_GUESS] = "guess",
	[OVERCOMMIT_ALWAYS] = "always",
	[OVERCOMMIT_NEVER] = "never",
};

static int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

int64_t overcommit_batch(int64_t memory_pages, unsigned int cpus, int64_t multiple)
{
	int64_t per_cpu = memory_pages / (int64_t)cpus;
	int64_t floor = larger(2 * (int64_t)cpus, 32);
	int64_t batch;

	if (__builtin_mul_overflow(per_cpu, multiple, &batch) || batch / 256 > COMMIT_BATCH_LIMIT)
		return COMMIT_BATCH_LIMIT;
	return larger(batch / 256, floor);
}

int64_t overcommit_multiple(enum overcommit_policy policy)
{
	return policy == OVERCOMMIT_NEVER ? 1 : 64;
}

int64_t overcommit_limit(int64_t memory_pages, int64_t swap_pages, int64_t ratio_pct,
			 int64_t kbytes)
{
	int64_t memory_part =
		kbytes > 0 ? kbytes / (PAGE_BYTES / 1024) : memory_pages * ratio_pct / 100;

	return memory_part + swap_pages;
}

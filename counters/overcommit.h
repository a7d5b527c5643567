/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * overcommit.h - the kernel's rules for committed memory as pure functions: batch, commit limit,
 * what a policy admits. Pages are 4 KiB. Rules: mm_compute_batch, vm_commit_limit and
 * __vm_enough_memory, Linux 5.9 and later.
 */
#ifndef COUNTERS_OVERCOMMIT_H
#define COUNTERS_OVERCOMMIT_H

#include <stdbool.h>
#include <stdint.h>

#define PAGE_BYTES 4096
#define COMMIT_BATCH_LIMIT INT32_MAX /* the kernel's batch is an s32 */

/* The numbers that /proc/sys/vm/overcommit_memory takes. */
enum overcommit_policy {
	OVERCOMMIT_GUESS,
	OVERCOMMIT_ALWAYS,
	OVERCOMMIT_NEVER,
	OVERCOMMIT_POLICIES,
};

extern const char *const overcommit_policies[OVERCOMMIT_POLICIES + 1];

/*
 * Batch in pages of `multiple` times the 0.4 % rule: max((R / cpus) * multiple / 256, floor) with R
 * pages of memory, at most INT_MAX. The floor, max(2 * cpus, 32), comes after the multiple.
 */
int64_t overcommit_batch(int64_t memory_pages, unsigned int cpus, int64_t multiple);

/* The kernel's own multiple: 1 under NEVER, which must be precise; 64 otherwise. */
int64_t overcommit_multiple(enum overcommit_policy policy);

/* All in pages. */
struct overcommit_limits {
	int64_t memory;	       /* total RAM */
	int64_t swap;	       /* total swap */
	int64_t commit_limit;  /* what NEVER may hand out in all */
	int64_t admin_reserve; /* kept for an administrator, unless one asks */
	int64_t user_reserve;  /* kept so that one process cannot take all */
	bool cap_sys_admin;
};

/* `kbytes` > 0 sets the limit's RAM part, else `ratio_pct` percent of memory; swap adds to it. */
int64_t overcommit_limit(int64_t memory_pages, int64_t swap_pages, int64_t ratio_pct,
			 int64_t kbytes);

/* What NEVER lets the sum of commitments come up to (and not reach), for a task with `mapped`. */
static inline int64_t overcommit_allowed(const struct overcommit_limits *limits, int64_t mapped)
{
	int64_t allowed = limits->commit_limit;
	int64_t user = mapped / 32;

	if (!limits->cap_sys_admin)
		allowed -= limits->admin_reserve;
	return allowed - (user < limits->user_reserve ? user : limits->user_reserve);
}

#endif

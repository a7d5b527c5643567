/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * account.h - the accounting around a commit counter: charging, and admitting by policy. Rule:
 * __vm_enough_memory, Linux 5.9 and later: account first, then ask the policy, take it back on
 * refusal; NEVER asks the cheap read.
 */
#ifndef COUNTERS_ACCOUNT_H
#define COUNTERS_ACCOUNT_H

#include "counters/commit.h"
#include "counters/overcommit.h"

struct account {
	struct commit commit;
	M_LINE_APART m_word policy; /* enum overcommit_policy: read by all, written on a switch */
	struct overcommit_limits limits; /* never change during a run */
	int64_t loosest_batch; /* the largest that a part may still have grown under; conductor's */
	bool synced;	       /* parts have been brought in, which is no spill; conductor's */
};

static inline struct account *account_of(const struct task *task)
{
	return (struct account *)task->counter;
}

/*
 * One charge: the counter, and beside it the task's own tally that the counter is checked against.
 */
static inline void charge(struct task *task, int64_t pages, enum commit_site site)
{
	commit_add(&account_of(task)->commit, pages, site);
	task->added += pages;
	task->charges++;
}

/* The part of a machine's policy that looks at the request: true when it is admitted. */
static inline bool admits(struct account *account, const struct task *task, int64_t pages)
{
	const struct overcommit_limits *limits = &account->limits;
	int64_t committed;

	switch (m_load(&account->policy)) {
	case OVERCOMMIT_ALWAYS:
		return true;
	case OVERCOMMIT_GUESS:
		return pages <= limits->memory + limits->swap;
	}
	committed = commit_read(&account->commit);
	return (committed > 0 ? committed : 0) < overcommit_allowed(limits, task->mapped);
}

/* Charges `pages` if the policy admits them; false when it does not, with nothing charged. */
static inline bool vm_enough_memory(struct task *task, int64_t pages)
{
	charge(task, pages, SITE_CHARGE);
	if (likely(admits(account_of(task), task, pages)))
		return true;
	charge(task, -pages, SITE_UNCHARGE);
	task->refused++;
	return false;
}

#endif

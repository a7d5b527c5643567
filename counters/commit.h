/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * commit.h - the kind "commit": counters of committed memory, one signed count of pages.
 *
 * A counter is one header in commit/ that defines struct commit and the functions below; their
 * prototypes stand before the include, so that a wrong signature does not compile. What it needs
 * from the machine is in machine/machine.h and machine/spinlock.h.
 */
#ifndef COUNTERS_COMMIT_H
#define COUNTERS_COMMIT_H

#include "counters/counter.h"
#include "machine/machine.h"
#include "machine/spinlock.h"

/* Where a lock is taken from: what the kernel's call graphs tell apart. */
enum commit_site {
	SITE_CHARGE,   /* the mmap side */
	SITE_UNCHARGE, /* the munmap side */
	SITE_SUM,      /* an exact read */
	SITE_SYNC,     /* a policy change */
};

struct commit;

/* Sets the counter up in the run's arena, which is zeroed: allocates its per-CPU parts. */
static inline void commit_init(struct commit *c, struct m_run *run, int64_t batch);
/* Adds pages (may be negative) on behalf of the calling slot. */
static inline void commit_add(struct commit *c, int64_t pages, enum commit_site site);
/* The cheap read: may be off by commit_error_bound. May be negative for a moment. */
static inline int64_t commit_read(struct commit *c);
/* The exact read; exact only while no add is in progress. */
static inline int64_t commit_sum(struct commit *c);
/* Moves the calling slot's part into the shared count. */
static inline void commit_sync(struct commit *c);
static inline int64_t commit_batch(const struct commit *c);
static inline void commit_set_batch(struct commit *c, int64_t batch);
/* Largest error of the cheap read, in pages, when no part has grown under more than `batch`. */
static inline int64_t commit_error_bound(const struct commit *c, int64_t batch);

#include COUNTER_FILE

/*
 * -1, 0 or 1 as the count is below, at or above `pages`: from the cheap read where that is far
 * enough away, else from the exact one. Rule: __percpu_counter_compare, Linux 6.x.
 */
static inline int commit_compare(struct commit *c, int64_t pages)
{
	int64_t count = commit_read(c);
	int64_t unsure = commit_error_bound(c, commit_batch(c));

	if (count >= pages - unsure && count <= pages + unsure)
		count = commit_sum(c);
	return count < pages ? -1 : count > pages;
}

#endif

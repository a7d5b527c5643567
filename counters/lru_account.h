/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lru_account.h - a task's pages: added to the lru counter and released from it, and beside it the
 * task's own tally that the counter is checked against, in pages of 4 KiB.
 */
#ifndef COUNTERS_LRU_ACCOUNT_H
#define COUNTERS_LRU_ACCOUNT_H

#include "counters/lru.h"

static inline struct lru *lru_of(const struct task *task)
{
	return (struct lru *)task->counter;
}

/* A page of `node` is taken and added: what a fault does. */
static inline struct lru_page *page_add(struct task *task, unsigned int node, bool compound)
{
	struct lru *lru = lru_of(task);
	struct lru_page *page = lru_page_take(&lru->base, node, compound);

	lru_add(lru, page);
	task->added += compound ? LRU_COMPOUND_PAGES : 1;
	task->charges++;
	return page;
}

/* The other way, for as many pages as a batch gathers; their addresses are used up. */
static inline void pages_release(struct task *task, struct lru_page **pages, int64_t count)
{
	for (int64_t i = 0; i < count; i++)
		task->added -= lru_pages(m_load(&pages[i]->state));
	task->charges += (uint64_t)count;
	lru_release(lru_of(task), pages, count);
}

#endif

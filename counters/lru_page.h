/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lru_page.h - descriptors of pages, the lists of the nodes, and each slot's free pages: what all
 * counters of the kind "lru" work on.
 */
#ifndef COUNTERS_LRU_PAGE_H
#define COUNTERS_LRU_PAGE_H

#include "machine/machine.h"
#include "machine/spinlock.h"

#define LRU_BATCH_DEFAULT 15   /* PAGEVEC_SIZE of Linux 4.16 to 6.8 */
#define LRU_BATCH_LIMIT 255    /* the number of pages in a vector is an unsigned char */
#define LRU_COMPOUND_PAGES 512 /* a huge page of 2 MiB */

/* Where a lock is taken from: what the kernel's call graphs tell apart. */
enum lru_site {
	SITE_ADD,     /* a full vector, on the fault's side */
	SITE_RELEASE, /* unmapping */
	SITE_DRAIN,   /* a drain of every CPU */
};

/* A page's state: flags, and above them its node, in one word as in the kernel's page->flags. */
#define LRU_TAKEN 1	/* not free */
#define LRU_WAITING 2	/* in a vector */
#define LRU_LISTED 4	/* on the list of its node */
#define LRU_GONE 8	/* unmapped while it waited: the drain frees it */
#define LRU_COMPOUND 16 /* stands for LRU_COMPOUND_PAGES */
#define LRU_NODE_SHIFT 8

struct lru_links {
	m_word next, prev; /* addresses of other links; a ring with the list's head in it */
};

/*
 * A line each, as struct page: to link a page writes the line of the one that was first, which may
 * be another CPU's.
 */
struct lru_page {
	struct lru_links links;
	m_word state;
	/* No part of what is measured: */
	int64_t next_free; /* the owner's */
	int64_t seen;	   /* the last check that met it; the conductor's */
} __attribute__((aligned(M_LINE_BYTES)));

_Static_assert(sizeof(struct lru_page) == M_LINE_BYTES, "a line each");

/* The lock has a line of its own, as pgdat->lru_lock had in Linux 4.8 to 5.10. */
struct lru_list {
	M_LINE_APART struct spinlock lock;
	M_LINE_APART struct lru_links head;
	m_word size; /* pages of 4 KiB on it */
};

/* A slot's own notes, in plain memory; behind them its page table, an entry for each 4 KiB. */
struct lru_notes {
	int64_t fresh;	    /* pages that were ever taken: those behind are untouched memory */
	int64_t first_free; /* address of a struct lru_page, or 0 */
	int64_t table[];
};

/* What every counter has before its own. */
struct lru_base {
	struct lru_list *lists;
	unsigned int nodes;
	int64_t per_slot; /* descriptors of a slot */
	struct m_percpu pages, notes;
	int64_t checks; /* the conductor's */
};

static inline unsigned int lru_node(int64_t state)
{
	return (unsigned int)(state >> LRU_NODE_SHIFT);
}

/* How many pages of 4 KiB a page is. */
static inline int64_t lru_pages(int64_t state)
{
	return state & LRU_COMPOUND ? LRU_COMPOUND_PAGES : 1;
}

static inline struct lru_notes *lru_notes(const struct lru_base *base, const struct task *task)
{
	return (struct lru_notes *)m_notes(task, &base->notes);
}

/* The first descriptor of a slot. */
static inline struct lru_page *lru_first_page(const struct lru_base *base, const struct task *task)
{
	return (struct lru_page *)m_notes(task, &base->pages);
}

/*
 * Takes a free page of the calling slot's, the one that was freed last. What the page allocator
 * costs is the machine's to know. A page that no run has needed yet is memory that nobody touched.
 */
static inline struct lru_page *lru_page_take(const struct lru_base *base, unsigned int node,
					     bool compound)
{
	struct task *task = m_task();
	struct lru_notes *notes = lru_notes(base, task);
	struct lru_page *page = (struct lru_page *)notes->first_free;
	int64_t state = (int64_t)node << LRU_NODE_SHIFT | LRU_TAKEN;

	if (likely(page)) {
		notes->first_free = page->next_free;
	} else {
		/* There are as many as can be mapped and wait: the others have been lost. */
		if (unlikely(notes->fresh == base->per_slot))
			m_sys_give_up(task, "the counter is wrong: a slot has no page left, though "
					    "it has not mapped all");
		page = lru_first_page(base, task) + notes->fresh++;
	}
	m_store(&page->state, compound ? state | LRU_COMPOUND : state);
	return page;
}

/* Frees a page of the calling slot's. */
static inline void lru_page_free(const struct lru_base *base, struct lru_page *page)
{
	struct lru_notes *notes = lru_notes(base, m_task());

	m_store(&page->state, 0);
	page->next_free = notes->first_free;
	notes->first_free = (int64_t)page;
}

/* Goes over to the lock of a page's node, unless it is the one that is held. NULL: none is. */
static inline struct lru_list *lru_relock(const struct lru_base *base, struct lru_list *held,
					  int64_t state, enum lru_site site)
{
	struct lru_list *list = &base->lists[lru_node(state)];

	if (likely(list == held))
		return held;
	if (held)
		spin_unlock(&held->lock);
	spin_lock(&list->lock, site);
	return list;
}

static inline void lru_resize(struct lru_list *list, int64_t pages)
{
	int64_t size = m_load(&list->size);

	m_sys_lru_link();
	m_store(&list->size, size + pages);
}

/* Puts a page at the head of its list, whose lock is held. */
static inline void lru_link(struct lru_list *list, struct lru_page *page, int64_t state)
{
	struct lru_links *first = (struct lru_links *)m_load(&list->head.next);

	m_store(&page->links.next, (int64_t)first);
	m_store(&page->links.prev, (int64_t)&list->head);
	m_store(&first->prev, (int64_t)&page->links);
	m_store(&list->head.next, (int64_t)&page->links);
	m_store(&page->state, (state & ~LRU_WAITING) | LRU_LISTED);
	lru_resize(list, lru_pages(state));
}

/* Takes it off again. */
static inline void lru_unlink(struct lru_list *list, struct lru_page *page, int64_t state)
{
	struct lru_links *next = (struct lru_links *)m_load(&page->links.next);
	struct lru_links *prev = (struct lru_links *)m_load(&page->links.prev);

	m_store(&next->prev, (int64_t)prev);
	m_store(&prev->next, (int64_t)next);
	m_store(&page->state, state & ~LRU_LISTED);
	lru_resize(list, -lru_pages(state));
}

/* Pages of 4 KiB on all lists. */
static inline int64_t lru_lists_size(const struct lru_base *base)
{
	int64_t sum = 0;

	for (unsigned int node = 0; node < base->nodes; node++)
		sum += m_load(&base->lists[node].size);
	return sum;
}

#endif

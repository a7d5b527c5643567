/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lru.h - the kind "lru": pages on their way to a list that a lock guards, one list for each NUMA
 * node. A counter says when a page gets there: at once, or together with others.
 *
 * A counter is one header in lru/ that defines struct lru, whose first member is struct lru_base,
 * and the functions below; their prototypes stand before the include, so that a wrong signature
 * does not compile. Pages are those of counters/lru_page.h.
 */
#ifndef COUNTERS_LRU_H
#define COUNTERS_LRU_H

#include "counters/counter.h"
#include "counters/lru_page.h"

struct lru;

/*
 * Sets up what is the counter's own, in the arena, which is zeroed; its base follows. `batch` is
 * the size of its vectors, from 1 to LRU_BATCH_LIMIT.
 */
static inline void lru_init(struct lru *lru, struct m_run *run, int64_t batch);
/* A page of the calling slot's own has been mapped: it goes to its node's list, or waits for it. */
static inline void lru_add(struct lru *lru, struct lru_page *page);
/*
 * The calling slot has unmapped `count` pages, at most lru_batch() of them: they leave their lists
 * and are free, but for those that still wait, which the drain frees. `pages` is used up.
 */
static inline void lru_release(struct lru *lru, struct lru_page **pages, int64_t count);
/* Puts what waits in the calling slot on the lists. */
static inline void lru_drain(struct lru *lru);
/* The cheap read: pages of 4 KiB on all lists, at most lru_error_bound() less than are mapped. */
static inline int64_t lru_read(struct lru *lru);
/* The exact read: with those that wait; exact only while none is added or released. */
static inline int64_t lru_sum(struct lru *lru);
static inline int64_t lru_batch(const struct lru *lru);
static inline int64_t lru_error_bound(const struct lru *lru);
/* The nth page that waits in a slot, from 0; NULL: there are no more. For checks. */
static inline struct lru_page *lru_waiting(struct lru *lru, unsigned int slot, int64_t nth);

#include COUNTER_FILE

#endif

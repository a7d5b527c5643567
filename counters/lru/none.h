/* SPDX-License-Identifier: GPL-2.0-or-later */
/* none.h - no list at all: the workload alone, the floor under every other row. */
COUNTER(.about = "no list: the workload alone", .counts_nothing = true)

struct lru {
	struct lru_base base;
};

static inline void lru_init(struct lru *lru, struct m_run *run, int64_t batch)
{
	(void)lru, (void)run, (void)batch;
}

static inline void lru_add(struct lru *lru, struct lru_page *page)
{
	(void)lru, (void)page;
}

/* A page has still to come from somewhere, and to go back there. */
static inline void lru_release(struct lru *lru, struct lru_page **pages, int64_t count)
{
	for (int64_t i = 0; i < count; i++)
		lru_page_free(&lru->base, pages[i]);
}

static inline void lru_drain(struct lru *lru)
{
	(void)lru;
}

static inline int64_t lru_read(struct lru *lru)
{
	(void)lru;
	return 0;
}

static inline int64_t lru_sum(struct lru *lru)
{
	(void)lru;
	return 0;
}

static inline int64_t lru_batch(const struct lru *lru)
{
	(void)lru;
	return 1;
}

static inline int64_t lru_error_bound(const struct lru *lru)
{
	(void)lru;
	return 0;
}

static inline struct lru_page *lru_waiting(struct lru *lru, unsigned int slot, int64_t nth)
{
	(void)lru, (void)slot, (void)nth;
	return NULL;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* direct.h - no vector: each page takes the lock of its node's list, going there and leaving. */
COUNTER(.about = "the list's lock for each page by itself")

struct lru {
	struct lru_base base;
};

static inline void lru_init(struct lru *lru, struct m_run *run, int64_t batch)
{
	(void)lru, (void)run, (void)batch;
}

static inline void lru_add(struct lru *lru, struct lru_page *page)
{
	int64_t state = m_load(&page->state);
	struct lru_list *list = lru_relock(&lru->base, NULL, state, SITE_ADD);

	lru_link(list, page, state);
	spin_unlock(&list->lock);
}

static inline void lru_release(struct lru *lru, struct lru_page **pages, int64_t count)
{
	for (int64_t i = 0; i < count; i++) {
		int64_t state = m_load(&pages[i]->state);
		struct lru_list *list = lru_relock(&lru->base, NULL, state, SITE_RELEASE);

		lru_unlink(list, pages[i], state);
		spin_unlock(&list->lock);
		lru_page_free(&lru->base, pages[i]);
	}
}

static inline void lru_drain(struct lru *lru)
{
	(void)lru;
}

static inline int64_t lru_read(struct lru *lru)
{
	return lru_lists_size(&lru->base);
}

static inline int64_t lru_sum(struct lru *lru)
{
	return lru_lists_size(&lru->base);
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

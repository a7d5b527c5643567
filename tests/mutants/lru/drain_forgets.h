/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * drain_forgets.h - a drain of every CPU empties the vectors and links nothing.
 * Caught by: run, contract
 */
COUNTER(.about = "broken: a drain of every CPU loses pages", .has_batch = true)

struct lru {
	struct lru_base base;
	struct m_percpu vector; /* a header as below, then the pages' addresses */
	M_LINE_APART m_word batch;
};

/* A vector's header: how many pages wait, and above that how many of them were unmapped since. */
#define VECTOR_GONE ((int64_t)1 << 32)
#define VECTOR_COUNT (VECTOR_GONE - 1)

static inline void lru_init(struct lru *lru, struct m_run *run, int64_t batch)
{
	m_percpu_alloc(run, &lru->vector, 1 + (unsigned int)batch);
	m_store(&lru->batch, batch);
}

static inline void vector_drain(struct lru *lru, m_word *vector, enum lru_site site)
{
	int64_t count = m_load(vector) & VECTOR_COUNT;
	struct lru_list *held = NULL;

	for (int64_t i = 1; i <= count; i++) {
		struct lru_page *page = (struct lru_page *)m_load(&vector[i]);
		int64_t state = m_load(&page->state);

		if (unlikely(state & LRU_GONE)) {
			lru_page_free(&lru->base, page);
			continue;
		}
		held = lru_relock(&lru->base, held, state, site);
		lru_link(held, page, state);
	}
	if (held) {
		spin_unlock(&held->lock);
		m_spilled();
	}
	m_store(vector, 0);
}

/* A huge page does not wait, nor do those that it finds waiting. */
static inline void lru_add(struct lru *lru, struct lru_page *page)
{
	m_word *vector = m_my_part(&lru->vector);
	int64_t batch = m_load(&lru->batch);
	int64_t header = m_load(vector) + 1;
	int64_t count = header & VECTOR_COUNT;
	int64_t state = m_load(&page->state);

	m_store(&page->state, state | LRU_WAITING);
	m_store(&vector[count], (int64_t)page);
	m_store(vector, header);
	if (unlikely(count == batch || state & LRU_COMPOUND))
		vector_drain(lru, vector, SITE_ADD);
}

static inline void lru_release(struct lru *lru, struct lru_page **pages, int64_t count)
{
	m_word *vector = m_my_part(&lru->vector);
	struct lru_list *held = NULL;
	int64_t freed = 0;

	for (int64_t i = 0; i < count; i++) {
		int64_t state = m_load(&pages[i]->state);

		if (unlikely(state & LRU_WAITING)) {
			int64_t header = m_load(vector);

			m_store(&pages[i]->state, state | LRU_GONE);
			m_store(vector, header + VECTOR_GONE);
			continue;
		}
		held = lru_relock(&lru->base, held, state, SITE_RELEASE);
		lru_unlink(held, pages[i], state);
		pages[freed++] = pages[i];
	}
	if (held)
		spin_unlock(&held->lock);
	for (int64_t i = 0; i < freed; i++)
		lru_page_free(&lru->base, pages[i]);
}

static inline void lru_drain(struct lru *lru)
{
	m_word *vector = m_my_part(&lru->vector);

	m_store(vector, 0);
}

static inline int64_t lru_read(struct lru *lru)
{
	return lru_lists_size(&lru->base);
}

static inline int64_t lru_sum(struct lru *lru)
{
	int64_t sum = lru_lists_size(&lru->base);

	for (unsigned int slot = 0; slot < m_slots(); slot++) {
		m_word *vector = m_part_of(&lru->vector, slot);
		int64_t header = m_load(vector);

		sum += (header & VECTOR_COUNT) - header / VECTOR_GONE;
	}
	return sum;
}

static inline int64_t lru_batch(const struct lru *lru)
{
	return m_load(&lru->batch);
}

static inline int64_t lru_error_bound(const struct lru *lru)
{
	int64_t batch = m_load(&lru->batch);

	return (int64_t)m_slots() * (batch - 1);
}

static inline struct lru_page *lru_waiting(struct lru *lru, unsigned int slot, int64_t nth)
{
	m_word *vector = m_part_of(&lru->vector, slot);
	int64_t count = m_load(vector) & VECTOR_COUNT;

	return nth < count ? (struct lru_page *)m_load(&vector[1 + nth]) : NULL;
}

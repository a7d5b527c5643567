/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wrong_slot.h - slots share a part by pairs, and both owners write it without a lock.
 * Caught by: run, contract
 */
COUNTER(.about = "broken: two slots write one part")

struct commit {
	struct m_percpu part;
};

static inline void commit_init(struct commit *c, struct m_run *run, int64_t batch)
{
	(void)batch;
	m_percpu_alloc(run, &c->part, 1);
}

static inline void commit_add(struct commit *c, int64_t pages, enum commit_site site)
{
	m_word *part = m_part_of(&c->part, m_cpu() / 2 * 2);
	int64_t sum = m_load(part);

	(void)site;
	m_store(part, sum + pages);
}

static inline int64_t commit_sum(struct commit *c)
{
	int64_t sum = 0;

	for (unsigned int slot = 0; slot < m_slots(); slot++) {
		m_word *part = m_part_of(&c->part, slot);

		sum += m_load(part);
	}
	return sum;
}

static inline int64_t commit_read(struct commit *c)
{
	return commit_sum(c);
}

static inline void commit_sync(struct commit *c)
{
	(void)c;
}

static inline int64_t commit_batch(const struct commit *c)
{
	(void)c;
	return 0;
}

static inline void commit_set_batch(struct commit *c, int64_t batch)
{
	(void)c, (void)batch;
}

static inline int64_t commit_error_bound(const struct commit *c, int64_t batch)
{
	(void)c, (void)batch;
	return 0;
}

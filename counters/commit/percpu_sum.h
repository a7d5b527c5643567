/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * percpu_sum.h - per-CPU parts that never spill; every read adds up all of them. The fastest
 * update, the slowest read, no approximation. Rule: the RFC of 2016 that counted committed memory
 * in ordinary per-CPU variables.
 */
COUNTER(.about = "per-CPU parts only: no shared count, each read sums all slots")

struct commit {
	struct m_percpu part;
};

static inline void commit_init(struct commit *c, struct m_run *run, int64_t batch)
{
	(void)batch;
	m_percpu_alloc(run, &c->part, 1);
	m_name(run, &c->part.offset, 1, "commit.part");
	m_name_part(run, &c->part, 0, 1, "commit.part");
}

static inline void commit_add(struct commit *c, int64_t pages, enum commit_site site)
{
	m_word *part = m_my_part(&c->part);
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

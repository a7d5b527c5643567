/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lost_update.h - the count is read and then written: of two adds at once, one is lost.
 * Caught by: run, contract
 */
COUNTER(.about = "broken: an add of a load and a store")

struct commit {
	M_LINE_APART m_word count;
};

static inline void commit_init(struct commit *c, struct m_run *run, int64_t batch)
{
	(void)c, (void)run, (void)batch;
}

static inline void commit_add(struct commit *c, int64_t pages, enum commit_site site)
{
	(void)site;
	int64_t count = m_load(&c->count);

	m_store(&c->count, count + pages);
}

static inline int64_t commit_read(struct commit *c)
{
	return m_load(&c->count);
}

static inline int64_t commit_sum(struct commit *c)
{
	return m_load(&c->count);
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

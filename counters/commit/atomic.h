/* SPDX-License-Identifier: GPL-2.0-or-later */
/* atomic.h - one shared word, one fetch-add an update. Always exact, every update is a transfer. */
COUNTER(.about = "one shared atomic: exact, every update touches it")

struct commit {
	M_LINE_APART m_word count;
};

static inline void commit_init(struct commit *c, struct m_run *run, int64_t batch)
{
	(void)batch;
	m_name(run, &c->count, 1, "commit.count");
}

static inline void commit_add(struct commit *c, int64_t pages, enum commit_site site)
{
	(void)site;
	m_add(&c->count, pages);
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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* none.h - no counter: the workload alone, the floor under every other row. */
COUNTER(.about = "no counting: the workload alone", .counts_nothing = true)

struct commit {
	m_word unused;
};

static inline void commit_init(struct commit *c, struct m_run *run, int64_t batch)
{
	(void)c, (void)run, (void)batch;
}

static inline void commit_add(struct commit *c, int64_t pages, enum commit_site site)
{
	(void)c, (void)pages, (void)site;
}

static inline int64_t commit_read(struct commit *c)
{
	(void)c;
	return 0;
}

static inline int64_t commit_sum(struct commit *c)
{
	(void)c;
	return 0;
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

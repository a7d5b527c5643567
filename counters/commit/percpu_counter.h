/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * percpu_counter.h - a per-CPU part that spills into a shared count once it reaches the batch.
 * The cheap read misses at most slots * (batch - 1). Rule: percpu_counter_add_batch, Linux 6.11:
 * a spill moves the whole part and the new pages, so one add of a batch or more spills each time.
 */
COUNTER(.about = "per-CPU parts that spill into a locked count at the batch", .is_default = true,
	.has_batch = true)

struct commit {
	M_LINE_APART struct spinlock
		lock; /* lock, count and pointer share a line, as in the kernel: */
	m_word count; /* a spill costs every other CPU's next add a miss */
	struct m_percpu part;
	M_LINE_APART m_word batch; /* read by all, written on a policy change */
};

static inline void commit_init(struct commit *c, struct m_run *run, int64_t batch)
{
	m_percpu_alloc(run, &c->part, 1);
	m_store(&c->batch, batch);
	spin_name(run, &c->lock, "commit.lock");
	m_name(run, &c->count, 1, "commit.count");
	m_name(run, &c->part.offset, 1, "commit.part");
	m_name(run, &c->batch, 1, "commit.batch");
	m_name_part(run, &c->part, 0, 1, "commit.part");
}

static inline void commit_add(struct commit *c, int64_t pages, enum commit_site site)
{
	m_word *part = m_my_part(&c->part);
	int64_t batch = m_load(&c->batch);
	int64_t sum = m_load(part) + pages;

	if (likely(-batch < sum && sum < batch)) {
		m_store(part, sum);
		return;
	}
	spin_lock(&c->lock, site);
	int64_t count = m_load(&c->count);
	m_store(&c->count, count + sum);
	m_store(part, 0);
	spin_unlock(&c->lock);
	m_spilled();
}

static inline int64_t commit_read(struct commit *c)
{
	return m_load(&c->count);
}

static inline int64_t commit_sum(struct commit *c)
{
	spin_lock(&c->lock, SITE_SUM);
	int64_t sum = m_load(&c->count);

	for (unsigned int slot = 0; slot < m_slots(); slot++) {
		m_word *part = m_part_of(&c->part, slot);

		sum += m_load(part);
	}
	spin_unlock(&c->lock);
	return sum;
}

static inline void commit_sync(struct commit *c)
{
	m_word *part = m_my_part(&c->part);

	spin_lock(&c->lock, SITE_SYNC);
	int64_t count = m_load(&c->count);
	int64_t sum = m_load(part);
	m_store(&c->count, count + sum);
	m_store(part, 0);
	spin_unlock(&c->lock);
}

static inline int64_t commit_batch(const struct commit *c)
{
	return m_load(&c->batch);
}

static inline void commit_set_batch(struct commit *c, int64_t batch)
{
	m_store(&c->batch, batch);
}

static inline int64_t commit_error_bound(const struct commit *c, int64_t batch)
{
	(void)c;
	return (int64_t)m_slots() * (batch - 1);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * numa_u16.h - differences of 16 bits without a sign, that spill as a whole once they are over a
 * threshold which the kernel fixes just below what they hold: one spill every 65534 events. Nothing
 * is stepped over, and the threshold is no word to be read. Rule: __inc_numa_state(), Linux 4.14.
 */
COUNTER(.about = "16-bit differences that spill at their very end", .has_batch = true,
	.batch_default = UINT16_MAX - 2, .batch_limit = UINT16_MAX - 2)

struct zone {
	struct zone_levels levels;
	struct m_percpu diff;
	int64_t threshold; /* a constant in the kernel's code, so not a word of the machine */
};

static inline m_word *numa_diff(struct zone *z, unsigned int node, enum zone_item item)
{
	return m_my_part(&z->diff) + node * ZONE_STRIDE + item;
}

static inline void zone_init(struct zone *z, struct m_run *run, struct zone_levels levels,
			     int64_t threshold)
{
	CHECK(threshold < UINT16_MAX);
	z->levels = levels;
	z->threshold = threshold;
	m_percpu_alloc(run, &z->diff, levels.nodes * ZONE_STRIDE);
	m_name(run, &z->diff.offset, 1, "zone.diff");
	zone_name_parts(run, &z->diff, levels.nodes, 0, "diff");
}

static inline void zone_inc(struct zone *z, unsigned int node, enum zone_item item)
{
	m_sys_numa_inc();
	m_word *own = numa_diff(z, node, item);
	int64_t diff = m_load(own) + 1;

	if (likely(diff <= z->threshold)) {
		m_store(own, diff);
		return;
	}
	m_store(own, 0);
	zone_add_shared(&z->levels, node, item, diff);
	m_spilled();
}

/* The kernel never takes a NUMA event back. A part without sign cannot give what it has not. */
static inline void zone_dec(struct zone *z, unsigned int node, enum zone_item item)
{
	m_word *own = numa_diff(z, node, item);
	int64_t diff = m_load(own);

	if (likely(diff > 0)) {
		m_store(own, diff - 1);
		return;
	}
	zone_add_shared(&z->levels, node, item, -1);
	m_spilled();
}

static inline int64_t zone_read(struct zone *z, int node, enum zone_item item)
{
	return zone_read_shared(&z->levels, node, item);
}

static inline int64_t zone_sum(struct zone *z, int node, enum zone_item item)
{
	int64_t sum = zone_read_shared(&z->levels, node, item);

	return sum + zone_sum_parts(&z->diff, node, z->levels.nodes, item);
}

static inline void zone_fold(struct zone *z)
{
	for (unsigned int node = 0; node < z->levels.nodes; node++) {
		for (enum zone_item item = 0; item < ZONE_ITEMS; item++) {
			m_word *own = numa_diff(z, node, item);
			int64_t diff = m_load(own);

			if (!diff)
				continue;
			m_store(own, 0);
			zone_add_shared(&z->levels, node, item, diff);
		}
	}
}

static inline void zone_set_threshold(struct zone *z, int64_t threshold)
{
	(void)z, (void)threshold; /* memory pressure changes none here */
}

static inline int64_t zone_threshold(struct zone *z)
{
	return z->threshold;
}

static inline int64_t zone_error_bound(const struct zone *z, int node, int64_t threshold)
{
	(void)threshold;
	return zone_parts(&z->levels, node) * z->threshold;
}

static inline const struct zone_levels *zone_levels(const struct zone *z)
{
	return &z->levels;
}

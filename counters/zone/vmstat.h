/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vmstat.h - a difference for each CPU, zone and item, that spills into the zone's and the
 * machine's count once it is over a threshold. It then steps over by half a threshold, so that a
 * steady stream spills only every threshold + 1 + threshold / 2 events: the next half is already
 * spent. Rule: __inc_zone_state(), Linux 2.6.18 and later.
 */
COUNTER(.about = "differences that spill over a threshold, with overstep", .is_default = true,
	.has_batch = true)

/* The words of one zone in a slot's part: the threshold lies with the differences. */
enum vmstat_word {
	VMSTAT_THRESHOLD,
	VMSTAT_DIFF,
};

struct zone {
	struct zone_levels levels;
	struct m_percpu part;
};

static inline m_word *vmstat_part(struct zone *z, unsigned int node)
{
	return m_my_part(&z->part) + node * ZONE_STRIDE;
}

static inline void zone_init(struct zone *z, struct m_run *run, struct zone_levels levels,
			     int64_t threshold)
{
	z->levels = levels;
	m_percpu_alloc(run, &z->part, levels.nodes * ZONE_STRIDE);
	m_name(run, &z->part.offset, 1, "zone.part");
	zone_name_parts(run, &z->part, levels.nodes, VMSTAT_DIFF, "diff");
	for (unsigned int slot = 0; slot < run->block_count; slot++) {
		m_word *part = m_part_of(&z->part, slot);

		for (unsigned int node = 0; node < levels.nodes; node++)
			m_store(&part[node * ZONE_STRIDE + VMSTAT_THRESHOLD], threshold);
	}
}

static inline void zone_inc(struct zone *z, unsigned int node, enum zone_item item)
{
	m_sys_zone_inc();
	m_word *part = vmstat_part(z, node);
	int64_t threshold = m_load(&part[VMSTAT_THRESHOLD]);
	int64_t diff = m_load(&part[VMSTAT_DIFF + item]) + 1;

	if (likely(diff <= threshold)) {
		m_store(&part[VMSTAT_DIFF + item], diff);
		return;
	}
	m_store(&part[VMSTAT_DIFF + item], -(threshold / 2));
	zone_add_shared(&z->levels, node, item, diff + threshold / 2);
	m_spilled();
}

static inline void zone_dec(struct zone *z, unsigned int node, enum zone_item item)
{
	m_word *part = vmstat_part(z, node);
	int64_t threshold = m_load(&part[VMSTAT_THRESHOLD]);
	int64_t diff = m_load(&part[VMSTAT_DIFF + item]) - 1;

	if (likely(diff >= -threshold)) {
		m_store(&part[VMSTAT_DIFF + item], diff);
		return;
	}
	m_store(&part[VMSTAT_DIFF + item], threshold / 2);
	zone_add_shared(&z->levels, node, item, diff - threshold / 2);
	m_spilled();
}

static inline int64_t zone_read(struct zone *z, int node, enum zone_item item)
{
	return zone_read_shared(&z->levels, node, item);
}

static inline int64_t zone_sum(struct zone *z, int node, enum zone_item item)
{
	int64_t sum = zone_read_shared(&z->levels, node, item);

	return sum +
	       zone_sum_parts(&z->part, node, z->levels.nodes, VMSTAT_DIFF + (unsigned int)item);
}

static inline void zone_fold(struct zone *z)
{
	for (unsigned int node = 0; node < z->levels.nodes; node++) {
		m_word *part = vmstat_part(z, node);

		for (enum zone_item item = 0; item < ZONE_ITEMS; item++) {
			int64_t diff = m_load(&part[VMSTAT_DIFF + item]);

			if (!diff)
				continue;
			m_store(&part[VMSTAT_DIFF + item], 0);
			zone_add_shared(&z->levels, node, item, diff);
		}
	}
}

static inline void zone_set_threshold(struct zone *z, int64_t threshold)
{
	for (unsigned int node = 0; node < z->levels.nodes; node++)
		m_store(&vmstat_part(z, node)[VMSTAT_THRESHOLD], threshold);
}

static inline int64_t zone_threshold(struct zone *z)
{
	return m_load(&vmstat_part(z, 0)[VMSTAT_THRESHOLD]);
}

static inline int64_t zone_error_bound(const struct zone *z, int node, int64_t threshold)
{
	return zone_parts(&z->levels, node) * threshold;
}

static inline const struct zone_levels *zone_levels(const struct zone *z)
{
	return &z->levels;
}

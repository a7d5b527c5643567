/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lost_update.h - both levels are changed by a load and a store, between which others are lost.
 * Caught by: run, contract
 */
COUNTER(.about = "broken: concurrent updates are lost")

struct zone {
	struct zone_levels levels;
};

static inline void zone_init(struct zone *z, struct m_run *run, struct zone_levels levels,
			     int64_t threshold)
{
	(void)run, (void)threshold;
	z->levels = levels;
}

static inline void zone_inc(struct zone *z, unsigned int node, enum zone_item item)
{
	m_word *count = &z->levels.zone[node].item[item];
	m_word *all = &z->levels.machine->item[item];
	int64_t events = m_load(count);
	int64_t machine = m_load(all);

	m_store(count, events + 1);
	m_store(all, machine + 1);
}

static inline void zone_dec(struct zone *z, unsigned int node, enum zone_item item)
{
	zone_add_shared(&z->levels, node, item, -1);
}

static inline int64_t zone_read(struct zone *z, int node, enum zone_item item)
{
	return zone_read_shared(&z->levels, node, item);
}

static inline int64_t zone_sum(struct zone *z, int node, enum zone_item item)
{
	return zone_read(z, node, item);
}

static inline void zone_fold(struct zone *z)
{
	(void)z;
}

static inline void zone_set_threshold(struct zone *z, int64_t threshold)
{
	(void)z, (void)threshold;
}

static inline int64_t zone_threshold(struct zone *z)
{
	(void)z;
	return 0;
}

static inline int64_t zone_error_bound(const struct zone *z, int node, int64_t threshold)
{
	(void)z, (void)node, (void)threshold;
	return 0;
}

static inline const struct zone_levels *zone_levels(const struct zone *z)
{
	return &z->levels;
}

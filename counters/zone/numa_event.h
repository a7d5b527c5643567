/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * numa_event.h - event counters: a number for each CPU, zone and item that only its owner writes
 * and nobody ever resets; whoever reads brings in what has come since the last time. Rule:
 * fold_vm_numa_events(), Linux 5.14. The kernel swaps each number for 0 there; here nobody writes
 * another slot's part, so the folder remembers what it has folded, which comes to the same.
 */
COUNTER(.about = "per-CPU events, brought in when somebody reads")

struct zone {
	struct zone_levels levels;
	struct m_percpu events;
	m_word *folded; /* of each slot, node and item; behind the lock */
	M_LINE_APART struct spinlock lock;
};

static inline m_word *numa_events(struct zone *z, unsigned int node, enum zone_item item)
{
	return m_my_part(&z->events) + node * ZONE_STRIDE + item;
}

static inline void zone_init(struct zone *z, struct m_run *run, struct zone_levels levels,
			     int64_t threshold)
{
	size_t words = (size_t)run->slots * levels.nodes * ZONE_ITEMS;

	(void)threshold;
	z->levels = levels;
	z->folded = m_alloc(run, words * sizeof(m_word), M_LINE_PAIR_BYTES);
	m_percpu_alloc(run, &z->events, levels.nodes * ZONE_STRIDE);
	spin_name(run, &z->lock, "zone.lock");
	m_name(run, &z->events.offset, 1, "zone.events");
	m_name(run, z->folded, (unsigned int)words, "zone.folded");
	zone_name_parts(run, &z->events, levels.nodes, 0, "events");
}

static inline void zone_inc(struct zone *z, unsigned int node, enum zone_item item)
{
	m_word *own = numa_events(z, node, item);
	int64_t events = m_load(own);

	m_store(own, events + 1);
}

static inline void zone_dec(struct zone *z, unsigned int node, enum zone_item item)
{
	m_word *own = numa_events(z, node, item);
	int64_t events = m_load(own);

	m_store(own, events - 1);
}

/* Brings in what one slot has counted since the last time. Behind the lock. */
static inline void numa_fold_slot(struct zone *z, unsigned int slot)
{
	const m_word *part = m_part_of(&z->events, slot);

	for (unsigned int node = 0; node < z->levels.nodes; node++) {
		m_word *folded = z->folded + (slot * z->levels.nodes + node) * ZONE_ITEMS;

		for (enum zone_item item = 0; item < ZONE_ITEMS; item++) {
			int64_t events = m_load(&part[node * ZONE_STRIDE + item]);
			int64_t known = m_load(&folded[item]);

			if (events == known)
				continue;
			m_store(&folded[item], events);
			zone_add_shared(&z->levels, node, item, events - known);
		}
	}
}

static inline int64_t zone_sum(struct zone *z, int node, enum zone_item item)
{
	spin_lock(&z->lock, SITE_FOLD);
	for (unsigned int slot = 0; slot < m_slots(); slot++)
		numa_fold_slot(z, slot);
	spin_unlock(&z->lock);
	return zone_read_shared(&z->levels, node, item);
}

/* There is no other read: what nobody has folded, nobody can know of. */
static inline int64_t zone_read(struct zone *z, int node, enum zone_item item)
{
	return zone_sum(z, node, item);
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

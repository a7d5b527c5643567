/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chunks.h - many areas mapped one by one and unmapped with one call, and who gathers their
 * charges: nobody, the kernel where it unmaps, or the caller both ways. The question is that of the
 * mails on the 2016 RFC: is it the counter that should batch, or who calls it?
 */
#ifndef TESTCASES_CHUNKS_H
#define TESTCASES_CHUNKS_H

#include "testcases/vm.h"

enum coalesce {
	COALESCE_OFF,	/* each area is charged and uncharged by itself */
	COALESCE_UNMAP, /* an unmap uncharges once, with the sum: what the kernel does */
	COALESCE_BOTH,	/* all areas are charged at once, too, before the first is mapped */
};

static const char *const coalesce_names[] = { "off", "unmap", "both", NULL };

/* For .options of a testcase that maps by chunks. */
static const struct option_row coalesce_options[] = {
	{ .name = "coalesce",
	  .arg = "off|unmap|both",
	  .help = "charges gathered by the caller: of nothing, of an unmap, of maps too (unmap)",
	  .type = OPTION_CHOICE,
	  .choices = coalesce_names,
	  .fallback = COALESCE_UNMAP,
	  .always = true },
	OPTION_END,
};

/* Areas of one size with a page between them that belongs to none, so that they do not merge. */
struct chunks {
	m_area start; /* 0: none are mapped */
	int64_t size; /* bytes of one */
	unsigned int count;
	enum coalesce coalesce;
};

static inline struct chunks chunks_of(const struct task *t, unsigned int count)
{
	return (struct chunks){
		.size = t->size / count,
		.count = count,
		.coalesce = (enum coalesce)setting_value(t->run->setup.settings, "coalesce"),
	};
}

static inline int64_t chunks_span(const struct chunks *chunks)
{
	return chunks->count * (chunks->size + PAGE_BYTES);
}

/* Uncharges the first `count` areas, which are unmapped already. */
static inline void chunks_uncharge(struct task *t, const struct chunks *chunks, unsigned int count)
{
	int64_t pages = chunks->size / PAGE_BYTES;

	if (counter_info.counts_nothing || count == 0)
		return;
	if (chunks->coalesce != COALESCE_OFF) {
		task_safe_point(t);
		t->mapped -= count * pages;
		charge(t, -(count * pages), SITE_UNCHARGE);
		return;
	}
	while (count--) {
		task_safe_point(t);
		t->mapped -= pages;
		charge(t, -pages, SITE_UNCHARGE);
	}
}

/* What is charged before area number `n` is mapped, in pages. */
static inline int64_t chunks_charge_before(const struct chunks *chunks, unsigned int n)
{
	int64_t pages = chunks->size / PAGE_BYTES;

	if (chunks->coalesce != COALESCE_BOTH)
		return pages;
	return n == 0 ? chunks->count * pages : 0;
}

/* Maps them all; false when the policy refuses one, and then none is mapped or charged. */
static inline bool chunks_map(struct task *t, struct chunks *chunks)
{
	chunks->start = m_sys_reserve(t, chunks_span(chunks));
	for (unsigned int n = 0; n < chunks->count; n++) {
		int64_t pages = chunks_charge_before(chunks, n);

		if (!counter_info.counts_nothing && pages) {
			task_safe_point(t);
			if (!vm_enough_memory(t, pages)) {
				m_sys_unmap(t, chunks->start, chunks_span(chunks));
				chunks_uncharge(t, chunks, n);
				return false;
			}
			t->mapped += pages;
		}
		m_sys_map_at(t, chunks->start + n * (m_area)(chunks->size + PAGE_BYTES),
			     chunks->size);
	}
	return true;
}

/* Unmaps them all with one call. */
static inline void chunks_unmap(struct task *t, struct chunks *chunks)
{
	m_sys_unmap(t, chunks->start, chunks_span(chunks));
	chunks_uncharge(t, chunks, chunks->count);
}

#endif

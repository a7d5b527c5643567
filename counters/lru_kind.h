/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lru_kind.h - the control plane of the kind "lru" (struct kind_ops), made anew in each cell for
 * the counter that is compiled in.
 */
#ifndef COUNTERS_LRU_KIND_H
#define COUNTERS_LRU_KIND_H

#include "counters/kind.h"
#include "counters/lru_account.h"
#include "counters/lru_check.h"
#include "counters/lru_options.h"
#include "counters/overcommit.h"

static const char *const kind_sites[] = {
	[SITE_ADD] = "add", [SITE_RELEASE] = "release", [SITE_DRAIN] = "drain", NULL
};

/* Pages that a slot can have: all that it maps, and those that wait though they are unmapped. */
static int64_t pages_of_slot(const struct kind_args *args)
{
	return args->size / PAGE_BYTES + LRU_BATCH_LIMIT;
}

static size_t notes_words(const struct kind_args *args)
{
	return sizeof(struct lru_notes) / sizeof(int64_t) + (size_t)(args->size / PAGE_BYTES);
}

static size_t kind_shared_bytes(const struct kind_args *args)
{
	return sizeof(struct lru) + args->nodes * sizeof(struct lru_list) + 2 * M_LINE_PAIR_BYTES;
}

static size_t kind_block_bytes(const struct kind_args *args)
{
	size_t vector = 1 + LRU_BATCH_LIMIT;
	size_t pages = (size_t)pages_of_slot(args) * sizeof(struct lru_page);

	return (vector + notes_words(args)) * sizeof(m_word) + pages + 4 * M_LINE_PAIR_BYTES;
}

static void base_init(struct lru_base *base, struct m_run *run, const struct kind_args *args)
{
	size_t page_words = sizeof(struct lru_page) / sizeof(m_word);

	base->nodes = args->nodes;
	base->per_slot = pages_of_slot(args);
	base->lists = m_alloc(run, base->nodes * sizeof(*base->lists), M_LINE_PAIR_BYTES);
	for (unsigned int node = 0; node < base->nodes; node++) {
		struct lru_links *head = &base->lists[node].head;

		m_store(&head->next, (int64_t)head);
		m_store(&head->prev, (int64_t)head);
	}
	m_percpu_alloc(run, &base->notes, (unsigned int)notes_words(args));
	m_percpu_alloc(run, &base->pages, (unsigned int)((size_t)base->per_slot * page_words));
}

static void *kind_setup(struct m_run *run, const struct kind_args *args)
{
	struct lru *lru = m_alloc(run, sizeof(*lru), M_LINE_PAIR_BYTES);

	lru_init(lru, run, args->batch);
	base_init(&lru->base, run, args);
	return lru;
}

static void drain_own(void *lru)
{
	lru_drain(lru);
}

/* Rule: lru_add_drain_all, Linux 5.x: every CPU drains its own, and the caller waits for all. */
static enum m_event kind_tick(const struct m_ops *ops, struct m_run *run, void *counter,
			      struct error *error)
{
	return ops->on_each_slot(run, drain_own, counter, error);
}

static int64_t kind_batch_used(const void *counter)
{
	return lru_batch(counter);
}

static int64_t kind_read(void *counter)
{
	return lru_read(counter);
}

static int64_t kind_sum(void *counter)
{
	return lru_sum(counter);
}

static int kind_check(struct m_run *run, void *counter, struct kind_check *check,
		      struct error *error)
{
	struct lru *lru = counter;
	int64_t truth = 0;
	int64_t sum, read;

	*check = (struct kind_check){ .valid = !counter_info.counts_nothing };
	if (!check->valid)
		return 0;
	if (lru_check_pages(run, lru, error) != 0)
		return -1;
	for (unsigned int slot = 0; slot < run->slots; slot++)
		truth += m_task_of(run, slot)->added;
	sum = lru_sum(lru);
	read = lru_read(lru);
	check->error = read > truth ? read - truth : truth - read;
	check->bound = lru_error_bound(lru);
	if (sum != truth)
		return error_set(error,
				 "the counter is wrong: its exact sum is %lld pages, the tasks "
				 "have mapped %lld",
				 (long long)sum, (long long)truth);
	if (check->error > check->bound)
		return error_set(error,
				 "the counter is wrong: its cheap read is off by %lld pages, the "
				 "bound is %lld",
				 (long long)check->error, (long long)check->bound);
	return 0;
}

static const struct kind_ops kind_ops = {
	.sites = kind_sites,
	.unit = "pages",
	.options = lru_options,
	.batch = lru_parse_batch,
	.shared_bytes = kind_shared_bytes,
	.block_bytes = kind_block_bytes,
	.setup = kind_setup,
	.tick_ns = lru_drain_ns,
	.tick = kind_tick,
	.batch_used = kind_batch_used,
	.read = kind_read,
	.sum = kind_sum,
	.check = kind_check,
};

#endif

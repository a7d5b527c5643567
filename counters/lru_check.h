/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lru_check.h - the invariant of the kind "lru", with all tasks held: every page that was ever
 * taken is in exactly one place, a vector, the list of its node, or free; and both directions of a
 * list agree with each other and with its size. A page's `seen` is the number of the check that
 * met it last, so that a check needs no memory of its own and ends on any ring.
 */
#ifndef COUNTERS_LRU_CHECK_H
#define COUNTERS_LRU_CHECK_H

#include "counters/lru.h"

struct lru_check {
	struct m_run *run;
	struct lru *lru;
	struct lru_base *base;
	int64_t met; /* pages so far */
	struct error *error;
};

static int lru_wrong(struct lru_check *c, const char *what, int64_t where)
{
	return error_set(c->error, "the counter is wrong: %s %lld", what, (long long)where);
}

/* The page at an address, or NULL where there is none: what a broken list points to is not read. */
static struct lru_page *lru_page_at(const struct lru_check *c, int64_t address)
{
	int64_t slot = (address - (int64_t)c->run->blocks) / (int64_t)c->run->stride;
	struct lru_page *first;
	int64_t offset;

	if (address < (int64_t)c->run->blocks || slot >= c->run->slots)
		return NULL;
	first = lru_first_page(c->base, m_task_of(c->run, (unsigned int)slot));
	offset = address - (int64_t)first;
	if (offset < 0 || offset % (int64_t)sizeof(*first) ||
	    offset / (int64_t)sizeof(*first) >= c->base->per_slot)
		return NULL;
	return (struct lru_page *)address;
}

/* Meets a page in a place that its state must tell. */
static int lru_meet(struct lru_check *c, struct lru_page *page, int64_t place, const char *where,
		    int64_t number)
{
	int64_t all = LRU_TAKEN | LRU_WAITING | LRU_LISTED;
	int64_t state = m_load(&page->state);

	if (page->seen == c->base->checks)
		return lru_wrong(c, "a page is in two places, one is", number);
	if ((state & all) != place)
		return error_set(c->error,
				 "the counter is wrong: a page of %s %lld is marked as elsewhere",
				 where, (long long)number);
	page->seen = c->base->checks;
	c->met++;
	return 0;
}

static int lru_check_list(struct lru_check *c, unsigned int node)
{
	struct lru_list *list = &c->base->lists[node];
	int64_t head = (int64_t)&list->head;
	int64_t before = head, pages = 0;
	int64_t at = m_load(&list->head.next);

	while (at != head) {
		struct lru_page *page = lru_page_at(c, at);

		if (!page)
			return lru_wrong(c, "a link leads to no page, on the list of node", node);
		if (m_load(&page->links.prev) != before)
			return lru_wrong(c, "links do not lead back, on the list of node", node);
		if (lru_meet(c, page, LRU_TAKEN | LRU_LISTED, "the list of node", node) != 0)
			return -1;
		if (lru_node(m_load(&page->state)) != node)
			return lru_wrong(c, "a page of another node is on the list of node", node);
		pages += lru_pages(m_load(&page->state));
		before = at;
		at = m_load(&page->links.next);
	}
	if (m_load(&list->head.prev) != before)
		return lru_wrong(c, "links do not lead back, on the list of node", node);
	if (m_load(&list->size) != pages)
		return lru_wrong(c, "its size is not what is on the list of node", node);
	return 0;
}

static int lru_check_slot(struct lru_check *c, unsigned int slot)
{
	struct lru_notes *notes = lru_notes(c->base, m_task_of(c->run, slot));
	struct lru_page *page;

	for (int64_t nth = 0; (page = lru_waiting(c->lru, slot, nth)); nth++)
		if (lru_meet(c, page, LRU_TAKEN | LRU_WAITING, "the vector of slot", slot) != 0)
			return -1;
	for (page = (struct lru_page *)notes->first_free; page;
	     page = (struct lru_page *)page->next_free)
		if (lru_meet(c, page, 0, "the free pages of slot", slot) != 0)
			return -1;
	return 0;
}

/* -1 with the error set: some page is nowhere, in two places, or where it does not belong. */
static int lru_check_pages(struct m_run *run, struct lru *lru, struct error *error)
{
	struct lru_check c = { .run = run, .lru = lru, .base = &lru->base, .error = error };
	int64_t taken = 0;

	c.base->checks++;
	for (unsigned int node = 0; node < c.base->nodes; node++)
		if (lru_check_list(&c, node) != 0)
			return -1;
	for (unsigned int slot = 0; slot < run->slots; slot++) {
		if (lru_check_slot(&c, slot) != 0)
			return -1;
		taken += lru_notes(c.base, m_task_of(run, slot))->fresh;
	}
	if (c.met != taken)
		return lru_wrong(&c, "pages that are nowhere:", taken - c.met);
	return 0;
}

#endif

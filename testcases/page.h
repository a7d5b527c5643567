/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page.h - where the pages of a testcase come from: its own node, a share of them from others, or
 * from all by turns. In whole numbers and without chance, so that a share is exact.
 */
#ifndef TESTCASES_PAGE_H
#define TESTCASES_PAGE_H

#include "counters/kind.h"
#include "machine/machine.h"

/* For .options of a testcase whose pages come from page_from(). */
#define REMOTE_OPTION                                                                     \
	{                                                                                 \
		.name = "remote", .arg = "PERCENT",                                       \
		.help = "share of pages that come from another node than the task's (0)", \
		.type = OPTION_NUMBER, .low = 0, .high = 100, .fallback = 0               \
	}

#define INTERLEAVE_OPTION                                                                    \
	{                                                                                    \
		.name = "interleave", .arg = "0|1",                                          \
		.help = "pages come from all nodes by turns, as an interleaving policy has " \
			"it (0)",                                                            \
		.type = OPTION_NUMBER, .low = 0, .high = 1, .fallback = 0                    \
	}

static inline const char *page_cannot_run(const struct kind_args *args)
{
	int64_t remote = setting_value(args->settings, "remote");

	if (remote && setting_value(args->settings, "interleave"))
		return "--remote and --interleave exclude each other";
	if (remote && args->nodes < 2)
		return "there is one NUMA node only, so no page is remote: count by more with "
		       "--nodes";
	return NULL;
}

struct page_source {
	int64_t remote_pct;
	int64_t due; /* percent of a remote page that have gathered */
	bool interleave;
	unsigned int own, nodes;
	unsigned int next; /* whose turn it is */
};

static inline struct page_source page_source(const struct task *t)
{
	const struct settings *settings = t->run->setup.settings;

	return (struct page_source){
		.remote_pct = setting_value(settings, "remote"),
		.interleave = setting_value(settings, "interleave"),
		.own = m_node(),
		.nodes = m_nodes(),
		.next = m_node(),
	};
}

static inline unsigned int page_next_node(struct page_source *source)
{
	source->next = source->next + 1 < source->nodes ? source->next + 1 : 0;
	return source->next;
}

/* The node that the next page comes from. */
static inline unsigned int page_from(struct page_source *source)
{
	if (unlikely(source->interleave))
		return page_next_node(source);
	if (likely(!source->remote_pct))
		return source->own;
	source->due += source->remote_pct;
	if (source->due < 100)
		return source->own;
	source->due -= 100;
	if (page_next_node(source) == source->own)
		page_next_node(source);
	return source->next;
}

#endif

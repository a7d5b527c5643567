/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lru_rig.h - an lru counter in a run of its own, with slots to act as, and the pages that each of
 * them has mapped.
 */
#ifndef TESTS_CONTRACT_LRU_RIG_H
#define TESTS_CONTRACT_LRU_RIG_H

#include "counters/lru_kind.h"
#include "tests/rig.h"

#define SLOTS 5
#define NODES 3
#define MAPPED 64 /* pages that a slot can map */

static struct setting setting_list[1];
static struct settings settings = { .list = setting_list };
static struct lru *lru; /* the counter under test */

static struct kind_args args_of(unsigned int slots, unsigned int nodes, int64_t batch)
{
	setting_list[0] =
		(struct setting){ .row = kind_ops.options, .value = kind_ops.options->fallback };
	settings.count = 1;
	return (struct kind_args){ .settings = &settings,
				   .cpus = 2,
				   .tasks = 1,
				   .slots = slots,
				   .nodes = nodes,
				   .size = MAPPED * PAGE_BYTES,
				   .batch = batch };
}

static void make_counter(struct rig_args *rig_args, int64_t batch)
{
	unsigned int slots = rig_args->slots > rig_args->tasks ? rig_args->slots : rig_args->tasks;
	struct kind_args args = args_of(slots, rig_args->nodes, batch);

	rig_args->shared_bytes = kind_ops.shared_bytes(&args);
	rig_args->block_bytes = kind_ops.block_bytes(&args);
	rig_open(rig_args);
	lru = kind_ops.setup(rig.run, &args);
	for (unsigned int slot = 0; slot < rig.run->block_count; slot++)
		m_task_of(rig.run, slot)->counter = lru;
}

/* A fresh counter over SLOTS slots that have no task: the test acts as each of them. */
static void open_alone(int64_t batch)
{
	make_counter(&(struct rig_args){ .tasks = 1, .slots = SLOTS, .nodes = NODES }, batch);
	rig_act_as(0);
}

static struct lru_page *add_as(unsigned int slot, unsigned int node, bool compound)
{
	return page_add(rig_act_as(slot), node, compound);
}

static void release_as(unsigned int slot, struct lru_page *page)
{
	pages_release(rig_act_as(slot), &page, 1);
}

static int64_t truth(void)
{
	int64_t sum = 0;

	for (unsigned int slot = 0; slot < rig.run->slots; slot++)
		sum += m_task_of(rig.run, slot)->added;
	return sum;
}

static uint64_t taken(unsigned int site)
{
	uint64_t sum = 0;

	for (unsigned int slot = 0; slot < rig.run->slots; slot++)
		sum += m_task_of(rig.run, slot)->sites[site].acquisitions;
	return sum;
}

static uint64_t spills(void)
{
	uint64_t sum = 0;

	for (unsigned int slot = 0; slot < rig.run->slots; slot++)
		sum += m_task_of(rig.run, slot)->spills;
	return sum;
}

static int64_t waiting(unsigned int slot)
{
	int64_t count = 0;

	while (lru_waiting(lru, slot, count))
		count++;
	return count;
}

/* The check of a run: every page in one place, the sum exact, the error within its bound. */
static void check_now(void)
{
	struct kind_check check;
	struct task *self = rig_self;

	rig_conductor();
	if (kind_ops.check(rig.run, lru, &check, &rig.error) != 0)
		fail_msg("%s", rig.error.text);
	assert_true(check.valid == !counter_info.counts_nothing);
	rig_self = self;
}

/* The counter is found wrong, with these words. */
static void expect_wrong(const char *words)
{
	struct kind_check check;

	rig_conductor();
	assert_int_equal(kind_ops.check(rig.run, lru, &check, &rig.error), -1);
	if (!strstr(rig.error.text, "the counter is wrong: ") || !strstr(rig.error.text, words))
		fail_msg("'%s' does not say '%s'", rig.error.text, words);
}

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * zone_kind.h - the control plane of the kind "zone" (struct kind_ops), made anew in each cell for
 * the counter that is compiled in.
 */
#ifndef COUNTERS_ZONE_KIND_H
#define COUNTERS_ZONE_KIND_H

#include "counters/kind.h"
#include "counters/zone_account.h"
#include "counters/zone_options.h"
#include "counters/zone_rules.h"

static const char *const kind_sites[] = { [SITE_FOLD] = "fold", NULL };

static int kind_batch(const char *text, const struct kind_args *args, int64_t *batch,
		      struct error *error)
{
	return zone_parse_batch(text, args, &counter_info, batch, error);
}

static size_t kind_shared_bytes(const struct kind_args *args)
{
	size_t zones = args->nodes * sizeof(struct zone_level);
	size_t parts = (size_t)args->slots * args->nodes * ZONE_ITEMS * sizeof(m_word);

	return sizeof(struct zone_account) + zones + sizeof(struct zone_machine) + parts +
	       4 * M_LINE_PAIR_BYTES;
}

static size_t kind_block_bytes(const struct kind_args *args)
{
	return args->nodes * (ZONE_STRIDE + 2) * sizeof(m_word) + 2 * M_LINE_PAIR_BYTES;
}

static void name_levels(struct m_run *run, const struct zone_levels *levels)
{
	for (unsigned int item = 0; item < ZONE_ITEMS; item++) {
		m_name(run, &levels->machine->item[item], 1, "machine.%s", zone_item_names[item]);
		for (unsigned int node = 0; node < levels->nodes; node++)
			m_name(run, &levels->zone[node].item[item], 1, "zone[%u].%s", node,
			       zone_item_names[item]);
	}
	for (unsigned int node = 0; node < levels->nodes; node++)
		m_name(run, &levels->zone[node].free_pages, 1, "zone[%u].free_pages", node);
}

static void *kind_setup(struct m_run *run, const struct kind_args *args)
{
	struct zone_account *account = m_alloc(run, sizeof(*account), M_LINE_PAIR_BYTES);
	struct zone_levels levels = { .nodes = args->nodes };
	int64_t threshold = zone_phase_threshold(args, 0);
	int64_t managed = zone_managed_bytes(args);

	levels.zone = m_alloc(run, args->nodes * sizeof(*levels.zone), M_LINE_PAIR_BYTES);
	levels.machine = m_alloc(run, sizeof(*levels.machine), M_LINE_PAIR_BYTES);
	for (unsigned int node = 0; node < args->nodes; node++)
		m_store(&levels.zone[node].free_pages, managed >> 12);
	name_levels(run, &levels);
	account->watermark_pages = zone_watermark_gap(managed, args->memory_bytes);
	m_percpu_alloc(run, &account->notes, 2 * args->nodes);
	zone_init(&account->zone, run, levels, counter_info.batch_limit ? args->batch : threshold);
	account->loosest = threshold;
	return account;
}

static void set_own_threshold(void *counter)
{
	struct zone_account *account = counter;
	int64_t threshold = m_load(&account->next_threshold);

	zone_set_threshold(&account->zone, threshold);
}

/*
 * Every CPU's threshold is set; the differences that have grown under the old one stay until the
 * next fold. Rule: set_pgdat_percpu_threshold(), Linux 2.6.37.
 */
static enum m_event kind_enter_phase(const struct m_ops *ops, struct m_run *run, void *counter,
				     const struct kind_args *args, unsigned int phase,
				     struct error *error)
{
	struct zone_account *account = counter;
	int64_t threshold = zone_phase_threshold(args, phase);

	if (threshold > account->loosest)
		account->loosest = threshold;
	account->disturbed = true;
	m_store(&account->next_threshold, threshold);
	return ops->on_each_slot(run, set_own_threshold, account, error);
}

static void fold_own_parts(void *zone)
{
	zone_fold(zone);
}

static int64_t kind_tick_ns(const struct kind_args *args)
{
	return counter_info.has_batch ? zone_stat_interval_ns(args) : 0;
}

static enum m_event kind_tick(const struct m_ops *ops, struct m_run *run, void *counter,
			      struct error *error)
{
	struct zone_account *account = counter;
	enum m_event event;

	account->disturbed = true;
	event = ops->on_each_slot(run, fold_own_parts, &account->zone, error);
	account->loosest = zone_threshold(&account->zone);
	return event;
}

static const char *kind_caution(const struct kind_args *args)
{
	if (!counter_info.has_batch || counter_info.batch_limit ||
	    zone_phase_threshold(args, 0) <= ZONE_THRESHOLD_MOST)
		return NULL;
	return "a threshold above 125 is an experiment: the kernel's differences are signed bytes";
}

static int64_t kind_batch_used(const void *counter)
{
	return zone_threshold(&((struct zone_account *)counter)->zone);
}

static int64_t kind_read(void *counter)
{
	return zone_read(&((struct zone_account *)counter)->zone, ZONE_MACHINE, ZONE_HIT);
}

static int64_t kind_sum(void *counter)
{
	return zone_sum(&((struct zone_account *)counter)->zone, ZONE_MACHINE, ZONE_HIT);
}

/*
 * What a task's notes say that it must have counted of an item and a node; written from the meaning
 * of the items, not from zone_statistics(), so that it can prove that wrong.
 */
static int64_t zone_task_truth(const struct task *task, const struct zone_account *account,
			       unsigned int node, enum zone_item item)
{
	unsigned int nodes = task->run->setup.nodes;
	const int64_t *came = m_notes(task, &account->notes);
	const int64_t *interleaved = came + nodes;
	bool is_own = task->node == node;
	int64_t pages = is_own ? task->added : came[node];
	int64_t events = 0;

	if (item == ZONE_HIT)
		return (is_own ? pages : 0) + interleaved[node];
	if (item == ZONE_MISS)
		return is_own ? 0 : pages;
	if (item == ZONE_INTERLEAVE)
		return interleaved[node];
	if ((item == ZONE_LOCAL && is_own) || (item == ZONE_OTHER && !is_own))
		return pages + interleaved[node];
	for (unsigned int other = 0; item == ZONE_FOREIGN && is_own && other < nodes; other++)
		events += other == node ? 0 : came[other];
	return events;
}

static int64_t zone_truth(struct m_run *run, const struct zone_account *account, unsigned int node,
			  enum zone_item item)
{
	int64_t events = 0;

	for (unsigned int slot = 0; slot < run->slots; slot++)
		events += zone_task_truth(m_task_of(run, slot), account, node, item);
	return events;
}

/*
 * The rule of spills, which no sum and no bound can show: a part spills with its event number
 * threshold + 1, then once in threshold + 1 and the overstep, which a counter with a limit of its
 * own on an unsigned part has not.
 */
static int zone_check_spills(struct m_run *run, struct zone_account *account, struct error *error)
{
	int64_t threshold = zone_threshold(&account->zone);
	int64_t overstep = counter_info.batch_limit ? 0 : threshold / 2;

	if (!counter_info.has_batch || account->disturbed)
		return 0;
	for (unsigned int slot = 0; slot < run->slots; slot++) {
		const struct task *task = m_task_of(run, slot);
		int64_t spills = 0;

		for (unsigned int node = 0; node < run->setup.nodes; node++)
			for (enum zone_item item = 0; item < ZONE_ITEMS; item++)
				spills += (zone_task_truth(task, account, node, item) + overstep) /
					  (threshold + 1 + overstep);
		if (task->spills != (uint64_t)spills)
			return error_set(error,
					 "the counter is wrong: task %u has counted %llu spills, "
					 "its events are those of %lld",
					 slot, (unsigned long long)task->spills, (long long)spills);
	}
	return 0;
}

/* Of all tasks: two events for a page of one's own node, three for any other. */
static uint64_t kind_charges(struct m_run *run, void *counter)
{
	const struct zone_account *account = counter;
	unsigned int nodes = run->setup.nodes;
	int64_t charges = 0;

	for (unsigned int slot = 0; slot < run->setup.tasks; slot++) {
		const struct task *task = m_task_of(run, slot);
		const int64_t *came = m_notes(task, &account->notes);

		charges += 2 * task->added;
		for (unsigned int node = 0; node < nodes; node++)
			charges += 3 * (came[node] + came[nodes + node]);
	}
	return (uint64_t)charges;
}

static int zone_check_item(struct zone_account *account, int node, enum zone_item item,
			   int64_t truth, struct kind_check *check, struct error *error)
{
	int64_t read = zone_read(&account->zone, node, item);
	int64_t sum = zone_sum(&account->zone, node, item);
	int64_t off = read > truth ? read - truth : truth - read;
	int64_t bound = zone_error_bound(&account->zone, node, account->loosest);

	if (off > check->error)
		check->error = off;
	if (sum != truth)
		return error_set(error,
				 "the counter is wrong: %s of node %d is %lld by its exact sum, "
				 "%lld by the tasks' notes",
				 zone_item_names[item], node, (long long)sum, (long long)truth);
	if (off > bound)
		return error_set(error,
				 "the counter is wrong: the cheap read of %s of node %d is off by "
				 "%lld events, the bound is %lld",
				 zone_item_names[item], node, (long long)off, (long long)bound);
	return 0;
}

static int kind_check(struct m_run *run, void *counter, struct kind_check *check,
		      struct error *error)
{
	struct zone_account *account = counter;

	*check = (struct kind_check){ .valid = !counter_info.counts_nothing };
	if (!check->valid)
		return 0;
	check->bound = zone_error_bound(&account->zone, ZONE_MACHINE, account->loosest);
	for (enum zone_item item = 0; item < ZONE_ITEMS; item++) {
		int64_t machine = 0;

		for (unsigned int node = 0; node < run->setup.nodes; node++) {
			int64_t truth = zone_truth(run, account, node, item);

			machine += truth;
			if (zone_check_item(account, (int)node, item, truth, check, error) != 0)
				return -1;
		}
		if (zone_check_item(account, ZONE_MACHINE, item, machine, check, error) != 0)
			return -1;
	}
	return zone_check_spills(run, account, error);
}

static const struct kind_ops kind_ops = {
	.sites = kind_sites,
	.unit = "events",
	.options = zone_options,
	.batch = kind_batch,
	.shared_bytes = kind_shared_bytes,
	.block_bytes = kind_block_bytes,
	.setup = kind_setup,
	.phases = zone_phases,
	.phase_start_pct = zone_phase_start_pct,
	.enter_phase = kind_enter_phase,
	.tick_ns = kind_tick_ns,
	.tick = kind_tick,
	.caution = kind_caution,
	.policy = zone_phase_name,
	.batch_used = kind_batch_used,
	.charges = kind_charges,
	.read = kind_read,
	.sum = kind_sum,
	.check = kind_check,
};

#endif

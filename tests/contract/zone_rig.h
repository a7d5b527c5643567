/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * zone_rig.h - a zone counter in a run of its own, over two NUMA nodes: with the slots to act as
 * and the truth to hold it against.
 */
#ifndef TESTS_CONTRACT_ZONE_RIG_H
#define TESTS_CONTRACT_ZONE_RIG_H

#include "counters/zone_kind.h"
#include "tests/rig.h"

#define SLOTS 5
#define NODES 2
#define CPUS 2
#define MEMORY_BYTES (24LL << 30)

static struct setting setting_list[4];
static struct settings settings = { .list = setting_list };
static struct kind_args counter_args;
static struct zone_account *account; /* the counter under test */
static struct zone *zone;
/* What each node's items must be, where a test counts by itself. */
static int64_t expected[NODES][ZONE_ITEMS];

static void default_settings(void)
{
	settings.count = 0;
	for (const struct option_row *row = kind_ops.options; row->name; row++)
		setting_list[settings.count++] =
			(struct setting){ .row = row, .value = row->fallback };
}

/* As by --pressure=on@50%: the second phase is short of memory. */
static void set_pressure(const char *text)
{
	struct setting *setting = &setting_list[0];

	assert_string_equal(setting->row->name, "pressure");
	if (setting->row->parse(text, &setting->value, &rig.error) != 0)
		fail_msg("%s", rig.error.text);
}

static struct kind_args args_of(unsigned int tasks, unsigned int slots, int64_t threshold)
{
	return (struct kind_args){ .settings = &settings,
				   .memory_bytes = MEMORY_BYTES,
				   .cpus = CPUS,
				   .tasks = tasks,
				   .slots = slots,
				   .nodes = NODES,
				   .batch = threshold };
}

static void make_counter(unsigned int tasks, int64_t threshold)
{
	memset(expected, 0, sizeof(expected));
	counter_args = args_of(tasks, rig.run->slots, threshold);
	assert_in_range(kind_ops.shared_bytes(&counter_args), sizeof(*account),
			RIG_SHARED_BYTES / 2);
	assert_in_range(kind_ops.block_bytes(&counter_args), sizeof(m_word), RIG_BLOCK_BYTES / 2);
	account = kind_ops.setup(rig.run, &counter_args);
	zone = &account->zone;
}

/* A fresh counter over SLOTS slots that have no task: the test acts as each of them. */
static void open_alone(int64_t threshold)
{
	default_settings();
	rig_open(&(struct rig_args){ .tasks = 1, .slots = SLOTS, .nodes = NODES });
	make_counter(1, threshold);
	for (unsigned int slot = 0; slot < rig.run->block_count; slot++)
		m_task_of(rig.run, slot)->counter = account;
	rig_act_as(0);
}

static void inc_as(unsigned int slot, unsigned int node, enum zone_item item)
{
	rig_act_as(slot);
	zone_inc(zone, node, item);
	expected[node][item]++;
}

static void dec_as(unsigned int slot, unsigned int node, enum zone_item item)
{
	rig_act_as(slot);
	zone_dec(zone, node, item);
	expected[node][item]--;
}

/* What a counter must give: the truth, or nothing where it promises to count nothing. */
static int64_t counted(int64_t events)
{
	return counter_info.counts_nothing ? 0 : events;
}

static uint64_t spills(void)
{
	uint64_t sum = 0;

	for (unsigned int slot = 0; slot < rig.run->slots; slot++)
		sum += m_task_of(rig.run, slot)->spills;
	return sum;
}

static void expect_item(int node, enum zone_item item, int64_t events, int64_t bound)
{
	int64_t read = zone_read(zone, node, item);
	int64_t sum = zone_sum(zone, node, item);

	if (sum != counted(events))
		fail_msg("item %d of node %d: the sum is %lld instead of %lld", item, node,
			 (long long)sum, (long long)counted(events));
	if (llabs(read - counted(events)) > bound)
		fail_msg("item %d of node %d: the cheap read is %lld instead of %lld: further off "
			 "than %lld",
			 item, node, (long long)read, (long long)counted(events), (long long)bound);
}

/* Every item of both levels: the sum is exact, a zone's cheap read within `bound`. */
static void expect_within(int64_t bound)
{
	for (enum zone_item item = 0; item < ZONE_ITEMS; item++) {
		int64_t all = 0;

		for (int node = 0; node < NODES; node++) {
			expect_item(node, item, expected[node][item], bound);
			all += expected[node][item];
		}
		expect_item(ZONE_MACHINE, item, all, NODES * bound);
	}
}

static int64_t bound_of(int64_t threshold)
{
	int64_t bound = zone_error_bound(zone, 0, threshold);

	assert_int_equal(zone_error_bound(zone, ZONE_MACHINE, threshold), NODES * bound);
	return bound;
}

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * commit_rig.h - a commit counter in a run of its own: with the settings that it is made from, the
 * slots to act as, and the truth to hold it against.
 */
#ifndef TESTS_CONTRACT_COMMIT_RIG_H
#define TESTS_CONTRACT_COMMIT_RIG_H

#include "counters/commit_kind.h"
#include "tests/rig.h"

#define SLOTS 5
#define SETTINGS_MAX 16
#define MEMORY_BYTES (24LL << 30)
#define CPUS 2

static struct setting setting_list[SETTINGS_MAX];
static struct settings settings = { .list = setting_list };
static struct kind_args counter_args;
static struct account *account; /* the counter under test */
static struct commit *commit;

/* Every setting of the kind at its default. */
static void default_settings(void)
{
	settings.count = 0;
	for (const struct option_row *row = kind_ops.options; row->name; row++) {
		assert_in_range(settings.count, 0, SETTINGS_MAX - 1);
		setting_list[settings.count++] =
			(struct setting){ .row = row, .value = row->fallback };
	}
}

static void set_option(const char *name, int64_t value)
{
	for (unsigned int i = 0; i < settings.count; i++)
		if (strcmp(setting_list[i].row->name, name) == 0)
			setting_list[i].value = value;
	assert_int_equal(setting_value(&settings, name), value);
}

/* The second phase is under `policy`, as by --policy-switch=POLICY@50%. */
static void set_switch(const char *policy)
{
	const struct option_row *row = kind_ops.options;
	char text[16];
	int64_t value = 0;

	while (strcmp(row->name, "policy-switch") != 0)
		row++;
	snprintf(text, sizeof(text), "%s@50%%", policy);
	if (row->parse(text, &value, &rig.error) != 0)
		fail_msg("%s", rig.error.text);
	set_option("policy-switch", value);
}

static struct kind_args args_of(unsigned int tasks, unsigned int slots, int64_t batch)
{
	return (struct kind_args){ .settings = &settings,
				   .memory_bytes = MEMORY_BYTES,
				   .cpus = CPUS,
				   .tasks = tasks,
				   .slots = slots,
				   .size = PAGE_BYTES,
				   .batch = batch };
}

static struct account *make_counter(unsigned int tasks, int64_t batch)
{
	counter_args = args_of(tasks, rig.run->slots, batch);
	assert_in_range(kind_ops.shared_bytes(&counter_args), sizeof(struct account),
			RIG_SHARED_BYTES / 2);
	assert_in_range(kind_ops.block_bytes(&counter_args), sizeof(m_word), RIG_BLOCK_BYTES / 2);
	account = kind_ops.setup(rig.run, &counter_args);
	commit = &account->commit;
	return account;
}

/* A fresh counter over SLOTS slots that have no task: the test acts as each of them. */
static void open_alone(int64_t batch)
{
	default_settings();
	rig_open(&(struct rig_args){ .tasks = 1, .slots = SLOTS });
	make_counter(1, batch);
	for (unsigned int slot = 0; slot < rig.run->block_count; slot++)
		m_task_of(rig.run, slot)->counter = account;
	rig_act_as(0);
}

/* A charge as that slot, so that the slot's own tally knows of it. */
static void add_as(unsigned int slot, int64_t pages)
{
	charge(rig_act_as(slot), pages, pages < 0 ? SITE_UNCHARGE : SITE_CHARGE);
}

static int64_t truth(void)
{
	int64_t sum = 0;

	for (unsigned int slot = 0; slot < rig.run->slots; slot++)
		sum += m_task_of(rig.run, slot)->added;
	return sum;
}

/* What a counter must give: the truth, or nothing where it promises to count nothing. */
static int64_t counted(int64_t pages)
{
	return counter_info.counts_nothing ? 0 : pages;
}

static uint64_t spills(void)
{
	uint64_t sum = 0;

	for (unsigned int slot = 0; slot < rig.run->slots; slot++)
		sum += m_task_of(rig.run, slot)->spills;
	return sum;
}

static void sync_all(void)
{
	for (unsigned int slot = 0; slot < rig.run->slots; slot++) {
		rig_act_as(slot);
		commit_sync(commit);
	}
}

/* The cheap read is at most `bound` off, the exact one not at all. */
static void expect_within(int64_t bound)
{
	int64_t wanted = counted(truth());
	int64_t read = commit_read(commit);
	int64_t sum = commit_sum(commit);

	if (sum != wanted)
		fail_msg("the sum is %lld instead of %lld", (long long)sum, (long long)wanted);
	if (llabs(read - wanted) > bound)
		fail_msg("the cheap read is %lld instead of %lld: further off than %lld",
			 (long long)read, (long long)wanted, (long long)bound);
}

static int64_t bound_of(int64_t batch)
{
	return commit_error_bound(commit, batch);
}

#endif

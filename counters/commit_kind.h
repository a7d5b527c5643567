/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * commit_kind.h - the control plane of the kind "commit" (struct kind_ops), made anew in each cell
 * for the counter that is compiled in.
 */
#ifndef COUNTERS_COMMIT_KIND_H
#define COUNTERS_COMMIT_KIND_H

#include "counters/account.h"
#include "counters/commit_options.h"
#include "counters/kind.h"

static const char *const kind_sites[] = { [SITE_CHARGE] = "charge",
					  [SITE_UNCHARGE] = "uncharge",
					  [SITE_SUM] = "sum",
					  [SITE_SYNC] = "sync",
					  NULL };

static size_t kind_shared_bytes(const struct kind_args *args)
{
	(void)args;
	return sizeof(struct account) + M_LINE_PAIR_BYTES;
}

static size_t kind_block_bytes(const struct kind_args *args)
{
	(void)args;
	return 8 * M_LINE_PAIR_BYTES;
}

static void *kind_setup(struct m_run *run, const struct kind_args *args)
{
	struct account *account = m_alloc(run, sizeof(*account), M_LINE_PAIR_BYTES);

	commit_init(&account->commit, run, args->batch);
	m_store(&account->policy, commit_policy(args, 0));
	m_name(run, &account->policy, 1, "policy");
	account->limits = commit_limits(args);
	account->loosest_batch = args->batch;
	return account;
}

static void sync_own_part(void *commit)
{
	commit_sync(commit);
}

/*
 * A policy change in the kernel's order: the new batch; going to NEVER, every part brought in; only
 * then the policy, so that its first check already reads a count that is as exact as its batch.
 * Rule: overcommit_policy_handler, Linux 5.9.
 */
static enum m_event kind_enter_phase(const struct m_ops *ops, struct m_run *run, void *counter,
				     const struct kind_args *args, unsigned int phase,
				     struct error *error)
{
	struct account *account = counter;
	enum overcommit_policy policy = commit_policy(args, phase);
	int64_t batch = commit_policy_batch(args, policy);
	enum m_event event = M_OK;

	commit_set_batch(&account->commit, batch);
	if (policy == OVERCOMMIT_NEVER) {
		account->synced = true;
		event = ops->on_each_slot(run, sync_own_part, &account->commit, error);
		account->loosest_batch = batch;
	} else if (batch > account->loosest_batch) {
		account->loosest_batch = batch;
	}
	if (event == M_OK)
		m_store_release(&account->policy, policy);
	return event;
}

static int64_t kind_batch_used(const void *counter)
{
	return commit_batch(&((const struct account *)counter)->commit);
}

static int64_t kind_read(void *counter)
{
	return commit_read(&((struct account *)counter)->commit);
}

static int64_t kind_sum(void *counter)
{
	return commit_sum(&((struct account *)counter)->commit);
}

/* False when one task alone has added more than its share of what 63 bits hold. */
static bool add_within(int64_t *sum, int64_t added, int64_t most)
{
	*sum += added;
	return added <= most && added >= -most;
}

/* Parts reach the shared count by spills alone: if it has moved, some must have been told. */
static bool spills_are_missing(struct m_run *run, const struct account *account, int64_t read)
{
	uint64_t spills = 0;

	for (unsigned int slot = 0; slot < run->slots; slot++)
		spills += m_task_of(run, slot)->spills;
	return counter_info.has_batch && read != 0 && spills == 0 && !account->synced;
}

static int kind_check(struct m_run *run, void *counter, struct kind_check *check,
		      struct error *error)
{
	struct account *account = counter;
	int64_t truth = 0;
	int64_t sum, read;
	int64_t most = (INT64_MAX / 2) / (int64_t)run->slots;

	*check = (struct kind_check){ .valid = !counter_info.counts_nothing };
	if (!check->valid)
		return 0;
	for (unsigned int slot = 0; slot < run->slots; slot++)
		if (!add_within(&truth, m_task_of(run, slot)->added, most))
			return error_set(error, "the count is about to leave 64 bits: give a "
						"smaller --size or a shorter --duration");
	sum = commit_sum(&account->commit);
	read = commit_read(&account->commit);
	check->error = read > truth ? read - truth : truth - read;
	check->bound = commit_error_bound(&account->commit, account->loosest_batch);
	if (sum != truth)
		return error_set(
			error,
			"the counter is wrong: its exact sum is %lld pages, the tasks added "
			"%lld",
			(long long)sum, (long long)truth);
	if (check->error > check->bound)
		return error_set(error,
				 "the counter is wrong: its cheap read is off by %lld pages, the "
				 "bound is %lld",
				 (long long)check->error, (long long)check->bound);
	if (spills_are_missing(run, account, read))
		return error_set(error,
				 "the counter is wrong: its shared count has come to %lld pages, "
				 "and no spill was counted",
				 (long long)read);
	return 0;
}

static const struct kind_ops kind_ops = {
	.unit = "pages",
	.sites = kind_sites,
	.options = commit_options,
	.batch = commit_parse_batch,
	.shared_bytes = kind_shared_bytes,
	.block_bytes = kind_block_bytes,
	.setup = kind_setup,
	.phases = commit_phases,
	.phase_start_pct = commit_phase_start_pct,
	.enter_phase = kind_enter_phase,
	.policy = commit_policy_name,
	.batch_used = kind_batch_used,
	.read = kind_read,
	.sum = kind_sum,
	.check = kind_check,
};

#endif

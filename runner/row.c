// SPDX-License-Identifier: GPL-2.0-or-later
/* row.c - the columns of a row, in the order in which they are written. */
#include "runner/row.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "runner/latency.h"
#include "runner/params.h"

static bool has_phase(const struct row *row)
{
	return row->result->status == STATUS_OK;
}

static bool counts(const struct row *row)
{
	return has_phase(row) && !row->point->cell->counter_info->counts_nothing;
}

double row_efficiency(const struct row *row)
{
	return row->speedup / row->point->tasks;
}

static void number(char *text, size_t size, double value, int decimals)
{
	if (isnan(value))
		text[0] = '\0';
	else
		snprintf(text, size, "%.*f", decimals, value);
}

/* A column that is a text. */
#define TEXT(name, value)                                                        \
	static void write_##name(const struct row *row, char *text, size_t size) \
	{                                                                        \
		(void)row;                                                       \
		snprintf(text, size, "%s", value);                               \
	}

/* A column that is a whole number, absent unless `when`. */
#define COUNT(name, when, value)                                                 \
	static void write_##name(const struct row *row, char *text, size_t size) \
	{                                                                        \
		text[0] = '\0';                                                  \
		if (when)                                                        \
			snprintf(text, size, "%" PRId64, (int64_t)(value));      \
	}

/* A column that is a number with decimals, absent when it is NAN or not `when`. */
#define REAL(name, when, value, decimals)                                        \
	static void write_##name(const struct row *row, char *text, size_t size) \
	{                                                                        \
		number(text, size, (when) ? (double)(value) : NAN, decimals);    \
	}

COUNT(schema, row, ROW_SCHEMA)
TEXT(run_id, row->context->run_id)
TEXT(time, row->time)
TEXT(host, row->context->host)
TEXT(machine, row->context->config->machine_name)
TEXT(testcase, row->point->cell->testcase)
TEXT(counter, row->point->cell->counter)
TEXT(kind, row->point->cell->kind)
TEXT(batch, row->point->batch)
COUNT(batch_used, has_phase(row) && row->phase->batch_used >= 0, row->phase->batch_used)
TEXT(policy, row->phase->policy ? row->phase->policy : "")
TEXT(mode, mode_names[row->point->mode])
TEXT(placement, placement_names[row->context->config->placement])
COUNT(tasks, row, row->point->tasks)
COUNT(repeat, row, row->point->repeat)
COUNT(seed, row, row->context->config->seed)
REAL(duration_s, has_phase(row), row->phase->duration_s, 6)
COUNT(ops, has_phase(row), row->phase->totals.ops)
REAL(ops_per_sec, has_phase(row), row->phase->ops_per_sec, 1)
REAL(ops_low, has_phase(row), row->phase->ops_low, 1)
REAL(ops_high, has_phase(row), row->phase->ops_high, 1)
REAL(task_min, has_phase(row), row->phase->task_min, 1)
REAL(task_median, has_phase(row), row->phase->task_median, 1)
REAL(task_max, has_phase(row), row->phase->task_max, 1)
REAL(speedup, has_phase(row), row->speedup, 4)
REAL(efficiency, has_phase(row), row_efficiency(row), 4)
COUNT(lock_acquisitions, counts(row), row->phase->totals.acquisitions)
COUNT(lock_contended, counts(row), row->phase->totals.contended)
REAL(lock_wait_pct, counts(row), totals_wait_pct(&row->phase->totals), 3)
COUNT(spills, counts(row), row->phase->totals.spills)
COUNT(error_max, has_phase(row) && row->phase->error_max >= 0, row->phase->error_max)
COUNT(error_bound, has_phase(row) && row->phase->error_bound >= 0, row->phase->error_bound)
REAL(read_ns, has_phase(row), row->phase->read_ns, 1)
REAL(sum_ns, has_phase(row), row->phase->sum_ns, 1)
COUNT(refused, counts(row), row->phase->totals.refused)
REAL(idle_pct, has_phase(row) && row->phase->idle_pct >= 0, row->phase->idle_pct, 2)
REAL(steal_pct, has_phase(row) && row->phase->steal_pct >= 0, row->phase->steal_pct, 2)
TEXT(cpu_kinds, row->result->cpu_kinds)
TEXT(profile_event, row->result->profile.event)
TEXT(profile, row->result->profile.shares)
TEXT(profile_sites, row->result->profile.sites)
COUNT(cache_misses, row->result->profile.has_cache_misses, row->result->profile.cache_misses)
COUNT(hitm, row->result->profile.has_hitm, row->result->profile.hitm)
TEXT(reason, row->result->reason.text)
REAL(warmup_s, has_phase(row), row->phase->warmup_s, 3)
COUNT(intervals, has_phase(row), row->phase->intervals)
COUNT(charges, counts(row), row->phase->totals.charges)

static double latency(const struct row *row, double percent)
{
	return has_phase(row) ? latency_percentile(row->phase->totals.latency, percent) : NAN;
}

REAL(latency_p50_ns, row, latency(row, 50), 1)
REAL(latency_p90_ns, row, latency(row, 90), 1)
REAL(latency_p99_ns, row, latency(row, 99), 1)
REAL(latency_p99_9_ns, row, latency(row, 99.9), 1)

/* "charge:48.2;uncharge:45.9": percent of tasks x time, by call site, those that waited. */
static void write_lock_sites(const struct row *row, char *text, size_t size)
{
	const struct totals *totals = &row->phase->totals;
	const char *const *names = row->point->cell->kind_ops->sites;
	size_t used = 0;

	text[0] = '\0';
	if (!counts(row) || totals->elapsed_ns <= 0)
		return;
	for (unsigned int site = 0; names[site]; site++) {
		double pct =
			100.0 * (double)totals->site_wait_ns[site] / (double)totals->elapsed_ns;

		if (totals->site_wait_ns[site] && used < size)
			used += (size_t)snprintf(text + used, size - used, "%s%s:%.3f",
						 used ? ";" : "", names[site], pct);
	}
}

static void write_params(const struct row *row, char *text, size_t size)
{
	params_write(row->context->config, row->point, row->context->aslr_off, text, size);
}

static void write_status(const struct row *row, char *text, size_t size)
{
	static const char *const names[] = { "ok", "failed", "skipped" };

	snprintf(text, size, "%s", names[row->result->status]);
}

#define COLUMN(name, is_number)                \
	{                                      \
#name, is_number, write_##name \
	}

const struct column columns[] = {
	COLUMN(schema, true),	      COLUMN(run_id, false),	    COLUMN(time, false),
	COLUMN(host, false),	      COLUMN(machine, false),	    COLUMN(testcase, false),
	COLUMN(counter, false),	      COLUMN(kind, false),	    COLUMN(batch, false),
	COLUMN(batch_used, true),     COLUMN(policy, false),	    COLUMN(mode, false),
	COLUMN(placement, false),     COLUMN(tasks, true),	    COLUMN(repeat, true),
	COLUMN(seed, true),	      COLUMN(duration_s, true),	    COLUMN(ops, true),
	COLUMN(ops_per_sec, true),    COLUMN(ops_low, true),	    COLUMN(ops_high, true),
	COLUMN(task_min, true),	      COLUMN(task_median, true),    COLUMN(task_max, true),
	COLUMN(speedup, true),	      COLUMN(efficiency, true),	    COLUMN(lock_acquisitions, true),
	COLUMN(lock_contended, true), COLUMN(lock_wait_pct, true),  COLUMN(lock_sites, false),
	COLUMN(spills, true),	      COLUMN(error_max, true),	    COLUMN(error_bound, true),
	COLUMN(read_ns, true),	      COLUMN(sum_ns, true),	    COLUMN(refused, true),
	COLUMN(idle_pct, true),	      COLUMN(steal_pct, true),	    COLUMN(params, false),
	COLUMN(status, false),	      COLUMN(reason, false),	    COLUMN(warmup_s, true),
	COLUMN(intervals, true),      COLUMN(charges, true),	    COLUMN(latency_p50_ns, true),
	COLUMN(latency_p90_ns, true), COLUMN(latency_p99_ns, true), COLUMN(latency_p99_9_ns, true),
	COLUMN(cpu_kinds, false),     COLUMN(profile_event, false), COLUMN(profile, false),
	COLUMN(profile_sites, false), COLUMN(cache_misses, true),   COLUMN(hitm, true),
	{ NULL, false, NULL },
};

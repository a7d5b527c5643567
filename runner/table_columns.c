// SPDX-License-Identifier: GPL-2.0-or-later
/* table_columns.c - what stands in each column of the table for people. */
#include "runner/table_columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/kernel.h"
#include "runner/latency.h"

/* 1234567.8 as 1,234,568: digits in threes, as many as fit. */
static void grouped(char *text, size_t size, double value)
{
	char plain[32];
	int digits = snprintf(plain, sizeof(plain), "%.0f", value);
	size_t used = 0;

	for (int i = 0; i < digits && used + 2 < size; i++) {
		if (i && (digits - i) % 3 == 0)
			text[used++] = ',';
		text[used++] = plain[i];
	}
	text[used] = '\0';
}

static bool measured(const struct row *row)
{
	return row->result->status == STATUS_OK;
}

static bool counted(const struct row *row)
{
	return measured(row) && !row->point->cell->counter_info->counts_nothing;
}

static void write_testcase(const struct row *row, char *text, size_t size)
{
	snprintf(text, size, "%s", row->point->cell->testcase);
}

static void write_counter(const struct row *row, char *text, size_t size)
{
	snprintf(text, size, "%s", row->point->cell->counter[0] ? row->point->cell->counter : "-");
}

static void write_batch(const struct row *row, char *text, size_t size)
{
	char *rest;

	text[0] = '\0';
	if (!measured(row) || row->phase->batch_used < 0)
		snprintf(text, size, "%s", row->point->batch);
	else if (strtoll(row->point->batch, &rest, 10) == row->phase->batch_used && !*rest)
		snprintf(text, size, "%lld", (long long)row->phase->batch_used);
	else
		snprintf(text, size, "%s=%lld", row->point->batch,
			 (long long)row->phase->batch_used);
}

static void write_kernel(const struct row *row, char *text, size_t size)
{
	kernel_describe(row->point, text, size);
}

static void write_policy(const struct row *row, char *text, size_t size)
{
	snprintf(text, size, "%s", row->phase->policy ? row->phase->policy : "");
}

static void write_mode(const struct row *row, char *text, size_t size)
{
	snprintf(text, size, "%s", mode_names[row->point->mode]);
}

static void write_tasks(const struct row *row, char *text, size_t size)
{
	snprintf(text, size, "%u", row->point->tasks);
}

static void write_ops(const struct row *row, char *text, size_t size)
{
	static const char *const words[] = { "", "FAILED", "skipped" };

	if (measured(row))
		grouped(text, size, row->phase->ops_per_sec);
	else
		snprintf(text, size, "%s", words[row->result->status]);
}

/* Half the width of the 95 % interval in percent of the median. */
static void write_spread(const struct row *row, char *text, size_t size)
{
	double half = (row->phase->ops_high - row->phase->ops_low) / 2;

	text[0] = '\0';
	if (measured(row) && !isnan(half) && row->phase->ops_per_sec > 0)
		snprintf(text, size, "%.1f%%", 100 * half / row->phase->ops_per_sec);
}

static void write_speedup(const struct row *row, char *text, size_t size)
{
	text[0] = '\0';
	if (measured(row) && !isnan(row->speedup))
		snprintf(text, size, "%.2f", row->speedup);
}

static void write_efficiency(const struct row *row, char *text, size_t size)
{
	text[0] = '\0';
	if (measured(row) && !isnan(row->speedup))
		snprintf(text, size, "%.0f%%", 100 * row_efficiency(row));
}

/* The slowest task's rate in percent of the fastest's. */
static void write_fairness(const struct row *row, char *text, size_t size)
{
	text[0] = '\0';
	if (measured(row) && row->point->tasks > 1 && row->phase->task_max > 0)
		snprintf(text, size, "%.0f%%", 100 * row->phase->task_min / row->phase->task_max);
}

static void write_locks(const struct row *row, char *text, size_t size)
{
	const struct totals *totals = &row->phase->totals;

	text[0] = '\0';
	if (counted(row) && totals->ops)
		snprintf(text, size, "%.2f", (double)totals->acquisitions / (double)totals->ops);
}

static void write_wait(const struct row *row, char *text, size_t size)
{
	text[0] = '\0';
	if (counted(row))
		snprintf(text, size, "%.1f%%", totals_wait_pct(&row->phase->totals));
}

static void write_error(const struct row *row, char *text, size_t size)
{
	char bound[32];

	text[0] = '\0';
	if (!counted(row) || row->phase->error_max < 0)
		return;
	grouped(bound, sizeof(bound), (double)row->phase->error_bound);
	grouped(text, size, (double)row->phase->error_max);
	snprintf(text + strlen(text), size - strlen(text), "/%s", bound);
}

static void write_ns(char *text, size_t size, double ns)
{
	if (isnan(ns))
		snprintf(text, size, "-");
	else
		snprintf(text, size, "%.0f", ns);
}

static void write_read(const struct row *row, char *text, size_t size)
{
	text[0] = '\0';
	if (!counted(row) || (isnan(row->phase->read_ns) && isnan(row->phase->sum_ns)))
		return;
	write_ns(text, size, row->phase->read_ns);
	snprintf(text + strlen(text), size - strlen(text), "/");
	write_ns(text + strlen(text), size - strlen(text), row->phase->sum_ns);
}

/* Refused operations are short, so a rate that looks too good says here why. */
static void write_refused(const struct row *row, char *text, size_t size)
{
	text[0] = '\0';
	if (counted(row) && row->phase->totals.refused)
		grouped(text, size, (double)row->phase->totals.refused);
}

/* Per cent of tasks x time by call site, where it is any: "charge 48.2% uncharge 45.9%". */
static void write_sites(const struct row *row, char *text, size_t size)
{
	const char *const *names = row->point->cell->kind_ops->sites;
	size_t used = 0;

	text[0] = '\0';
	for (unsigned int site = 0; counted(row) && names[site]; site++) {
		double pct = totals_site_pct(&row->phase->totals, site);

		if (pct >= 0.05 && used < size)
			used += (size_t)snprintf(text + used, size - used, "%s%s %.1f%%",
						 used ? " " : "", names[site], pct);
	}
}

/* Half of the operations, and all but one of a hundred, took no longer. */
static void write_latency(const struct row *row, char *text, size_t size)
{
	const uint64_t *counts = row->phase->totals.latency;
	double median = measured(row) ? latency_percentile(counts, 50) : NAN;

	text[0] = '\0';
	if (isnan(median))
		return;
	grouped(text, size, median);
	snprintf(text + strlen(text), size - strlen(text), "/");
	grouped(text + strlen(text), size - strlen(text), latency_percentile(counts, 99));
}

const struct table_column table_columns[] = {
	{ .title = "testcase", .left = true, .write = write_testcase },
	{ .title = "counter", .left = true, .write = write_counter },
	{ .title = "batch", .left = true, .write = write_batch },
	{ .title = "policy", .left = true, .shared = true, .write = write_policy },
	{ .title = "kernel", .left = true, .shared = true, .write = write_kernel },
	{ .title = "mode", .left = true, .shared = true, .write = write_mode },
	{ .title = "tasks", .write = write_tasks },
	{ .title = "ops/s", .write = write_ops },
	{ .title = "+-95%", .write = write_spread },
	{ .title = "speedup", .write = write_speedup },
	{ .title = "effic.", .write = write_efficiency },
	{ .title = "min/max", .write = write_fairness },
	{ .title = "locks/op", .write = write_locks },
	{ .title = "wait", .write = write_wait },
	{ .title = "by site", .left = true, .write = write_sites },
	{ .title = "refused", .write = write_refused },
	{ .title = "error/bound", .write = write_error },
	{ .title = "read/sum ns", .write = write_read },
	{ .title = "p50/p99 ns", .write = write_latency },
	{ .title = NULL },
};

// SPDX-License-Identifier: GPL-2.0-or-later
/* sample.c - rates by intervals. */
#include "runner/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runner/stats.h"

#define SETTLE_WINDOW 3
#define SETTLE_PCT 2.0
#define GRAIN 4.0 /* operations in as much of an interval as the precision asked for */

int sampler_init(struct sampler *sampler, const struct m_ops *ops, struct m_run *run)
{
	*sampler =
		(struct sampler){ .ops = ops, .run = run, .tasks = run->setup.tasks, .stretch = 1 };
	sampler->before = calloc(sampler->tasks, sizeof(*sampler->before));
	sampler->task_ops = calloc(sampler->tasks, sizeof(*sampler->task_ops));
	return sampler->before && sampler->task_ops ? 0 : -1;
}

void sampler_free(struct sampler *sampler)
{
	free(sampler->before);
	free(sampler->task_ops);
}

void sampler_reset(struct sampler *sampler)
{
	memset(sampler->task_ops, 0, sampler->tasks * sizeof(*sampler->task_ops));
	sampler->window_ns = 0;
	sampler->stretch = 1;
	sampler->rates.count = 0;
}

/* Makes one of two; of an odd number the oldest is left out. */
static void join_pairs(struct rates *rates)
{
	unsigned int odd = rates->count % 2;

	rates->count /= 2;
	for (unsigned int i = 0; i < rates->count; i++) {
		const double *rate = rates->rate + odd + 2 * i, *ns = rates->ns + odd + 2 * i;
		double both = ns[0] + ns[1];

		rates->rate[i] = (rate[0] * ns[0] + rate[1] * ns[1]) / both;
		rates->ns[i] = both;
	}
}

static void begin(struct sampler *sampler)
{
	for (unsigned int i = 0; i < sampler->tasks; i++)
		sampler->before[i] = m_task_of(sampler->run, i)->ops;
	sampler->began_ns = sampler->ops->now();
}

static void end(struct sampler *sampler)
{
	struct rates *rates = &sampler->rates;
	uint64_t all = 0;
	int64_t took_ns;

	for (unsigned int i = 0; i < sampler->tasks; i++) {
		uint64_t ops = m_task_of(sampler->run, i)->ops - sampler->before[i];

		sampler->task_ops[i] += ops;
		all += ops;
	}
	took_ns = sampler->ops->now() - sampler->began_ns;
	sampler->window_ns += took_ns;
	if (rates->count == SAMPLE_INTERVALS) {
		join_pairs(rates);
		sampler->stretch *= 2;
	}
	rates->ns[rates->count] = (double)took_ns;
	rates->rate[rates->count++] = (double)all * 1e9 / (double)took_ns;
}

enum m_event sampler_interval(struct sampler *sampler, int64_t ns, struct error *error)
{
	enum m_event event;

	begin(sampler);
	event = ticker_advance(&sampler->ticker, sampler->began_ns + ns * sampler->stretch, error);
	if (event == M_OK)
		end(sampler);
	return event;
}

uint64_t sampler_operations(const struct sampler *sampler)
{
	uint64_t all = 0;

	for (unsigned int i = 0; i < sampler->tasks; i++)
		all += sampler->task_ops[i];
	return all;
}

bool sampler_has_settled(const struct sampler *sampler)
{
	const double *last = sampler->rates.rate + sampler->rates.count - SETTLE_WINDOW;
	double before, now;

	if (sampler->rates.count < 2 * SETTLE_WINDOW)
		return false;
	before = stats_median(last - SETTLE_WINDOW, SETTLE_WINDOW);
	now = stats_median(last, SETTLE_WINDOW);
	return fabs(now - before) <= before * SETTLE_PCT / 100;
}

static bool is_coarse(const struct rates *rates, double pct)
{
	double ops[SAMPLE_INTERVALS];

	for (unsigned int i = 0; i < rates->count; i++)
		ops[i] = rates->rate[i] * rates->ns[i] / 1e9;
	return stats_median(ops, rates->count) < GRAIN * 100 / pct;
}

bool rates_batch(struct rates *rates, double pct)
{
	while (is_coarse(rates, pct) || stats_follow_each_other(rates->rate, rates->count)) {
		if (rates->count / 2 < RATES_LEAST)
			return false;
		join_pairs(rates);
	}
	return true;
}

bool rates_are_precise(const struct rates *rates, double pct)
{
	struct rates batches = *rates;
	double low, high;

	if (rates->count < RATES_LEAST || !rates_batch(&batches, pct) ||
	    stats_median_interval(batches.rate, batches.count, &low, &high) != 0)
		return false;
	return (high - low) / 2 <= stats_median(batches.rate, batches.count) * pct / 100;
}

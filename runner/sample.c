// SPDX-License-Identifier: GPL-2.0-or-later
/* sample.c - rates by intervals. */
#include "runner/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "machine/check.h"
#include "runner/stats.h"

#define SETTLE_WINDOW 3
#define SETTLE_PCT 2.0

int sampler_init(struct sampler *sampler, const struct m_ops *ops, struct m_run *run)
{
	*sampler = (struct sampler){ .ops = ops, .run = run, .tasks = run->setup.tasks };
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
	sampler->intervals = 0;
}

static void begin(struct sampler *sampler)
{
	for (unsigned int i = 0; i < sampler->tasks; i++)
		sampler->before[i] = m_task_of(sampler->run, i)->ops;
	sampler->began_ns = sampler->ops->now();
}

static void end(struct sampler *sampler)
{
	uint64_t all = 0;
	int64_t took_ns;

	for (unsigned int i = 0; i < sampler->tasks; i++) {
		uint64_t ops = m_task_of(sampler->run, i)->ops - sampler->before[i];

		sampler->task_ops[i] += ops;
		all += ops;
	}
	took_ns = sampler->ops->now() - sampler->began_ns;
	sampler->window_ns += took_ns;
	CHECK(sampler->intervals < SAMPLE_INTERVALS);
	sampler->rate[sampler->intervals++] = (double)all * 1e9 / (double)took_ns;
}

enum m_event sampler_interval(struct sampler *sampler, int64_t ns, struct error *error)
{
	enum m_event event;

	begin(sampler);
	event = ticker_advance(&sampler->ticker, sampler->began_ns + ns, error);
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

bool sampler_is_precise(const struct sampler *sampler, double pct)
{
	double median = stats_median(sampler->rate, sampler->intervals);
	double low, high;

	if (stats_median_interval(sampler->rate, sampler->intervals, &low, &high) != 0)
		return false;
	return (high - low) / 2 <= median * pct / 100;
}

bool sampler_has_settled(const struct sampler *sampler)
{
	const double *last = sampler->rate + sampler->intervals - SETTLE_WINDOW;
	double before, now;

	if (sampler->intervals < 2 * SETTLE_WINDOW)
		return false;
	before = stats_median(last - SETTLE_WINDOW, SETTLE_WINDOW);
	now = stats_median(last, SETTLE_WINDOW);
	return fabs(now - before) <= before * SETTLE_PCT / 100;
}

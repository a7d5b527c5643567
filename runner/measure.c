// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * measure.c - running one point: set up, warm up, measure by intervals with held safe points
 * between them, stop, check. The tasks do not know any of it.
 */
#include "runner/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "machine/native/env.h"
#include "runner/prepare.h"
#include "runner/reads.h"
#include "runner/sample.h"
#include "runner/stats.h"

#define INTERVALS 30		       /* of a run; phases share them */
#define INTERVALS_A_LOOK 3	       /* so tasks are held ten times a run, */
#define LOOKS_PART 8		       /* or as often as takes at most this part of the time */
#define PRECISE_INTERVAL_NS 25000000LL /* where --precision may end the run, at most; */
#define PRECISE_LOOK 5		       /* so many intervals later it is looked at again, */
#define PRECISE_AFTER 20	       /* and not before: few tell little about their spread */
#define WARMUP_INTERVAL_NS 50000000LL
#define WARMUP_INTERVALS 40 /* then warmup=auto gives up waiting */

struct measure {
	const struct m_ops *ops;
	const struct config *config;
	const struct point *point;
	struct prepared p;
	struct sampler sampler;
	int64_t looked_ns; /* in this phase: from asking tasks to hold to letting them go */
	struct reads reads;
	struct progress *progress;
	struct result *result;
	struct error *error;
	bool profiled;
};

static int64_t warmup_interval_ns(const struct config *config)
{
	int64_t part = (int64_t)config->duration_ns / 10;

	return part < WARMUP_INTERVAL_NS ? part : WARMUP_INTERVAL_NS;
}

uint64_t measure_longest_warmup_ns(const struct config *config)
{
	if (!config->warmup_auto)
		return config->warmup_ns;
	return (uint64_t)warmup_interval_ns(config) * WARMUP_INTERVALS;
}

static enum m_event check_counter(struct measure *m, struct phase *phase)
{
	struct kind_check check;

	if (!m->p.counter)
		return M_OK;
	if (m->point->cell->kind_ops->check(m->p.run, m->p.counter, &check, m->error) != 0)
		return M_FAILED;
	if (!check.valid)
		return M_OK;
	if (check.error > phase->error_max)
		phase->error_max = check.error;
	phase->error_bound = check.bound;
	return M_OK;
}

static struct totals take_totals(const struct measure *m)
{
	return totals_take(m->p.run, m->point->cell->kind_ops, m->p.counter, m->ops->now());
}

/*
 * Holds all tasks at a safe point, where truth stands still: the reads are timed first, while the
 * lines are still where the tasks left them, then the counter is checked. `totals` may be NULL.
 */
static enum m_event look_while_held(struct measure *m, struct phase *phase, double done,
				    struct totals *totals)
{
	int64_t from = m->ops->now();
	enum m_event event = m->ops->hold(m->p.run, m->error);

	if (event != M_OK)
		return event;
	if (m->p.counter && !m->point->cell->counter_info->counts_nothing && !m->ops->is_virtual)
		reads_time(&m->reads, m->point->cell->kind_ops, m->p.counter, m->p.twin, m->ops);
	event = check_counter(m, phase);
	progress_part(m->progress, done);
	if (totals)
		*totals = take_totals(m);
	m->ops->release(m->p.run);
	m->looked_ns += m->ops->now() - from;
	return event;
}

/*
 * Time for a look between two intervals. Holding a thousand tasks on two CPUs takes a tenth of a
 * second, so that then there are fewer looks than ten. Code that is not ours cannot be held.
 */
static bool look_is_due(const struct measure *m, unsigned int interval)
{
	return !m->p.run->host && interval % INTERVALS_A_LOOK == 0 &&
	       m->looked_ns <= m->sampler.window_ns / LOOKS_PART;
}

static enum m_event warm_up(struct measure *m, struct phase *phase)
{
	const struct config *config = m->config;
	int64_t from = m->ops->now();
	enum m_event event = M_OK;

	phase->settled = !config->warmup_auto;
	if (!config->warmup_auto)
		event = ticker_advance(&m->sampler.ticker, from + (int64_t)config->warmup_ns,
				       m->error);
	for (unsigned int i = 0; i < WARMUP_INTERVALS && event == M_OK && !phase->settled; i++) {
		event = sampler_interval(&m->sampler, warmup_interval_ns(config), m->error);
		phase->settled = event == M_OK && sampler_has_settled(&m->sampler);
	}
	phase->warmup_s = (double)(m->ops->now() - from) / 1e9;
	sampler_reset(&m->sampler);
	return event;
}

static void take_rates(struct measure *m, struct phase *phase)
{
	const struct sampler *s = &m->sampler;
	double *rates = calloc(s->tasks, sizeof(*rates));
	double seconds = (double)s->window_ns / 1e9;

	phase->duration_s = seconds;
	phase->intervals = s->rates.count;
	phase->ops_per_sec = stats_median(s->rates.rate, s->rates.count);
	stats_median_interval(s->rates.rate, s->rates.count, &phase->ops_low, &phase->ops_high);
	if (!rates)
		return;
	for (unsigned int i = 0; i < s->tasks; i++)
		rates[i] = (double)s->task_ops[i] / seconds;
	phase->task_min = stats_quantile(rates, s->tasks, 0);
	phase->task_median = stats_median(rates, s->tasks);
	phase->task_max = stats_quantile(rates, s->tasks, 1);
	free(rates);
}

static void profile_window(struct measure *m, bool on)
{
	if (m->profiled)
		m->ops->profiler->window(m->p.run, on);
}

/* A profile that cannot be had is told as a warning, and the point is measured without. */
static void profile_begin(struct measure *m)
{
	if (!m->config->take_profile)
		return;
	if (!m->ops->profiler)
		error_set(&m->p.run->warning, "--profile: the machine %s cannot", m->ops->name);
	else
		m->profiled = m->ops->profiler->attach(m->p.run, &m->p.run->warning) == 0;
}

static void profile_end(struct measure *m)
{
	if (m->profiled)
		m->ops->profiler->report(m->p.run, &m->result->profile, &m->p.run->warning);
}

/* How many intervals a phase has that is this part of a run. */
static unsigned int count_intervals(const struct config *config, double share)
{
	long count = lround(INTERVALS * share);
	double ns = (double)config->duration_ns * share;

	if (count < STATS_INTERVAL_MIN)
		count = STATS_INTERVAL_MIN;
	if (config->precision_pct > 0 && ns > (double)count * PRECISE_INTERVAL_NS)
		count = lround(ns / PRECISE_INTERVAL_NS);
	return (unsigned int)count;
}

/* Enough is known for the precision asked for. */
static bool is_precise(const struct measure *m, unsigned int taken)
{
	double pct = m->config->precision_pct;

	return pct > 0 && taken >= PRECISE_AFTER && taken % PRECISE_LOOK == 0 &&
	       rates_are_precise(&m->sampler.rates, pct);
}

/* The intervals of one phase, from one part (0 to 1) of the run to another. */
static enum m_event take_intervals(struct measure *m, struct phase *phase, double start, double end)
{
	double share = end - start;
	unsigned int count = count_intervals(m->config, share);
	int64_t ns = (int64_t)((double)m->config->duration_ns * share / count);
	enum m_event event = M_OK;
	unsigned int taken = 0;

	for (unsigned int past = 0; past < count && event == M_OK && !is_precise(m, taken);) {
		double done;

		past += m->sampler.stretch;
		event = sampler_interval(&m->sampler, ns, m->error);
		taken++;
		done = start + share * (past < count ? past : count) / count;
		if (event == M_OK && look_is_due(m, taken))
			event = look_while_held(m, phase, done, NULL);
		else if (event == M_OK && m->p.run->host)
			progress_part(m->progress, done);
	}
	if (event == M_OK && sampler_operations(&m->sampler) == 0) {
		error_set(m->error,
			  "no task finished an operation in the measured time: give a longer "
			  "--duration");
		event = M_FAILED;
	}
	if (event == M_OK && m->config->precision_pct > 0)
		rates_batch(&m->sampler.rates, m->config->precision_pct);
	return event;
}

static enum m_event measure_window(struct measure *m, struct phase *phase, double start, double end)
{
	struct cpu_time from, to;
	enum m_event event;

	env_cpu_time(&from);
	profile_window(m, true);
	event = take_intervals(m, phase, start, end);
	profile_window(m, false);
	if (event != M_OK)
		return event;
	env_cpu_time(&to);
	if (!m->ops->is_virtual) {
		phase->idle_pct = env_idle_pct(&from, &to);
		phase->steal_pct = env_steal_pct(&from, &to);
	}
	take_rates(m, phase);
	sampler_reset(&m->sampler);
	m->looked_ns = 0;
	return M_OK;
}

static void init_phase(struct phase *phase)
{
	*phase = (struct phase){ .ops_per_sec = NAN,
				 .ops_low = NAN,
				 .ops_high = NAN,
				 .task_min = NAN,
				 .task_median = NAN,
				 .task_max = NAN,
				 .error_max = -1,
				 .error_bound = -1,
				 .read_ns = NAN,
				 .sum_ns = NAN,
				 .idle_pct = -1,
				 .steal_pct = -1,
				 .batch_used = -1 };
}

static void describe_phase(struct measure *m, struct phase *phase, unsigned int number)
{
	const struct kind_ops *kind = m->point->cell->kind_ops;

	if (kind->policy)
		phase->policy = kind->policy(&m->p.args, number);
	if (m->point->cell->counter_info->has_batch)
		phase->batch_used = kind->batch_used(m->p.counter);
}

static void take_reads(struct measure *m, struct phase *phase)
{
	reads_from_readers(&m->reads, m->p.run);
	phase->read_ns = reads_median(&m->reads, false);
	phase->sum_ns = reads_median(&m->reads, true);
	reads_reset(&m->reads);
}

/*
 * From one phase to the next while the tasks run. The first look comes right behind the change,
 * when parts that grew under the old batch would show. What tasks do in the change itself belongs
 * to neither phase: `end` are the totals before it, `start` those after it.
 */
static enum m_event change_phase(struct measure *m, unsigned int number, struct totals *end,
				 struct totals *start)
{
	const struct kind_ops *kind = m->point->cell->kind_ops;
	double done = kind->phase_start_pct(&m->p.args, number) / 100;
	struct phase *phase = &m->result->phase[number];
	enum m_event event = look_while_held(m, phase - 1, done, end);

	take_reads(m, phase - 1);
	if (event == M_OK)
		event = kind->enter_phase(m->ops, m->p.run, m->p.counter, &m->p.args, number,
					  m->error);
	if (event == M_OK)
		event = look_while_held(m, phase, done, start);
	return event;
}

static enum m_event run_phases(struct measure *m)
{
	const struct kind_ops *kind = m->point->cell->kind_ops;
	unsigned int count = kind->phases ? kind->phases(&m->p.args) : 1;
	struct totals before = { 0 };
	struct result *result = m->result;
	enum m_event event = warm_up(m, &result->phase[0]);

	for (unsigned int number = 0; number < count && event == M_OK; number++) {
		struct phase *phase = &result->phase[number];
		double from = number ? kind->phase_start_pct(&m->p.args, number) : 0;
		double to =
			number + 1 < count ? kind->phase_start_pct(&m->p.args, number + 1) : 100;
		struct totals now, next = { 0 };

		describe_phase(m, phase, number);
		event = measure_window(m, phase, from / 100, to / 100);
		if (event == M_OK && number + 1 < count)
			event = change_phase(m, number + 1, &now, &next);
		else if (event == M_OK)
			event = m->ops->stop(m->p.run, m->error);
		if (event != M_OK)
			break;
		if (number + 1 == count)
			now = take_totals(m);
		phase->totals = totals_between(&before, &now);
		before = next;
		result->phases = number + 1;
	}
	return event;
}

static enum m_event run_point(struct measure *m)
{
	enum m_event event;

	if (prepare(&m->p, m->ops, m->config, m->point, m->error) != 0)
		return M_FAILED;
	placement_kinds(&m->config->topology, m->p.places, m->point->tasks, m->result->cpu_kinds,
			sizeof(m->result->cpu_kinds));
	if (sampler_init(&m->sampler, m->ops, m->p.run) != 0) {
		error_set(m->error, "no memory for %u tasks", m->point->tasks);
		return M_FAILED;
	}
	profile_begin(m);
	event = m->ops->start(m->p.run, m->error);
	if (event != M_OK)
		return event;
	m->ops->gate(m->p.run);
	ticker_init(&m->sampler.ticker, m->ops, m->p.run, m->point->cell->kind_ops, m->p.counter,
		    &m->p.args);
	event = run_phases(m);
	if (event != M_OK)
		return event;
	profile_end(m);
	/* All have stopped: what they added must be there, whatever the phases were. */
	take_reads(m, &m->result->phase[m->result->phases - 1]);
	return check_counter(m, &m->result->phase[m->result->phases - 1]);
}

void measure_point(const struct m_ops *ops, const struct config *config, const struct point *point,
		   struct progress *progress, struct result *result)
{
	struct measure m = { .ops = ops,
			     .config = config,
			     .point = point,
			     .progress = progress,
			     .result = result,
			     .error = &result->reason };
	enum m_event event;

	*result = (struct result){ .status = STATUS_OK };
	for (unsigned int i = 0; i < PHASES_MAX; i++)
		init_phase(&result->phase[i]);
	m.p.args = plan_kind_args(config, point);
	if (point->cell->kind_ops->policy)
		result->phase[0].policy = point->cell->kind_ops->policy(&m.p.args, 0);
	if (point->skip) {
		result->status = STATUS_SKIPPED;
		error_set(&result->reason, "%s", point->skip);
		return;
	}
	reads_init(&m.reads, ops);
	event = run_point(&m);
	result->interrupted = event == M_INTERRUPTED || ops->interrupted();
	if (event != M_OK) {
		result->status = event == M_SKIPPED ? STATUS_SKIPPED : STATUS_FAILED;
		result->phases = 0;
	}
	if (m.p.run)
		result->warning = m.p.run->warning;
	if (point->cell->kind_ops->caution && point->cell->kind_ops->caution(&m.p.args))
		error_set(&result->warning, "%s", point->cell->kind_ops->caution(&m.p.args));
	prepare_undo(&m.p, ops);
	sampler_free(&m.sampler);
}

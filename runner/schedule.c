// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * schedule.c - running one seed of a search: tasks that are held up at random primitives, looks at
 * the counter in between, a policy switch or a periodic fold among them.
 */
#include "runner/schedule.h"

#include "runner/prepare.h"

#define STEPS 120 /* scheduling points of a task between two looks, at most */

static enum m_event check(struct schedule *s, const struct prepared *p)
{
	struct kind_check found;

	if (!p->counter)
		return M_OK;
	s->checks++;
	return s->point.cell->kind_ops->check(p->run, p->counter, &found, &s->reason) == 0
		       ? M_OK
		       : M_FAILED;
}

/* No operation is in progress, and no store on its way: truth stands still. */
static enum m_event look(struct schedule *s, const struct prepared *p)
{
	const struct m_ops *ops = s->config.ops;
	enum m_event event = ops->hold(p->run, &s->reason);

	if (event != M_OK)
		return event;
	event = check(s, p);
	ops->release(p->run);
	return event;
}

/* About what a task takes for a scheduling point, hold-ups included, in ns. */
static int64_t pace_ns(const struct schedule *s)
{
	return s->how.longest_ps / (2 * (int64_t)s->how.one_in) / 1000 + 2;
}

static enum m_event step(struct schedule *s, const struct prepared *p, bool change)
{
	const struct kind_ops *kind = s->point.cell->kind_ops;
	const struct m_ops *ops = s->config.ops;
	int64_t ns = pace_ns(s) * (1 + schedule_below(s, STEPS));
	enum m_event event = ops->advance(p->run, ops->now() + ns, &s->reason);
	bool tick = kind->tick_ns && kind->tick_ns(&p->args) > 0 && schedule_below(s, 3) == 0;

	if (event == M_OK && change)
		event = kind->enter_phase(ops, p->run, p->counter, &p->args, 1, &s->reason);
	if (event == M_OK && tick)
		event = kind->tick(ops, p->run, p->counter, &s->reason);
	if (event == M_OK)
		event = look(s, p);
	return event;
}

static enum m_event run(struct schedule *s, struct prepared *p)
{
	const struct kind_ops *kind = s->point.cell->kind_ops;
	const struct m_ops *ops = s->config.ops;
	unsigned int change = s->looks;
	enum m_event event;

	if (prepare(p, ops, &s->config, &s->point, &s->reason) != 0)
		return M_FAILED;
	if (kind->phases && kind->phases(&p->args) > 1)
		change = schedule_below(s, s->looks);
	event = ops->start(p->run, &s->reason);
	if (event != M_OK)
		return event;
	ops->gate(p->run);
	for (unsigned int i = 0; i < s->looks && event == M_OK; i++)
		event = step(s, p, i == change);
	if (event == M_OK)
		event = ops->stop(p->run, &s->reason);
	return event == M_OK ? check(s, p) : event;
}

enum m_event schedule_run(struct schedule *s)
{
	struct prepared p;
	enum m_event event;

	sim_explore_begin(&s->how);
	event = run(s, &p);
	s->points = sim_explore_points();
	prepare_undo(&p, s->config.ops);
	sim_explore_end();
	return event;
}

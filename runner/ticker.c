// SPDX-License-Identifier: GPL-2.0-or-later
/* ticker.c - lets the tasks run, with the kind's tick now and then. */
#include "runner/ticker.h"

void ticker_init(struct ticker *ticker, const struct m_ops *ops, struct m_run *run,
		 const struct kind_ops *kind, void *counter, const struct kind_args *args)
{
	*ticker = (struct ticker){ .ops = ops, .run = run, .kind = kind, .counter = counter };
	if (kind->tick_ns)
		ticker->each_ns = kind->tick_ns(args);
	ticker->next_ns = ops->now() + ticker->each_ns;
}

/* Ticks that were missed, as while the tasks were held, are not made up for. */
static enum m_event tick(struct ticker *ticker, struct error *error)
{
	while (ticker->next_ns <= ticker->ops->now())
		ticker->next_ns += ticker->each_ns;
	return ticker->kind->tick(ticker->ops, ticker->run, ticker->counter, error);
}

enum m_event ticker_advance(struct ticker *ticker, int64_t until_ns, struct error *error)
{
	enum m_event event = M_OK;

	while (ticker->each_ns && ticker->next_ns < until_ns && event == M_OK) {
		event = ticker->ops->advance(ticker->run, ticker->next_ns, error);
		if (event == M_OK)
			event = tick(ticker, error);
	}
	if (event != M_OK)
		return event;
	return ticker->ops->advance(ticker->run, until_ns, error);
}

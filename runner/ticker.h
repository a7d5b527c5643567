/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ticker.h - lets the tasks run, and meanwhile does what the kernel would do by itself now and
 * then: the kind's tick (counters/kind.h), as a periodic fold of per-CPU parts.
 */
#ifndef RUNNER_TICKER_H
#define RUNNER_TICKER_H

#include "counters/kind.h"
#include "machine/run.h"

struct ticker {
	const struct m_ops *ops;
	struct m_run *run;
	const struct kind_ops *kind;
	void *counter;
	int64_t each_ns; /* 0: the kind does nothing by itself */
	int64_t next_ns;
};

/* From now on; the first tick is an interval away. */
void ticker_init(struct ticker *ticker, const struct m_ops *ops, struct m_run *run,
		 const struct kind_ops *kind, void *counter, const struct kind_args *args);

/* As ops->advance, until `until_ns`, with the ticks that fall into that time. */
enum m_event ticker_advance(struct ticker *ticker, int64_t until_ns, struct error *error);

#endif

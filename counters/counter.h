/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counter.h - what every counter says of itself, beside the functions that its kind asks for.
 */
#ifndef COUNTERS_COUNTER_H
#define COUNTERS_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

struct counter_info {
	const char *about;     /* one line for ./runtest list */
	bool is_default;       /* what a testcase of its kind runs with unless told otherwise */
	bool has_batch;	       /* runs once for each batch of the plan; without, once */
	bool counts_nothing;   /* a control: the workload alone, nothing to check */
	int64_t batch_default; /* where it is the counter's own, not the kind's formula; else 0 */
	int64_t batch_limit;   /* the most that the counter's type holds; 0: the kind's limit */
};

/* Once in every counter, as COUNTER(.about = "...", .has_batch = true). */
#define COUNTER(...) static const struct counter_info counter_info = { __VA_ARGS__ };

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counter.h - what every counter says of itself, beside the functions that its kind asks for.
 */
#ifndef COUNTERS_COUNTER_H
#define COUNTERS_COUNTER_H

#include <stdbool.h>

struct counter_info {
	const char *about;   /* one line for ./runtest list */
	bool is_default;     /* what a testcase of its kind runs with unless told otherwise */
	bool has_batch;	     /* runs once for each batch of the plan; without, once */
	bool counts_nothing; /* a control: the workload alone, nothing to check */
};

/* Once in every counter, as COUNTER(.about = "...", .has_batch = true). */
#define COUNTER(...) static const struct counter_info counter_info = { __VA_ARGS__ };

#endif

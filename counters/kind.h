/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kind.h - the control plane of a kind of counter: what the runner asks of one without knowing
 * which it is. Each cell has its own table, made by the kind's header for the counter compiled in.
 */
#ifndef COUNTERS_KIND_H
#define COUNTERS_KIND_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/error.h"
#include "machine/option.h"
#include "machine/run.h"

/* What a point is run with. */
struct kind_args {
	const struct settings *settings;
	int64_t memory_bytes; /* of the machine that the formulas are for */
	unsigned int cpus;    /* of that machine */
	unsigned int tasks;
	unsigned int slots;
	unsigned int nodes; /* NUMA nodes that it counts by */
	int64_t size;	    /* bytes of an operation */
	int64_t batch;	    /* what kind->batch made of the text */
};

/* What a look at the counter gave while all tasks were held. */
struct kind_check {
	bool valid;    /* false: the counter counts nothing */
	int64_t error; /* of the cheap read against what the tasks have added */
	int64_t bound; /* the error may not be larger */
};

struct kind_ops {
	const char *unit; /* what batches and errors are counts of, as "pages"; NULL: nothing */
	const char *const *sites;	  /* names of the call sites that take a lock; NULL ends */
	const struct option_row *options; /* ends with OPTION_END; NULL: none of its own */

	/* The number that a --batch item stands for, or -1 with what would be right. */
	int (*batch)(const char *text, const struct kind_args *args, int64_t *batch,
		     struct error *error);
	/* Bytes of shared memory and of each slot's block that setup will take. */
	size_t (*shared_bytes)(const struct kind_args *args);
	size_t (*block_bytes)(const struct kind_args *args);
	/* Makes the counter in the run's arena. */
	void *(*setup)(struct m_run *run, const struct kind_args *args);

	/* A run has phases (a policy switch makes two). Entering one happens while tasks run. */
	unsigned int (*phases)(const struct kind_args *args);
	double (*phase_start_pct)(const struct kind_args *args, unsigned int phase);
	enum m_event (*enter_phase)(const struct m_ops *ops, struct m_run *run, void *counter,
				    const struct kind_args *args, unsigned int phase,
				    struct error *error);
	/*
	 * What the kernel does by itself now and then, as a periodic fold: every `tick_ns` of the
	 * run, while tasks run. NULL, or an interval of 0: nothing.
	 */
	int64_t (*tick_ns)(const struct kind_args *args);
	enum m_event (*tick)(const struct m_ops *ops, struct m_run *run, void *counter,
			     struct error *error);
	const char *(*policy)(const struct kind_args *args, unsigned int phase);
	int64_t (*batch_used)(const void *counter);

	/*
	 * Why this setting is an experiment that no kernel could make ("... does not fit its s8"),
	 * as a warning; NULL: it is none.
	 */
	const char *(*caution)(const struct kind_args *args);

	/*
	 * Charges that the tasks have made, where they do not count them in task->charges since
	 * that would cost too much beside the counter; NULL: they do.
	 */
	uint64_t (*charges)(struct m_run *run, void *counter);

	int64_t (*read)(void *counter); /* cheap */
	int64_t (*sum)(void *counter);	/* exact */
	/* With all tasks held or finished. -1 with the error set when the counter is wrong. */
	int (*check)(struct m_run *run, void *counter, struct kind_check *check,
		     struct error *error);
};

#endif

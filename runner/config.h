/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * config.h - what the command line asked for. Filled by cli.c, and completed with what follows from
 * the machine (task counts, CPUs, memory) by config.c.
 */
#ifndef RUNNER_CONFIG_H
#define RUNNER_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/option.h"
#include "machine/placement.h"
#include "machine/topology.h"

#define TASKS_LIMIT 16384 /* tasks of one point; a slot's block takes a page or two */
#define LIST_ITEMS 256	  /* names or batches in one list */

struct list {
	const char *item[LIST_ITEMS]; /* allocated */
	unsigned int count;
};

enum output_format {
	FORMAT_CSV,
	FORMAT_JSON,
	FORMAT_WIS, /* as will-it-scale's runtest.py */
	FORMATS,
};

extern const char *const format_names[FORMATS + 1];

enum progress_when {
	PROGRESS_AUTO,
	PROGRESS_ALWAYS,
	PROGRESS_NEVER,
};

struct config {
	char command[1024]; /* as it was typed, for the record; control characters as ? */
	struct list words;  /* testcases, or a subcommand */
	struct list counters;
	struct list batches;
	unsigned int modes; /* M_PROCESS | M_THREAD */
	bool modes_given;
	struct settings settings; /* of the units, one for every row that a unit declares */

	const char *tasks_text;
	unsigned int *tasks;
	size_t task_count;
	unsigned int readers;
	bool read_exact;

	uint64_t size; /* bytes; 0: the testcase's own */
	const char *machine;
	struct topology topology;
	enum placement placement;
	const char *cpus_text;
	hwloc_bitmap_t cpus; /* NULL: all that are usable */
	unsigned int usable_cpus;
	uint64_t memory_bytes;
	unsigned int cpu_count;

	uint64_t duration_ns;
	uint64_t warmup_ns;
	bool warmup_auto;
	double precision_pct; /* 0: run the whole duration */
	unsigned int repeat;
	uint64_t seed;
	uint64_t timeout_ns; /* of a point; 0: follows from its duration */

	const char *resume; /* a results file to go on with; NULL: a new one */
	const char *wis;    /* folder of testcases in will-it-scale's form; NULL: our own */
	const char *tmpdir; /* where such testcases make their files; NULL: TMPDIR or /tmp */
	const char *output; /* NULL: a new file in results/; "-": standard output */
	enum output_format format;
	enum progress_when progress;
	bool dry_run;
	bool aslr_on;
	bool format_given;
};

void config_init(struct config *config, char **argv);
void config_free(struct config *config);

/* Looks at the machine and works out what depends on it. -1 with the error set. */
int config_resolve(struct config *config, struct error *error);

/* Longest that a point may take: --timeout, or what its duration needs and a minute. */
uint64_t config_timeout_ns(const struct config *config);

#endif

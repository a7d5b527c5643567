/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * config.h - what the command line asked for. Filled by cli.c, and completed with what follows from
 * the machine (task counts, CPUs, memory) by config.c.
 */
#ifndef RUNNER_CONFIG_H
#define RUNNER_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/native/knobs.h"
#include "machine/option.h"
#include "machine/placement.h"
#include "machine/run.h"
#include "machine/sim/profile.h"
#include "machine/topology.h"

#define TASKS_LIMIT 16384 /* tasks of one point; a slot's block takes a page or two */
#define NODES_LIMIT 1024  /* as Linux has it at most */
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
	struct list knobs[KNOBS]; /* of the running kernel: values, none where it is left alone */
	unsigned int modes;	  /* M_PROCESS | M_THREAD */
	bool modes_given;
	struct settings settings; /* of the units, one for every row that a unit declares */

	const char *tasks_text;
	unsigned int *tasks;
	size_t task_count;
	unsigned int readers;
	bool read_exact;

	uint64_t size;		    /* bytes; 0: the testcase's own */
	const char *machine;	    /* as given */
	const struct m_ops *ops;    /* of that machine; NULL: it can be looked at, not run on */
	const char *machine_name;   /* native, or the profile's name */
	struct sim_profile profile; /* of a simulated one */
	struct topology topology;
	enum placement placement;
	const char *cpus_text;
	hwloc_bitmap_t cpus; /* NULL: all that are usable */
	unsigned int usable_cpus;
	uint64_t memory_bytes;
	bool memory_given;
	unsigned int cpu_count;
	unsigned int nodes; /* NUMA nodes to count by */
	bool nodes_given;   /* then slots are dealt to them evenly, wherever they run */

	uint64_t duration_ns;
	uint64_t warmup_ns;
	bool warmup_auto;
	bool duration_given, warmup_given;
	double precision_pct; /* 0: run the whole duration */
	unsigned int repeat;
	uint64_t seed;
	unsigned int seeds;  /* of a search, from `seed` on; 0: not given */
	uint64_t timeout_ns; /* of a point; 0: follows from its duration */

	const char *resume; /* a results file to go on with; NULL: a new one */
	const char *wis;    /* folder of testcases in will-it-scale's form; NULL: our own */
	const char *tmpdir; /* where such testcases make their files; NULL: TMPDIR or /tmp */
	const char *output; /* NULL: a new file in results/; "-": standard output */
	enum output_format format;
	enum progress_when progress;
	bool chart;	       /* draw the rows at the end */
	const char *chart_dir; /* where to; NULL: a folder named after the file */
	bool tunes;	       /* the `tune` subcommand: batches are found, not given */
	double within_pct;     /* of the ceiling, where tune calls a batch enough */
	bool dry_run;
	bool aslr_on;
	bool format_given;
	uint64_t given; /* by index in the table of options: it stood on the command line */
	bool take_profile;
};

void config_init(struct config *config, char **argv);
void config_free(struct config *config);

/* Looks at the machine and works out what depends on it. -1 with the error set. */
int config_resolve(struct config *config, struct error *error);

/* The machine is simulated: durations are of its time, the timeout is of the host's. */
bool config_is_virtual(const struct config *config);
extern const char *const config_no_threads; /* why there is no thread mode there */

/* Longest that a point may take: --timeout, or what its duration needs and a minute. */
uint64_t config_timeout_ns(const struct config *config);

#endif

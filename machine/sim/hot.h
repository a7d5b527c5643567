/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hot.h - what each CPU asked of each word while a profile was taken: the truth behind the report
 * of hot lines (hot_report.c). Only what left a CPU's own cache is in it; hits are not.
 */
#ifndef MACHINE_SIM_HOT_H
#define MACHINE_SIM_HOT_H

#include <stdint.h>

#include "machine/run.h"

/* Of one word and CPU; times in ps. */
struct sim_hot {
	uint32_t word; /* of the arena; UINT32_MAX: unused */
	int32_t cpu;
	uint64_t writes;      /* the line came to be written, by a store or an atomic operation */
	uint64_t dirty_reads; /* the line came from who had written it */
	uint64_t clean_reads; /* a copy came from the shared cache */
	uint64_t stall_ps;    /* from asking for the line to having it */
	uint64_t waits;	      /* times it slept until the word changed (m_wait_until), */
	uint64_t wait_ps;     /* and how long */
};

/* All that was asked in the measured windows, in the order of words, then CPUs. */
struct sim_hot_all {
	const struct sim_hot *list;
	uint32_t count;
	uint64_t ops; /* of all counting tasks, in the same time */
	int64_t window_ps;
};

struct sim_hot_all sim_hot_take(void);

/* hot_report.c: both are the caller's to free; NULL: no memory. */
char *sim_hot_text(const struct sim_hot_all *all);
char *sim_hot_rows(const struct sim_hot_all *all);
extern const char sim_hot_columns[];

#endif

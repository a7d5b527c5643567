/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sim_rig.h - what the tests of the simulated machine share: a small machine of round numbers
 * (data/sim/small.ini), tasks that do a few things and end, and what each took.
 *
 * Its PUs in order: 0 and 1 are threads of a core, 2 shares their cache, 4 their package, 8 their
 * group, 16 nothing. Tasks are placed on them by `rig_on`.
 */
#ifndef TESTS_SIM_RIG_H
#define TESTS_SIM_RIG_H

#define RIG_PROFILE "tests/data/sim/small.ini"

#include "tests/rig.h"

#define PS(ns) ((int64_t)(ns)*1000)

/* As in the profile, in ps. */
#define HIT PS(1)
#define ATOMIC PS(5)
#define READ PS(20)
#define READ_BUSY PS(6)
#define PATH_NS 100 /* of m_sys_getppid: what tasks wait with */

/* The part of a latency before the line leaves who has it, and the rest. */
#define ASKING(d) ((d)*20 / 100)
#define COMING(d) ((d)-ASKING(d))

#define WORDS 8 /* in a shared line */
#define LINES 64

struct shared {
	struct {
		m_word word[WORDS];
	} line[LINES];
};

static struct shared *shared;
/* Opens a run of `tasks` whose n-th is on PU pus[n]. */
static inline void rig_on(unsigned int tasks, const unsigned int *pus, void (*body)(struct task *))
{
	rig_open(&(struct rig_args){ .tasks = tasks, .body = body });
	for (unsigned int slot = 0; slot < tasks; slot++)
		m_task_of(rig.run, slot)->place.pu = (int)pus[slot];
	shared = m_alloc(rig.run, sizeof(*shared), M_LINE_PAIR_BYTES);
}

/* Until all tasks have returned from their bodies by themselves. */
static inline void rig_finish(void)
{
	rig_go(NULL);
	while (sim->running > 0)
		rig_advance(1000);
}

/* The clock of a task, in ps: behind its last primitive once it has ended. */
static inline int64_t clock_of(unsigned int slot)
{
	return sim->cpus[slot].now;
}

/* Lets time pass, and nothing else. */
static inline void pass_ns(struct task *t, int64_t ns)
{
	for (; ns >= PATH_NS; ns -= PATH_NS)
		m_sys_getppid(t);
}

static inline struct sim_line_stats stats_of(const m_word *word)
{
	return sim->line_stats[sim_line_of(word) - sim->lines];
}

#endif

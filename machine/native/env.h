/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * env.h - the host that a native run is on: what disturbs a measurement, said in words, and the
 * share of CPU time that went idle or was stolen. Linux only; everything is read from /proc and
 * /sys, and what cannot be read is left out, never guessed.
 */
#ifndef MACHINE_NATIVE_ENV_H
#define MACHINE_NATIVE_ENV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine/error.h"

#define ENV_WARNINGS 16

struct env {
	char kernel[132];    /* uname: release and machine */
	char cpu_model[128]; /* model name of /proc/cpuinfo */
	char governor[32];   /* cpufreq governor(s) in use; "none" without cpufreq */
	char smt[32];	     /* on, off, or "not known" */
	char host[65];	     /* node name */
	unsigned int warnings;
	char warning[ENV_WARNINGS][200]; /* one sentence each, saying what to do about it */
};

/*
 * Looks at the host. Warns about: a governor that is not performance, turbo, SMT on, a load average
 * above a tenth of the CPUs online (the load is the whole machine's), a cgroup CPU quota, a virtual
 * machine, and `tasks_max` greater than `usable_cpus`. `root` is "" or a directory that stands for
 * / (tests give a made-up tree).
 */
void env_look(struct env *env, const char *root, unsigned int tasks_max, unsigned int usable_cpus);
/* Adds one more sentence (printf-style); beyond ENV_WARNINGS it is dropped. */
void env_warn(struct env *env, const char *format, ...) __attribute__((format(printf, 2, 3)));

struct cpu_time {
	/* Ticks of the whole machine, from the first line of /proc/stat; idle includes iowait. */
	uint64_t idle, steal, total;
};

/* Returns 0, or -1 with all three 0 when /proc/stat cannot be read. */
int env_cpu_time(struct cpu_time *time);
/* Percent of all CPU time between two readings; -1 when no tick has passed or a reading failed. */
double env_idle_pct(const struct cpu_time *from, const struct cpu_time *to);
double env_steal_pct(const struct cpu_time *from, const struct cpu_time *to);

/*
 * Switches address-space randomisation off for this program and all it starts, by personality(2)
 * and executing itself anew with the same arguments. Returns only when there is nothing left to do:
 * 0 when it is off now, -1 with the error set when the host refuses (a container may): a warning.
 * Belongs at the start of main: an exec keeps blocked signals and open files, but no threads.
 */
int env_aslr_off(char **argv, struct error *error);
/* Off by the process's personality, or for the whole host. */
bool env_aslr_is_off(void);

#endif

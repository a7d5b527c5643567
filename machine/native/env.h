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

#define ENV_FINDINGS 24
#define ENV_WARNINGS (ENV_FINDINGS + 8)
#define ENV_TEXT 200

enum env_level {
	ENV_FINE,
	ENV_NOTE,  /* may matter to what is measured: told by check-host alone */
	ENV_NOISE, /* disturbs: a warning of each run, and of the verdict */
};

extern const char *const env_level_names[];

/* One thing that was looked at. */
struct env_finding {
	const char *name; /* of the source of noise, also the key of its header line */
	enum env_level level;
	char value[96];	       /* what is set here; "not known" where the host does not tell */
	char advice[ENV_TEXT]; /* what it does and what to do about it; empty when it is fine */
};

struct env {
	char kernel[132];    /* uname: release and machine */
	char cpu_model[128]; /* model name of /proc/cpuinfo */
	char host[65];	     /* node name */
	unsigned int findings;
	struct env_finding finding[ENV_FINDINGS];
	unsigned int warnings;
	char warning[ENV_WARNINGS][ENV_TEXT]; /* one sentence each, saying what to do about it */
};

/*
 * Looks at the host: a finding for each source of noise, and a warning for each that disturbs and
 * for `tasks_max` greater than `usable_cpus`. `root` is "" or a directory that stands for / (tests
 * give a made-up tree).
 */
void env_look(struct env *env, const char *root, unsigned int tasks_max, unsigned int usable_cpus);
/* Adds one more sentence (printf-style); beyond ENV_WARNINGS it is dropped. */
void env_warn(struct env *env, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The finding of that name; NULL: none is called so. */
struct env_finding *env_find(struct env *env, const char *name);

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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * env_read.h - what the files behind env.h share: small files below a root, the tables of
 * checks. For the native machine's own files alone.
 */
#ifndef MACHINE_NATIVE_ENV_READ_H
#define MACHINE_NATIVE_ENV_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "machine/native/env.h"

/* Opens root + path (printf-style) for reading; NULL when that cannot be done. */
FILE *env_open(const char *root, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Reads the first line without its newline and closes the file; false: it is NULL or empty. */
bool env_line(FILE *file, char *line, size_t size);
/* Whether one of the words between the separators is this word. */
bool env_has_word(const char *list, char separator, const char *word);

/* How many CPUs a list as "0-3,8" names; 0 when it is empty or cannot be read. */
unsigned int env_count_cpus(const char *list);
/*
 * Visits the directories of this process's own cgroup and of all above it, from below, in the v2
 * hierarchy and in the v1 hierarchy of the controller. `folder` is to be read below the root.
 */
void env_cgroups(const char *root, const char *controller,
		 void (*visit)(const char *folder, bool v2, void *arg), void *arg);

/* Visits every process that /proc below the root tells of, by its number. */
void env_processes(const char *root, void (*visit)(const char *pid, void *arg), void *arg);

/* What the checks are told. */
struct env_host {
	const char *root;
	unsigned int usable_cpus; /* 0: not known */
};

/*
 * A look at one source of noise. The finding comes with its name, ENV_FINE and "not known"; a check
 * sets what it has found.
 */
struct env_check {
	const char *name;
	void (*look)(const struct env_host *host, struct env_finding *finding);
};

/* Sets level and advice (printf-style) in one go. */
void env_say(struct env_finding *finding, enum env_level level, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Clocks, cores and the machine itself; each ends with a name of NULL. */
extern const struct env_check env_cpu_checks[];
/* What the kernel, its cgroups and what else runs do. */
extern const struct env_check env_kernel_checks[];

/* env_cpu_time() below another root. */
int env_cpu_time_below(const char *root, struct cpu_time *time);

#endif

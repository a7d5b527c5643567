/* SPDX-License-Identifier: GPL-2.0-or-later */
/* env_read.h - what the files behind env.h share: small files below a root. For env*.c alone. */
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

/* Warns about the CPU quota of this process's own cgroups and of all above them. */
void env_warn_quota(struct env *env, const char *root);
/* env_cpu_time() below another root. */
int env_cpu_time_below(const char *root, struct cpu_time *time);

#endif

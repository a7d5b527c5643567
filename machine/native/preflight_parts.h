/* SPDX-License-Identifier: GPL-2.0-or-later */
/* preflight_parts.h - what the pre-flight checks share. For preflight*.c alone. */
#ifndef MACHINE_NATIVE_PREFLIGHT_PARTS_H
#define MACHINE_NATIVE_PREFLIGHT_PARTS_H

#include <stdbool.h>
#include <stdio.h>

#include "machine/native/preflight.h"

#define PREFLIGHT_UNLIMITED UINT64_MAX

/* -1 with the error set when there is less than is needed. */
typedef int (*preflight_fn)(const char *root, const struct needs *needs, struct error *error);

/* Runs checks up to one of NULL, or to the first that fails. */
int preflight_run(const preflight_fn *checks, const char *root, const struct needs *needs,
		  struct error *error);
/* Those of the limits on processes, addresses and files. */
extern const preflight_fn preflight_limits[];

/* "9 tasks need 3.1 GiB of WHAT, and 2.0 GiB are left: HINT"; gives -1. */
int preflight_short(const struct needs *needs, enum need need, const char *what, uint64_t had,
		    const char *hint, struct error *error);
/* The same of what is counted, not measured in bytes. */
int preflight_too_few(const struct needs *needs, enum need need, const char *what, uint64_t had,
		      const char *hint, struct error *error);

/* The number behind the key in a file of lines "KEY: value" or "KEY value"; false: not there. */
bool preflight_field(FILE *file, const char *key, uint64_t *value);
/* A limit file's number; unlimited for "max", for what cannot be read, and what v1 takes for it. */
uint64_t preflight_limit(const char *root, const char *folder, const char *file);
uint64_t preflight_left(uint64_t limit, uint64_t used);

/* The directory of a cgroup that leaves least. */
struct preflight_tightest {
	const char *root;
	uint64_t left;
	char folder[160];
};

void preflight_keep(struct preflight_tightest *tightest, uint64_t left, const char *folder);

#endif

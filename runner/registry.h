/* SPDX-License-Identifier: GPL-2.0-or-later */
/* registry.h - looking up cells, and the names and option rows that they declare. */
#ifndef RUNNER_REGISTRY_H
#define RUNNER_REGISTRY_H

#include "machine/option.h"
#include "testcases/cell.h"

#define REGISTRY_NAMES 512

/* Distinct names in the table's order; NULL ends the list. `kind` NULL: of all kinds. */
struct names {
	const char *name[REGISTRY_NAMES + 1];
	unsigned int count;
};

/* From now on these cells, which end with NULL, in place of those that were linked. */
void registry_use(const struct cell *const *table);

void registry_testcases(struct names *names);
void registry_counters(struct names *names, const char *kind);
void registry_kinds(struct names *names);

/* The cell, or NULL. `counter` NULL: the kind's default counter, else its first. */
const struct cell *registry_find(const char *machine, const char *testcase, const char *counter);

/* One setting for each option row of any unit, at its fallback value; the caller frees the list. */
void registry_settings(struct settings *settings);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * knobs.h - the running kernel's own knobs, set through /proc/sys for a run. A guardian sets them
 * and puts them back: a process of its own that outlives the runner, whatever ends that. A lock
 * keeps two runs that want different values apart.
 */
#ifndef MACHINE_NATIVE_KNOBS_H
#define MACHINE_NATIVE_KNOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "machine/error.h"

enum knob_id {
	/* In the order in which they are set: NEVER behind the ratio that makes room for it. */
	KNOB_RATIO,
	KNOB_NUMA_STAT,
	KNOB_POLICY,
	KNOBS,
};

#define KNOB_TEXT 16

struct knob {
	const char *option; /* as on the command line; with _ for - it is the key in params */
	const char *arg, *help;
	const char *sysctl; /* below /proc/sys */
	/*
	 * A second file that the kernel clears when the first is written, NULL: none. Where that is
	 * not 0, it is what was in force, and what has to be put back.
	 */
	const char *instead;
	const char *const *choices; /* words for 0, 1, ...; NULL: a number */
	int64_t high;		    /* the largest number */
};

extern const struct knob knobs[KNOBS];

/* Values of one point, as given on the command line; NULL: left alone. */
struct knob_values {
	const char *text[KNOBS];
};

/* -1 with the error set: not a value of this knob. */
int knob_parse(enum knob_id id, const char *text, int64_t *value, struct error *error);

/* What a run wants of the kernel, told to other runs. */
struct knob_request {
	const char *root; /* as in env.h */
	const char *want; /* all values of all knobs, in one text: runs with the same may share */
	const char *command; /* for the line that tells another run who is here */
	bool wanted[KNOBS];  /* which will be set */
	bool alone;	     /* several values of one knob: nobody can share */
};

struct knob_guard;

/*
 * Starts the guardian; nothing is set yet. NULL with the error set: not root, the kernel has no
 * such knob, or another run wants other values (who that is).
 */
struct knob_guard *knobs_open(const struct knob_request *request, struct error *error);
/* Sets those that are not NULL; the others stay. -1 with the error set. */
int knobs_set(struct knob_guard *guard, const struct knob_values *values, struct error *error);
/* -1 with the error set: somebody else has changed one of them since. */
int knobs_check(const struct knob_guard *guard, const struct knob_values *values,
		struct error *error);
/* Puts all back and ends the guardian. -1 with the error set: not all could be put back. */
int knobs_close(struct knob_guard *guard, struct error *error);

#endif

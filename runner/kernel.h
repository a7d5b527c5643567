/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kernel.h - the running kernel's knobs over a plan: asked for, set for each point, put back. */
#ifndef RUNNER_KERNEL_H
#define RUNNER_KERNEL_H

#include "machine/native/preflight.h"
#include "runner/measure.h"
#include "runner/plan.h"

struct kernel {
	struct knob_guard *guard; /* NULL: no knob was asked for */
	char want[256];
};

/* Whether an option asks for one. */
bool kernel_is_wanted(const struct config *config);
/*
 * Starts the guardian, once NEVER with too low a limit for the plan has been refused. -1 with the
 * error set; nothing has then been changed.
 */
int kernel_open(struct kernel *kernel, const struct config *config, const struct needs *needs,
		struct error *error);
/* Sets the point's values; -1 with the error set. */
int kernel_set(const struct kernel *kernel, const struct point *point, struct error *error);
/* -1 with the error set when somebody else has changed them in the meantime. */
int kernel_check(const struct kernel *kernel, const struct point *point, struct error *error);
int kernel_close(struct kernel *kernel, struct error *error);

/* "policy=never numa-stat=0" of a point; empty: it leaves the kernel alone. */
void kernel_describe(const struct point *point, char *text, size_t size);
bool kernel_is_same(const struct point *a, const struct point *b);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * abi.h - what a built will-it-scale testcase and the runner know of each other. It is compiled
 * into both, so a change needs a new number.
 */
#ifndef RUNNER_WIS_ABI_H
#define RUNNER_WIS_ABI_H

#define WIS_ABI 1
#define WIS_SYMBOL "wis_unit"

typedef void *(*wis_func)(void *arg);

/* Filled in by the runner once the testcase is loaded. */
struct wis_hooks {
	void (*new_task)(wis_func func, void *arg);
	void (*fail)(const char *text); /* does not return */
};

struct wis_unit {
	unsigned long abi;
	const char *description;				/* NULL: the file has none */
	void (*prepare)(unsigned long tasks, unsigned long nr); /* NULL: it has none */
	void (*cleanup)(void);					/* NULL: it has none */
	void (*testcase)(unsigned long long *iterations, unsigned long nr);
	const struct wis_hooks *hooks;
};

#endif

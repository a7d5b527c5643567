/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fiber.h - fibers over Boost.Context's C functions: a stack with a guard page below it, and a
 * switch that saves where the caller stands. The sanitizers are told of each switch.
 */
#ifndef MACHINE_SIM_FIBER_H
#define MACHINE_SIM_FIBER_H

#include <stddef.h>

#define FIBER_STACK_BYTES (64 * 1024)
#define FIBER_GUARD_BYTES 4096

struct fiber {
	void *context; /* its saved registers, on its own stack; NULL: not made or running */
	char *stack;   /* lowest byte; NULL: the program's own stack */
	void *fake;    /* the address sanitizer's */
	void (*main)(void *arg);
	void *arg;
};

/* Stacks for `count` fibers in one piece; NULL when there is no memory. */
char *fiber_stacks(unsigned int count);
void fiber_stacks_free(char *stacks, unsigned int count);
/* The stack of the n-th. */
char *fiber_stack(char *stacks, unsigned int n);

/* Makes a fiber that will run main(arg), which must not return. */
void fiber_make(struct fiber *fiber, char *stack, void (*main)(void *), void *arg);
/* Goes on in `to`; returns when somebody switches back to `from`. */
void fiber_switch(struct fiber *from, struct fiber *to);
/* Its stack was put back to what it had been: what a sanitizer has noted there is void. */
void fiber_stack_changed(struct fiber *fiber);

#endif

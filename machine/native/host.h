/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host.h - what foreign code below a host (struct m_host) is given in place of what it would do by
 * itself: another task of its own, and a way to fail that ends the point with its text.
 */
#ifndef MACHINE_NATIVE_HOST_H
#define MACHINE_NATIVE_HOST_H

/*
 * Runs func(arg) beside the caller: as a process in process mode, as a thread in thread mode. It
 * is where the caller is, bound alike, and ends with the run.
 */
void native_new_task(void *(*func)(void *), void *arg);

/* Ends the point with this text as its reason, unless the task has given one before. */
void native_host_fail(const char *text) __attribute__((noreturn));

#endif

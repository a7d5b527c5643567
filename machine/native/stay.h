/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stay.h - whether tasks are still where they were placed. The kernel takes a task from a CPU that
 * goes offline, or that its cpuset loses, and lets it run anywhere from then on: what it does there
 * is no measurement of the placement in the row.
 */
#ifndef MACHINE_NATIVE_STAY_H
#define MACHINE_NATIVE_STAY_H

#include <stdbool.h>

#include "machine/run.h"

/* -1 with the error set: the first task that is elsewhere, and why. `root` as in env.h. */
int native_check_places(const struct m_run *run, const char *root, struct error *error);
/* Whether the CPU is online; true where the host does not tell. */
bool native_is_online(const char *root, int pu);

#endif

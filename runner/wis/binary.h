/* SPDX-License-Identifier: GPL-2.0-or-later */
/* binary.h - what runtest.py and the programs by will-it-scale's names have in common. */
#ifndef RUNNER_WIS_BINARY_H
#define RUNNER_WIS_BINARY_H

#include "runner/config.h"

/*
 * The bare workload of that name: the library in tests/ beside the program where there is one, else
 * a testcase of our own, with the counter that counts nothing.
 */
int wis_bare(struct config *config, const char *testcase, struct error *error);

#endif

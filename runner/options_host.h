/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options_host.h - how options about the host, and about the machine that is counted for, are read;
 * rows of options.c's table.
 */
#ifndef RUNNER_OPTIONS_HOST_H
#define RUNNER_OPTIONS_HOST_H

#include "runner/config.h"

int set_memory(struct config *config, const char *arg, struct error *error);
int set_cpu_count(struct config *config, const char *arg, struct error *error);
int set_nodes(struct config *config, const char *arg, struct error *error);
int set_kernel_policy(struct config *config, const char *arg, struct error *error);
int set_kernel_ratio(struct config *config, const char *arg, struct error *error);
int set_kernel_numa_stat(struct config *config, const char *arg, struct error *error);
int set_profile(struct config *config, const char *arg, struct error *error);

#endif

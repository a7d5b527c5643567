/* SPDX-License-Identifier: GPL-2.0-or-later */
/* check_host.h - the `check-host` subcommand: may this host be trusted with a measurement? */
#ifndef RUNNER_CHECK_HOST_H
#define RUNNER_CHECK_HOST_H

#include "machine/native/env.h"
#include "machine/native/jitter.h"
#include "runner/config.h"

struct host_report {
	struct env env;
	struct jitter *jitter;
	unsigned int cpus;
};

/*
 * Says what the CPUs' own jitter and the share stolen meanwhile (percent, negative: not known) add
 * to the findings. Pure, so that it is tested on made-up figures.
 */
void check_host_judge(struct host_report *report, double steal_pct);
/* Whether something was found that disturbs a measurement. */
bool check_host_is_noisy(const struct host_report *report);
void check_host_print(const struct host_report *report, const struct config *config, FILE *out);

/* Measures for two seconds and prints: 0 quiet, 1 noisy, 2 it cannot be done here. */
int check_host(struct config *config);

#endif

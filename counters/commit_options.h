/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * commit_options.h - the settings of the kind "commit", and what follows from them: policy and
 * batch of each phase, the limits. The same for all its counters, so compiled once.
 */
#ifndef COUNTERS_COMMIT_OPTIONS_H
#define COUNTERS_COMMIT_OPTIONS_H

#include "counters/kind.h"
#include "counters/overcommit.h"

extern const struct option_row commit_options[];

int commit_parse_batch(const char *text, const struct kind_args *args, int64_t *batch,
		       struct error *error);
/* The kernel's batch under a policy on the machine of `args`. */
int64_t commit_policy_batch(const struct kind_args *args, enum overcommit_policy policy);

/* With --policy-switch a run has a second phase under the other policy. */
unsigned int commit_phases(const struct kind_args *args);
double commit_phase_start_pct(const struct kind_args *args, unsigned int phase);
enum overcommit_policy commit_policy(const struct kind_args *args, unsigned int phase);
const char *commit_policy_name(const struct kind_args *args, unsigned int phase);

struct overcommit_limits commit_limits(const struct kind_args *args);

#endif

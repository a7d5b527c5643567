/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * profile_report.h - from the samples that `perf script` prints to shares of the time: by symbol,
 * and of the waiting for locks by call site, in the shape in which kernel patches show it.
 */
#ifndef MACHINE_NATIVE_PROFILE_REPORT_H
#define MACHINE_NATIVE_PROFILE_REPORT_H

#include <stdio.h>

#include "machine/run.h"

/*
 * Reads the output of perf script -F pid,tid,period,event,ip,sym,dso to its end, with the samples
 * of these threads (sorted) alone. -1 with the error set: there is no sample of them.
 */
int profile_read(FILE *samples, const int *tids, size_t count, struct m_profile *profile,
		 struct error *error);

/* Reads the output of perf stat -x, : what was counted goes into the profile. */
void profile_read_counts(FILE *counts, struct m_profile *profile);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * zone_options.h - the settings of the kind "zone" and what follows from them: the threshold of
 * each phase, the interval of the periodic fold. The same for all its counters, so compiled once.
 */
#ifndef COUNTERS_ZONE_OPTIONS_H
#define COUNTERS_ZONE_OPTIONS_H

#include "counters/counter.h"
#include "counters/kind.h"

extern const struct option_row zone_options[];

/* Memory of one of the machine's zones, all equal. */
int64_t zone_managed_bytes(const struct kind_args *args);

/* The number that a --batch item is for this counter; -1 with what would be right. */
int zone_parse_batch(const char *text, const struct kind_args *args,
		     const struct counter_info *counter, int64_t *threshold, struct error *error);

/* With --pressure=on@N% a run has a second phase, in which memory is short. */
unsigned int zone_phases(const struct kind_args *args);
double zone_phase_start_pct(const struct kind_args *args, unsigned int phase);
bool zone_is_short(const struct kind_args *args, unsigned int phase);
const char *zone_phase_name(const struct kind_args *args, unsigned int phase);
/* Of a phase: --batch's, or that of memory pressure. */
int64_t zone_phase_threshold(const struct kind_args *args, unsigned int phase);

int64_t zone_stat_interval_ns(const struct kind_args *args);

#endif

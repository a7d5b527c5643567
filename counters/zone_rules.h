/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * zone_rules.h - the kernel's rules for zones as pure functions: watermarks, and the thresholds of
 * their statistics. Pages are 4 KiB.
 */
#ifndef COUNTERS_ZONE_RULES_H
#define COUNTERS_ZONE_RULES_H

#include <stdint.h>

#define ZONE_THRESHOLD_MOST 125 /* what an s8 holds, with room for one more event */

/*
 * Threshold of a zone with `managed_bytes` of memory on a machine with so many CPUs online: from 2
 * to 125. Rule: calculate_normal_threshold(), Linux 2.6.37 and later.
 */
int64_t zone_normal_threshold(int64_t managed_bytes, unsigned int cpus);

/*
 * The same while memory is short, so that all CPUs together cannot hide more pages than lie between
 * two watermarks: from 1 to 125. Rule: calculate_pressure_threshold(), Linux 2.6.37 and later.
 */
int64_t zone_pressure_threshold(int64_t managed_bytes, int64_t memory_bytes, unsigned int cpus);

/* Pages between the watermarks min and low. Rule: __setup_per_zone_wmarks(), Linux 4.6 and on. */
int64_t zone_watermark_gap(int64_t managed_bytes, int64_t memory_bytes);

#endif

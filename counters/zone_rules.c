// SPDX-License-Identifier: GPL-2.0-or-later
/* zone_rules.c - thresholds and watermarks of a zone. */
#include "counters/zone_rules.h"

#define PAGE_SHIFT 12
#define UNIT_SHIFT 27 /* the threshold grows with each doubling of units of 128 MiB */
#define MIN_FREE_KIB_LEAST 128
#define MIN_FREE_KIB_MOST 262144
#define WATERMARK_SCALE 10 /* vm.watermark_scale_factor: in 1/10000 of the zone */

/* Position of the highest bit that is set, from 1; 0 for none. */
static int64_t last_bit(uint64_t value)
{
	return value ? 64 - __builtin_clzll(value) : 0;
}

static int64_t at_most(int64_t value, int64_t most)
{
	return value < most ? value : most;
}

int64_t zone_normal_threshold(int64_t managed_bytes, unsigned int cpus)
{
	int64_t units = managed_bytes >> UNIT_SHIFT;

	return at_most(2 * last_bit(cpus) * (1 + last_bit((uint64_t)units)), ZONE_THRESHOLD_MOST);
}

static int64_t square_root(int64_t value)
{
	int64_t root = 0;

	for (int64_t bit = INT64_C(1) << 31; bit; bit >>= 1)
		if ((root | bit) <= value / (root | bit))
			root |= bit;
	return root;
}

/* What the whole machine keeps free at least: vm.min_free_kbytes as the kernel sets it. */
static int64_t min_free_pages(int64_t memory_bytes)
{
	int64_t kib = square_root((memory_bytes >> 10) * 16);

	if (kib < MIN_FREE_KIB_LEAST)
		kib = MIN_FREE_KIB_LEAST;
	return at_most(kib, MIN_FREE_KIB_MOST) >> (PAGE_SHIFT - 10);
}

int64_t zone_watermark_gap(int64_t managed_bytes, int64_t memory_bytes)
{
	int64_t managed = managed_bytes >> PAGE_SHIFT;
	int64_t total = memory_bytes >> PAGE_SHIFT;
	int64_t quarter = (int64_t)((__int128)min_free_pages(memory_bytes) * managed / total) / 4;
	int64_t scaled = (int64_t)((__int128)managed * WATERMARK_SCALE / 10000);

	return quarter > scaled ? quarter : scaled;
}

int64_t zone_pressure_threshold(int64_t managed_bytes, int64_t memory_bytes, unsigned int cpus)
{
	int64_t threshold = zone_watermark_gap(managed_bytes, memory_bytes) / cpus;

	return threshold < 1 ? 1 : at_most(threshold, ZONE_THRESHOLD_MOST);
}

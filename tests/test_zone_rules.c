// SPDX-License-Identifier: GPL-2.0-or-later
/* test_zone_rules.c - thresholds and watermarks of zones by the kernel's formulas. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "counters/zone_rules.h"

#define GIB(n) ((int64_t)(n) << 30)

static void test_normal(void **state)
{
	static const struct {
		int64_t managed;
		unsigned int cpus;
		int64_t threshold;
	} known[] = {
		{ GIB(63), 88, 125 }, /* 140 by the formula, which the signed byte caps */
		{ GIB(32), 16, 100 }, { GIB(32) - 4096, 16, 90 }, { GIB(1), 1, 10 },
		{ 0, 1, 2 },	      { (128 << 20) - 1, 1, 2 },  { 128 << 20, 1, 4 },
		{ GIB(1), 2, 20 },    { GIB(1), 3, 20 },	  { GIB(1), 4, 30 },
		{ GIB(12), 2, 32 },   { GIB(1024), 4096, 125 },
	};

	(void)state;
	for (unsigned int i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		assert_int_equal(zone_normal_threshold(known[i].managed, known[i].cpus),
				 known[i].threshold);
}

/* 63 GiB are 16515072 pages: a thousandth of them is more than a quarter of what is kept free. */
static void test_pressure(void **state)
{
	(void)state;
	assert_int_equal(zone_watermark_gap(GIB(63), GIB(126)), 16515);
	assert_int_equal(zone_pressure_threshold(GIB(63), GIB(126), 88), 125);
	assert_int_equal(zone_pressure_threshold(GIB(63), GIB(126), 400), 41);
	assert_int_equal(zone_pressure_threshold(GIB(63), GIB(126), 16384), 1);
	/* 1 GiB: 4096 KiB are kept free, a quarter is 256 pages; a thousandth would be 262. */
	assert_int_equal(zone_watermark_gap(GIB(1), GIB(1)), 262);
	assert_int_equal(zone_pressure_threshold(GIB(1), GIB(1), 88), 2);
	/* 256 MiB: 2048 KiB are kept free, a quarter is 128 pages; a thousandth would be 65. */
	assert_int_equal(zone_watermark_gap(256 << 20, 256 << 20), 128);
	/* The least that is kept free, on a machine with next to nothing. */
	assert_int_equal(zone_watermark_gap(1 << 20, 1 << 20), 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_normal),
		cmocka_unit_test(test_pressure),
	};

	return cmocka_run_group_tests_name("zone rules", tests, NULL, NULL);
}

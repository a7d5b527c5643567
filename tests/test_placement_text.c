// SPDX-License-Identifier: GPL-2.0-or-later
/* test_placement_text.c - lists of CPUs, what is refused and how, and the reasons in words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "machine/placement.h"

static struct topology topology;

static void expect_refused(const char *cpus, const char *text)
{
	hwloc_bitmap_t set = hwloc_bitmap_alloc();
	struct error error = { "" };
	struct place place;

	if (*cpus)
		assert_int_equal(placement_parse_cpus(cpus, set, &error), 0);
	assert_int_equal(placement_make(&topology, PLACEMENT_CORE, set, 1, &place, &error), -1);
	assert_string_equal(error.text, text);
	hwloc_bitmap_free(set);
}

static void expect_limited(enum placement placement, const char *cpus, const int *pus, int count)
{
	hwloc_bitmap_t set = hwloc_bitmap_alloc();
	struct error error = { "" };
	struct place places[8];
	int limit, i;

	assert_int_equal(placement_parse_cpus(cpus, set, &error), 0);
	limit = hwloc_bitmap_weight(set);
	assert_int_equal(placement_make(&topology, placement, set, count, places, &error), 0);
	for (i = 0; i < count; i++) {
		assert_int_equal(places[i].pu, pus[i]);
		assert_int_equal(places[i].round, i / limit);
	}
	hwloc_bitmap_free(set);
}

static void test_cpus_limit(void **state)
{
	static const int core[] = { 1, 4, 6, 5, 7, 1, 4 };
	static const int spread[] = { 1, 4, 6, 5, 7, 1, 4 };
	static const int pu[] = { 0, 1, 6, 7, 0 };
	static const int none[] = { -1, -1, -1 };
	struct error error = { "" };

	(void)state;
	if (topology_open(&topology, "synthetic:package:2 core:2 pu:2", &error))
		fail_msg("%s", error.text);
	expect_limited(PLACEMENT_CORE, "1,4-7", core, 7);
	expect_limited(PLACEMENT_SPREAD, "1,4-7", spread, 7);
	expect_limited(PLACEMENT_PU, "7,6,0-1", pu, 5);
	expect_limited(PLACEMENT_NONE, "0-1", none, 3);
	expect_limited(PLACEMENT_CORE, "3", NULL, 0);
	topology_close(&topology);
}

static void test_cpus_refused(void **state)
{
	struct error error = { "" };

	(void)state;
	if (topology_open(&topology, "tests/topologies/restricted.xml", &error))
		fail_msg("%s", error.text);
	expect_refused("2-3",
		       "--cpus: CPU 3 may not be used (cpuset, cgroup or affinity mask); right "
		       "would be some of 1-2,4,6-7");
	expect_refused("4-5", "--cpus: CPU 5 does not exist or is offline; right would be some of "
			      "1-2,4,6-7");
	expect_refused("8191",
		       "--cpus: CPU 8191 does not exist or is offline; right would be some of "
		       "1-2,4,6-7");
	expect_refused("", "--cpus names no CPU; right would be some of 1-2,4,6-7");
	topology_close(&topology);
}

static void test_parse_cpus(void **state)
{
	static const char *const wrong[] = {
		"",	",",	 "0,",	",0",	"0,,1",	  "-",	 "0-",	  "-3",
		"3-1",	"0-1-2", "a",	"0x1",	"0 1",	  " 0",	 "0 ",	  "+1",
		"0-3a", "1.5",	 "all", "8192", "0-8192", "0\n", "0,\n1", "99999999999999999999",
	};
	hwloc_bitmap_t set = hwloc_bitmap_alloc();
	struct error error;
	char text[64];
	size_t i;

	(void)state;
	assert_int_equal(placement_parse_cpus("0-3,8,10-11,2", set, &error), 0);
	hwloc_bitmap_list_snprintf(text, sizeof(text), set);
	assert_string_equal(text, "0-3,8,10-11");
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		error.text[0] = '\0';
		if (!placement_parse_cpus(wrong[i], set, &error))
			fail_msg("\"%s\" was taken", wrong[i]);
		snprintf(text, sizeof(text), "%s", wrong[i]);
		for (char *c = text; *c; c++) /* an error stays one line */
			*c = *c < ' ' ? '?' : *c;
		assert_non_null(strstr(error.text, text));
		assert_true(strlen(error.text) > strlen(wrong[i]) + 20);
	}
	hwloc_bitmap_list_snprintf(text, sizeof(text), set);
	assert_string_equal(text, "0-3,8,10-11");
	placement_parse_cpus("3-1", set, &error);
	assert_string_equal(error.text, "CPU list \"3-1\": 3-1 runs backwards; right would be 1-3");
	hwloc_bitmap_free(set);
}

static void test_reasons(void **state)
{
	struct place at = { .pu = 7, .core = 3, .package = 0, .kind = -1 };
	char text[128];

	(void)state;
	placement_reason(&at, PLACEMENT_CORE, text, sizeof(text));
	assert_string_equal(text, "first PU of core 3, package 0");
	at.sibling = 1;
	placement_reason(&at, PLACEMENT_PU, text, sizeof(text));
	assert_string_equal(text, "SMT sibling 1 of core 3, package 0");
	placement_reason(&at, PLACEMENT_CORE, text, sizeof(text));
	assert_string_equal(text, "SMT sibling 1 of core 3, package 0; all cores are taken");
	at.round = 1;
	placement_reason(&at, PLACEMENT_CORE, text, sizeof(text));
	assert_non_null(strstr(text, "all PUs are taken, task 2 on this one"));
	at.pu = -1;
	placement_reason(&at, PLACEMENT_NONE, text, sizeof(text));
	assert_string_equal(text, "not bound: the scheduler chooses");
	placement_reason(&at, PLACEMENT_NONE, text, 4);
	assert_string_equal(text, "not");
}

static void expect_kinds(const char *machine, unsigned int count, const char *text)
{
	struct error error = { "" };
	struct place places[16];
	char kinds[64], small[12];

	if (topology_open(&topology, machine, &error))
		fail_msg("%s", error.text);
	assert_int_equal(placement_make(&topology, PLACEMENT_CORE, NULL, count, places, &error), 0);
	placement_kinds(&topology, places, count, kinds, sizeof(kinds));
	assert_string_equal(kinds, text);
	/* Cut, and no further. */
	placement_kinds(&topology, places, count, small, sizeof(small));
	assert_memory_equal(small, text, strnlen(text, sizeof(small) - 1));
	topology_close(&topology);
}

/* The faster kind is taken first, and named first. */
static void test_kinds(void **state)
{
	(void)state;
	expect_kinds("tests/topologies/hybrid.xml", 1, "IntelCore:1");
	expect_kinds("tests/topologies/hybrid.xml", 2, "IntelCore:2");
	expect_kinds("tests/topologies/hybrid.xml", 3, "IntelCore:2;IntelAtom:1");
	expect_kinds("tests/topologies/hybrid.xml", 8, "IntelCore:4;IntelAtom:4");
	expect_kinds("tests/topologies/hybrid2.xml", 2, "kind1:1;kind0:1");
	expect_kinds("synthetic:package:2 core:2 pu:2", 8, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cpus_limit), cmocka_unit_test(test_cpus_refused),
		cmocka_unit_test(test_parse_cpus), cmocka_unit_test(test_reasons),
		cmocka_unit_test(test_kinds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

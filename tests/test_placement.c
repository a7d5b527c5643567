// SPDX-License-Identifier: GPL-2.0-or-later
/* test_placement.c - the order of tasks on machines of many shapes, exact and as invariants. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "machine/placement.h"

#define TASKS_MAX 1024

static struct topology topology;
static struct place places[TASKS_MAX];

static void open_machine(const char *spec)
{
	struct error error = { "" };

	if (topology_open(&topology, spec, &error))
		fail_msg("%s", error.text);
}

static void place(enum placement placement, const char *cpus, unsigned int count)
{
	hwloc_bitmap_t set = cpus ? hwloc_bitmap_alloc() : NULL;
	struct error error = { "" };

	assert_true(count <= TASKS_MAX);
	if (cpus && placement_parse_cpus(cpus, set, &error))
		fail_msg("%s", error.text);
	if (placement_make(&topology, placement, set, count, places, &error))
		fail_msg("%s", error.text);
	hwloc_bitmap_free(set);
}

static void expect_pus_(const int *pus, unsigned int count, const char *file, int line)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		_assert_int_equal(places[i].pu, pus[i], file, line);
}

/* The PUs of tasks 0, 1, ... in turn. */
#define expect_pus(...)                                                                         \
	expect_pus_((const int[]){ __VA_ARGS__ }, sizeof((int[]){ __VA_ARGS__ }) / sizeof(int), \
		    __FILE__, __LINE__)

/*
 * What holds for every bound placement on every machine: within a round each usable PU once; for
 * core and spread no sibling before the last core has its task; nearest nodes exist.
 */
static void check_invariants(enum placement placement)
{
	unsigned int usable = topology_usable_pus(&topology);
	unsigned int count = 2 * usable + 1;
	hwloc_bitmap_t seen = hwloc_bitmap_alloc();
	unsigned int i;

	place(placement, NULL, count);
	for (i = 0; i < count; i++) {
		if (i % usable == 0)
			hwloc_bitmap_zero(seen);
		assert_int_equal(places[i].round, i / usable);
		assert_true(hwloc_bitmap_isset(topology.usable, places[i].pu));
		assert_false(hwloc_bitmap_isset(seen, places[i].pu));
		hwloc_bitmap_set(seen, places[i].pu);
		if (i % usable && placement != PLACEMENT_PU)
			assert_true(places[i].sibling >= places[i - 1].sibling);
		if (i >= usable)
			assert_int_equal(places[i].pu, places[i - usable].pu);
	}
	hwloc_bitmap_free(seen);
}

static void check_all_invariants(void)
{
	check_invariants(PLACEMENT_CORE);
	check_invariants(PLACEMENT_SPREAD);
	check_invariants(PLACEMENT_PU);
}

static void test_8_cores_16_threads(void **state)
{
	(void)state;
	open_machine("synthetic:package:1 l3:2 core:4 pu:2");
	place(PLACEMENT_CORE, NULL, 16);
	expect_pus(0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15);
	place(PLACEMENT_SPREAD, NULL, 16);
	expect_pus(0, 8, 2, 10, 4, 12, 6, 14, 1, 9, 3, 11, 5, 13, 7, 15);
	assert_int_equal(places[0].cache, 0);
	assert_int_equal(places[1].cache, 1);
	place(PLACEMENT_PU, NULL, 16);
	expect_pus(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
	assert_int_equal(places[3].core, 1);
	assert_int_equal(places[3].sibling, 1);
	assert_int_equal(places[3].kind, -1);
	check_all_invariants();
	topology_close(&topology);
}

/* Numbered as Linux numbers Intel servers: all first PUs of package 0, of package 1, then again. */
static void test_2_sockets_88_threads(void **state)
{
	(void)state;
	open_machine(
		"synthetic:package:2 [numa(memory=64GiB)] l3:1 core:22 pu:2(indexes=2*44:44*1)");
	place(PLACEMENT_CORE, NULL, 88);
	expect_pus(0, 1, 2);
	assert_int_equal(places[21].pu, 21);
	assert_int_equal(places[21].package, 0);
	assert_int_equal(places[22].pu, 22);
	assert_int_equal(places[22].package, 1);
	assert_int_equal(places[22].node, 1);
	assert_int_equal(places[43].pu, 43);
	assert_int_equal(places[44].pu, 44);
	assert_int_equal(places[44].core, 0);
	assert_int_equal(places[44].sibling, 1);
	assert_int_equal(places[87].pu, 87);
	place(PLACEMENT_SPREAD, NULL, 88);
	expect_pus(0, 22, 1, 23, 2, 24);
	assert_int_equal(places[43].pu, 43);
	assert_int_equal(places[44].pu, 44);
	assert_int_equal(places[45].pu, 66);
	place(PLACEMENT_PU, NULL, 88);
	expect_pus(0, 44, 1, 45, 2, 46);
	check_all_invariants();
	topology_close(&topology);
}

static void test_2_sockets_96_threads(void **state)
{
	(void)state;
	open_machine("synthetic:package:2 l3:4 core:6 pu:2");
	place(PLACEMENT_CORE, NULL, 96);
	expect_pus(0, 2, 4);
	assert_int_equal(places[23].pu, 46);
	assert_int_equal(places[24].pu, 48);
	assert_int_equal(places[24].package, 1);
	assert_int_equal(places[48].pu, 1);
	assert_int_equal(places[95].pu, 95);
	place(PLACEMENT_SPREAD, NULL, 96);
	expect_pus(0, 48, 12, 60, 24, 72, 36, 84, 2, 50, 14);
	assert_int_equal(places[47].pu, 94);
	assert_int_equal(places[48].pu, 1);
	check_all_invariants();
	topology_close(&topology);
}

static void test_4_sockets_144_threads(void **state)
{
	(void)state;
	open_machine("synthetic:package:4 [numa] core:18 pu:2");
	place(PLACEMENT_CORE, NULL, 144);
	expect_pus(0, 2, 4);
	assert_int_equal(places[17].pu, 34);
	assert_int_equal(places[18].pu, 36);
	assert_int_equal(places[18].package, 1);
	assert_int_equal(places[71].pu, 142);
	assert_int_equal(places[71].node, 3);
	assert_int_equal(places[72].pu, 1);
	assert_int_equal(places[143].pu, 143);
	assert_int_equal(places[0].cache, -1);
	place(PLACEMENT_SPREAD, NULL, 144);
	expect_pus(0, 36, 72, 108, 2, 38, 74, 110);
	assert_int_equal(places[72].pu, 1);
	assert_int_equal(places[73].pu, 37);
	check_all_invariants();
	topology_close(&topology);
}

static void test_8_sockets_448_threads(void **state)
{
	(void)state;
	open_machine("synthetic:package:8 [numa] core:28 pu:2");
	place(PLACEMENT_CORE, NULL, 448);
	assert_int_equal(places[27].pu, 54);
	assert_int_equal(places[28].pu, 56);
	assert_int_equal(places[28].package, 1);
	assert_int_equal(places[223].pu, 446);
	assert_int_equal(places[224].pu, 1);
	assert_int_equal(places[447].pu, 447);
	place(PLACEMENT_SPREAD, NULL, 448);
	expect_pus(0, 56, 112, 168, 224, 280, 336, 392, 2, 58);
	check_all_invariants();
	topology_close(&topology);
}

static void test_hybrid(void **state)
{
	(void)state;
	open_machine("tests/topologies/hybrid.xml");
	place(PLACEMENT_CORE, NULL, 8);
	expect_pus(0, 2, 4, 5, 6, 7, 1, 3);
	assert_int_equal(places[0].kind, 1);
	assert_int_equal(places[2].kind, 0);
	place(PLACEMENT_SPREAD, NULL, 8);
	expect_pus(0, 2, 4, 5, 6, 7, 1, 3);
	place(PLACEMENT_PU, NULL, 8);
	expect_pus(0, 1, 2, 3, 4, 5, 6, 7);
	place(PLACEMENT_CORE, "4-7,2", 5);
	expect_pus(2, 4, 5, 6, 7);
	check_all_invariants();
	topology_close(&topology);
}

/* The slow cluster is package 0: one task must still get a fast core. */
static void test_clusters_as_packages(void **state)
{
	(void)state;
	open_machine("tests/topologies/clusters.xml");
	place(PLACEMENT_CORE, NULL, 6);
	expect_pus(4, 5, 0, 1, 2, 3);
	place(PLACEMENT_SPREAD, NULL, 6);
	expect_pus(4, 0, 5, 1, 2, 3);
	check_all_invariants();
	topology_close(&topology);
}

static void test_without_cores(void **state)
{
	char text[128];

	(void)state;
	open_machine("synthetic:pu:4");
	place(PLACEMENT_CORE, NULL, 5);
	expect_pus(0, 1, 2, 3, 0);
	assert_int_equal(places[2].core, -1);
	assert_int_equal(places[2].package, -1);
	assert_int_equal(places[2].sibling, 0);
	assert_int_equal(places[2].node, 0);
	placement_reason(&places[2], PLACEMENT_CORE, text, sizeof(text));
	assert_string_equal(text, "a PU by itself: no cores are known");
	check_all_invariants();
	topology_close(&topology);
}

static void test_nodes_without_memory(void **state)
{
	(void)state;
	open_machine("tests/topologies/memoryless.xml");
	place(PLACEMENT_CORE, NULL, 8);
	assert_int_equal(places[0].node, 3);
	assert_int_equal(places[2].node, 1);
	assert_int_equal(places[4].node, 1);
	assert_int_equal(places[6].node, 3);
	place(PLACEMENT_NONE, NULL, 1);
	assert_int_equal(places[0].node, 1);
	topology_close(&topology);

	open_machine("tests/topologies/memoryless-nodist.xml");
	place(PLACEMENT_CORE, NULL, 4);
	assert_int_equal(places[0].node, 1);
	assert_int_equal(places[3].node, 1);
	topology_close(&topology);

	/* No node with memory at all means that memory is not described. */
	open_machine("synthetic:package:2 [numa(memory=0)] core:2 pu:1");
	place(PLACEMENT_CORE, NULL, 4);
	assert_int_equal(places[0].node, 0);
	assert_int_equal(places[2].node, 1);
	topology_close(&topology);
}

static void test_offline_and_disallowed(void **state)
{
	(void)state;
	open_machine("tests/topologies/restricted.xml");
	place(PLACEMENT_CORE, NULL, 6);
	expect_pus(1, 2, 4, 6, 7, 1);
	assert_int_equal(places[0].sibling, 0);
	assert_int_equal(places[4].sibling, 1);
	assert_int_equal(places[5].round, 1);
	place(PLACEMENT_SPREAD, NULL, 5);
	expect_pus(1, 4, 2, 6, 7);
	check_all_invariants();
	topology_close(&topology);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_8_cores_16_threads),
		cmocka_unit_test(test_2_sockets_88_threads),
		cmocka_unit_test(test_2_sockets_96_threads),
		cmocka_unit_test(test_4_sockets_144_threads),
		cmocka_unit_test(test_8_sockets_448_threads),
		cmocka_unit_test(test_hybrid),
		cmocka_unit_test(test_clusters_as_packages),
		cmocka_unit_test(test_without_cores),
		cmocka_unit_test(test_nodes_without_memory),
		cmocka_unit_test(test_offline_and_disallowed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

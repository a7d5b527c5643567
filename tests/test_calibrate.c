// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_calibrate.c - what calibrate works with, on machines of many shapes: which pairs of CPUs
 * stand for a class, how a topology is written, which defaults are taken.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "machine/sim/topology_text.h"
#include "runner/calibrate_figures.h"
#include "runner/calibrate_pairs.h"

static struct topology topology;
static struct pair_class classes[SIM_LEVELS];
static struct error error;

static void open_machine(const char *spec)
{
	if (topology_open(&topology, spec, &error) != 0)
		fail_msg("%s", error.text);
}

static void find(const char *spec, const char *cpus)
{
	hwloc_bitmap_t set = cpus ? hwloc_bitmap_alloc() : NULL;

	open_machine(spec);
	if (cpus && placement_parse_cpus(cpus, set, &error) != 0)
		fail_msg("%s", error.text);
	if (pairs_find(&topology, set, classes, &error) != 0)
		fail_msg("%s", error.text);
	hwloc_bitmap_free(set);
	topology_close(&topology);
}

static void expect_counts(unsigned int core, unsigned int cache, unsigned int package,
			  unsigned int group, unsigned int machine)
{
	assert_int_equal(classes[SIM_CORE].count, core);
	assert_int_equal(classes[SIM_CACHE].count, cache);
	assert_int_equal(classes[SIM_PACKAGE].count, package);
	assert_int_equal(classes[SIM_GROUP].count, group);
	assert_int_equal(classes[SIM_MACHINE].count, machine);
}

static void test_pairs(void **state)
{
	(void)state;
	find("synthetic:package:2 l3:2 core:4 pu:2", NULL);
	expect_counts(8, 8, 7, 0, 8);
	/* The two are what the class says. */
	assert_int_equal(classes[SIM_CORE].pair[0].place[0].core,
			 classes[SIM_CORE].pair[0].place[1].core);
	assert_int_not_equal(classes[SIM_MACHINE].pair[3].place[0].package,
			     classes[SIM_MACHINE].pair[3].place[1].package);
	find("synthetic:package:1 l3:1 core:1 pu:2", NULL);
	expect_counts(1, 0, 0, 0, 0);
	find("synthetic:package:1 l3:2 core:1 pu:1", NULL);
	expect_counts(0, 0, 1, 0, 0);
	find("synthetic:group:2 package:2 core:1 pu:1", NULL);
	expect_counts(0, 0, 0, 2, 3);
	find("synthetic:package:1 core:1 pu:1", NULL);
	expect_counts(0, 0, 0, 0, 0);
}

static void test_pairs_of_some_cpus(void **state)
{
	(void)state;
	find("synthetic:package:2 l3:1 core:2 pu:2", "0,2");
	expect_counts(0, 1, 0, 0, 0);
	/* No cores are told: each CPU is one. */
	find("synthetic:package:1 pu:2", NULL);
	expect_counts(0, 0, 1, 0, 0);
}

static void expect_text(const char *spec, enum topology_text kind, const char *expected)
{
	char text[256];

	open_machine(spec);
	assert_int_equal(topology_text(&topology, text, sizeof(text)), kind);
	if (expected)
		assert_string_equal(text, expected);
	topology_close(&topology);
}

static void test_topology_strings(void **state)
{
	(void)state;
	expect_text("synthetic:package:2 [numa] l3:2 core:4 pu:2", TOPOLOGY_TEXT_STRING,
		    "synthetic:Package:2 [NUMANode] L3Cache:2 Core:4 PU:2");
	expect_text("synthetic:package:1 pu:3", TOPOLOGY_TEXT_NO_CORES,
		    "synthetic:package:1 core:3 pu:1");
	expect_text("tests/topologies/hybrid.xml", TOPOLOGY_TEXT_XML, NULL);
	expect_text("tests/topologies/clusters.xml", TOPOLOGY_TEXT_XML, NULL);
	expect_text("tests/topologies/restricted.xml", TOPOLOGY_TEXT_XML, NULL);
}

/* What no string says is the same machine when it is read back. */
static void test_topology_xml(void **state)
{
	char path[] = "/tmp/wib-topology-XXXXXX.xml", before[200], after[200];

	(void)state;
	close(mkstemps(path, 4));
	open_machine("tests/topologies/hybrid.xml");
	topology_describe(&topology, before, sizeof(before));
	assert_int_equal(topology_write_xml(&topology, path, &error), 0);
	assert_int_equal(topology_write_xml(&topology, "/no/where.xml", &error), -1);
	assert_non_null(strstr(error.text, "/no/where.xml"));
	topology_close(&topology);
	open_machine(path);
	topology_describe(&topology, after, sizeof(after));
	assert_string_equal(before, after);
	topology_close(&topology);
	unlink(path);
}

static double value_of(const struct figures *figures, const char *key)
{
	const struct figure *figure = &figures->of[sim_key_of(key)];

	assert_true(figure->given);
	return figure->value;
}

static void test_defaults(void **state)
{
	struct figures figures = { .about = "" };

	(void)state;
	figure_measured(&figures, "latency.cache_ns", 100, "measured: here");
	figures_complete(&figures);
	/* No default is nearer than what was measured nearer. */
	assert_float_equal(value_of(&figures, "latency.core_ns"), 7, 0);
	assert_float_equal(value_of(&figures, "latency.package_ns"), 100, 0);
	assert_float_equal(value_of(&figures, "latency.machine_ns"), 130, 0);
	assert_float_equal(value_of(&figures, "latency.read_ns"), 60, 0);
	assert_false(figures.of[sim_key_of("path.fault_ns")].given);
}

static void test_range(void **state)
{
	struct figures figures = { .about = "" };

	(void)state;
	figure_measured(&figures, "latency.hit_ns", -3, "measured: less than nothing");
	figure_measured(&figures, "path.map_ns", 1e30, "measured: for ever");
	figure_measured(&figures, "machine.memory_gib", 0.2, "measured: little");
	assert_float_equal(value_of(&figures, "latency.hit_ns"), 0.001, 0);
	assert_float_equal(value_of(&figures, "path.map_ns"), 1e8, 0);
	assert_float_equal(value_of(&figures, "machine.memory_gib"), 1, 0);
}

static void test_lines_are_short(void **state)
{
	struct figures figures = { .about = "a machine", .topology = "synthetic:pu:1" };
	char long_text[300], *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	(void)state;
	memset(long_text, 'x', sizeof(long_text) - 1);
	long_text[sizeof(long_text) - 1] = '\0';
	long_text[3] = '\n';
	for (unsigned int i = 2; sim_keys[i].name; i++)
		figure_lacks(&figures, sim_keys[i].name, long_text);
	figures_complete(&figures);
	figures_write(&figures, file);
	fclose(file);
	for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
		assert_true(strcspn(line, "\n") <= 190);
	assert_non_null(strstr(text, "\nhit_ns = 0.4 ; default: a cycle; xxx xxx"));
	assert_non_null(strstr(text, "; fault_ns is left out: xxx xxx"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_pairs_of_some_cpus),
		cmocka_unit_test(test_topology_strings),
		cmocka_unit_test(test_topology_xml),
		cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_range),
		cmocka_unit_test(test_lines_are_short),
	};

	return cmocka_run_group_tests_name("calibrate", tests, NULL, NULL);
}

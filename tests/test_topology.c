// SPDX-License-Identifier: GPL-2.0-or-later
/* test_topology.c - what a topology tells, this host's limits, and the error for each mistake. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "machine/topology.h"

#define GIB (1ULL << 30)

static void open_machine(struct topology *topology, const char *spec)
{
	struct error error = { "" };

	if (topology_open(topology, spec, &error))
		fail_msg("%s", error.text);
}

static void expect_described(const char *spec, const char *text, uint64_t memory)
{
	struct topology topology;
	char description[128];

	open_machine(&topology, spec);
	topology_describe(&topology, description, sizeof(description));
	assert_string_equal(description, text);
	assert_int_equal(topology_memory_bytes(&topology), memory);
	assert_false(topology.this_host);
	topology_close(&topology);
}

static void test_describe(void **state)
{
	(void)state;
	expect_described("synthetic:package:2 [numa(memory=64GiB)] core:22 pu:2",
			 "2 packages, 44 cores, 88 PUs, 2 NUMA nodes", 128 * GIB);
	expect_described("synthetic:package:1 core:1 pu:1", "1 package, 1 core, 1 PU, 1 NUMA node",
			 0);
	expect_described("synthetic:pu:3", "3 PUs, 1 NUMA node", 0);
	expect_described("tests/topologies/restricted.xml",
			 "2 packages, 4 cores, 8 PUs (5 usable), 1 NUMA node", 4 * GIB);
	expect_described("tests/topologies/memoryless.xml",
			 "4 packages, 8 cores, 8 PUs, 4 NUMA nodes", 8 * GIB);
}

static void test_describe_cuts(void **state)
{
	struct topology topology;
	char text[12];

	(void)state;
	open_machine(&topology, "synthetic:package:2 core:2 pu:2");
	topology_describe(&topology, text, sizeof(text));
	assert_string_equal(text, "2 packages,");
	topology_close(&topology);
}

static void test_sets(void **state)
{
	struct topology topology;
	char text[64];

	(void)state;
	open_machine(&topology, "tests/topologies/restricted.xml");
	hwloc_bitmap_list_snprintf(text, sizeof(text), topology.usable);
	assert_string_equal(text, "1-2,4,6-7");
	assert_int_equal(topology_usable_pus(&topology), 5);
	assert_int_equal(topology_present_pus(&topology), 8);
	hwloc_bitmap_list_snprintf(text, sizeof(text), topology_node_pus(&topology, 0));
	assert_string_equal(text, "0-4,6-7");
	assert_null(topology_node_pus(&topology, 1));
	assert_null(topology_node_pus(&topology, -1));
	topology_close(&topology);
}

static void test_this_host(void **state)
{
	struct topology topology;
	char description[128];

	(void)state;
	open_machine(&topology, NULL);
	assert_true(topology.this_host);
	assert_true(topology_usable_pus(&topology) >= 1);
	assert_true(topology_usable_pus(&topology) <= topology_present_pus(&topology));
	assert_true(topology_memory_bytes(&topology) > 16 << 20);
	topology_describe(&topology, description, sizeof(description));
	assert_non_null(strstr(description, " PU"));
	topology_close(&topology);
}

/* As under taskset: hwloc alone would still offer every CPU. */
static void test_inherited_affinity(void **state)
{
	struct topology topology;
	int last, only;
	pid_t child;
	int status;

	(void)state;
	open_machine(&topology, "native");
	last = hwloc_bitmap_last(topology.usable);
	child = fork();
	if (child == 0) {
		hwloc_bitmap_only(topology.usable, last);
		if (hwloc_set_cpubind(topology.hwloc, topology.usable, HWLOC_CPUBIND_THREAD))
			_exit(2);
		topology_close(&topology);
		open_machine(&topology, "native");
		only = topology_usable_pus(&topology) == 1 &&
		       hwloc_bitmap_isset(topology.usable, last);
		_exit(only ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	topology_close(&topology);
}

/* hwloc's own variables may show another machine as native, or another machine as this one. */
static void test_environment(void **state)
{
	struct topology topology;

	(void)state;
	setenv("HWLOC_SYNTHETIC", "package:2 core:3 pu:1", 1);
	open_machine(&topology, "native");
	assert_false(topology.this_host);
	assert_int_equal(topology_usable_pus(&topology), 6);
	assert_int_equal(topology_present_pus(&topology), 6);
	topology_close(&topology);
	open_machine(&topology, "synthetic:pu:7");
	assert_int_equal(topology_usable_pus(&topology), 7);
	topology_close(&topology);
	unsetenv("HWLOC_SYNTHETIC");

	setenv("HWLOC_THISSYSTEM", "1", 1);
	open_machine(&topology, "tests/topologies/hybrid.xml");
	assert_false(topology.this_host);
	assert_int_equal(topology_usable_pus(&topology), 8);
	topology_close(&topology);
	unsetenv("HWLOC_THISSYSTEM");
}

/* Opens quietly: whatever hwloc has to say, nothing may appear on stderr. */
static int open_quiet(struct topology *topology, const char *spec, struct error *error)
{
	FILE *caught = tmpfile();
	int saved = dup(STDERR_FILENO);
	int result;
	long printed;

	assert_non_null(caught);
	fflush(stderr);
	dup2(fileno(caught), STDERR_FILENO);
	result = topology_open(topology, spec, error);
	fflush(stderr);
	printed = lseek(STDERR_FILENO, 0, SEEK_END);
	dup2(saved, STDERR_FILENO);
	close(saved);
	fclose(caught);
	assert_int_equal(printed, 0);
	return result;
}

static void test_quiet(void **state)
{
	struct topology topology;
	struct error error = { "" };

	(void)state;
	assert_int_equal(open_quiet(&topology, "tests/topologies/disordered.xml", &error), 0);
	assert_int_equal(topology_usable_pus(&topology), 2);
	topology_close(&topology);
}

/* Opening `spec` must fail with this text in the error, and one line of it. */
static void expect_error(const char *spec, const char *text)
{
	struct topology topology;
	struct error error = { "" };

	assert_int_equal(open_quiet(&topology, spec, &error), -1);
	if (!strstr(error.text, text) || !strstr(error.text, spec) || strchr(error.text, '\n'))
		fail_msg("\"%s\" gives: %s", spec, error.text);
}

static void test_wrong_strings(void **state)
{
	(void)state;
	expect_error("", "right would be native, FILE.xml");
	expect_error("nativ", "right would be native, FILE.xml");
	expect_error("package:2 pu:2", "synthetic:package:2 core:4 pu:2");
	expect_error("synthetic:", "hwloc cannot read this string");
	expect_error("synthetic:bogus:2", "\"bogus\" is no kind of object");
	expect_error("synthetic:package:2", "TYPE:COUNT from the outermost level");
	expect_error("synthetic:core:2 pu:x", "\"pu:x\" has no count");
	expect_error("synthetic:pu:-1", "\"pu:-1\" has no count");
	expect_error("synthetic:pu", "\"pu\" has no count");
	expect_error("synthetic:pu:0", "hwloc cannot read this string");
	expect_error("synthetic:pu:2 core:2", "hwloc cannot read this string");
	expect_error("synthetic:[numa pu:2", "a \"[\" is never closed");
	expect_error("synthetic:pu:10000000", "more than 8192 PUs");
	expect_error("synthetic:package:100 core:1000 pu:100", "more than 8192 PUs");
	expect_error("synthetic:pu:99999999999999999999", "more than 8192 PUs");
	expect_error("synthetic:numa:4096 pu:1", "more than 1024 NUMA nodes");
	expect_error("synthetic:package:4096 [numa] pu:1", "more than 1024 NUMA nodes");
	expect_error("synthetic:pu:2(indexes=4000000000,1)", "index 4000000000 is too large");
	expect_error("synthetic:pu:2(indexes=0,0)", "do not number all 2 PUs");
}

static void write_file(const char *path, const char *content)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(content, file);
	fclose(file);
}

static void test_wrong_files(void **state)
{
	static const char head[] =
		"<?xml version=\"1.0\"?>\n<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">";
	char directory[] = "/tmp/test_topology.XXXXXX";
	char path[64], text[256];

	(void)state;
	assert_non_null(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/a.xml", directory);
	expect_error(path, "No such file or directory");
	write_file(path, "");
	expect_error(path, "is empty");
	write_file(path, "root:x:0:0\n");
	expect_error(path, "is not a topology");
	write_file(path, "<html><body></html>");
	expect_error(path, "is not a topology");
	snprintf(text, sizeof(text),
		 "%s<topology version=\"2.0\"><object type=\"Machine\" "
		 "cpuset=\"zz\"/></topology>",
		 head);
	write_file(path, text);
	expect_error(path, "");
	snprintf(text, sizeof(text), "%s<topology version=\"3.0\"></topology>", head);
	write_file(path, text);
	expect_error(path, "lstopo --export-xml-flags V2");
	unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	expect_error(path, "is not a regular file");
	unlink(path);
	assert_int_equal(mkdir(path, 0700), 0);
	expect_error(path, "is a directory");
	rmdir(path);
	rmdir(directory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_describe),
		cmocka_unit_test(test_describe_cuts),
		cmocka_unit_test(test_sets),
		cmocka_unit_test(test_this_host),
		cmocka_unit_test(test_inherited_affinity),
		cmocka_unit_test(test_environment),
		cmocka_unit_test(test_quiet),
		cmocka_unit_test(test_wrong_strings),
		cmocka_unit_test(test_wrong_files),
	};

	/* hwloc reads these once; the first three make it talk, the others name another host. */
	unsetenv("HWLOC_HIDE_ERRORS");
	unsetenv("HWLOC_XML_VERBOSE");
	unsetenv("HWLOC_SYNTHETIC_VERBOSE");
	unsetenv("HWLOC_XMLFILE");
	unsetenv("HWLOC_SYNTHETIC");
	return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_env.c - what is said about a host: each warning comes from a made-up tree that has just this
 * fault, and a clean tree gives none. And the CPU time that went idle or was stolen.
 */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cmocka.h>

#include "machine/native/env_read.h"
#include "tests/env_tree.h"

static void clean(void **state)
{
	struct utsname names;
	struct env env;

	(void)state;
	expect_none();
	env_look(&env, root, 4, 4);
	uname(&names);
	assert_string_equal(env.host, names.nodename);
	assert_memory_equal(env.kernel, names.release, strlen(names.release));
	assert_string_equal(env.cpu_model, "Example CPU @ 2.00GHz");
	assert_string_equal(env_find(&env, "governor")->value, "performance");
	assert_string_equal(env_find(&env, "smt")->value, "off");
}

/* A tree without any file: nothing is guessed. */
static void empty(void **state)
{
	struct env env;

	(void)state;
	env_look(&env, "/nonexistent", 4, 4);
	assert_int_equal(env.warnings, 0);
	assert_string_equal(env.cpu_model, "");
	for (unsigned int i = 0; i < env.findings; i++)
		assert_int_not_equal(env.finding[i].level, ENV_NOISE);
	assert_string_equal(env_find(&env, "governor")->value, "none");
	assert_string_equal(env_find(&env, "smt")->value, "not known");
}

static void governor(void **state)
{
	struct env env;

	(void)state;
	put(CPU "/cpufreq/policy1/scaling_governor", "schedutil\n");
	put(CPU "/cpufreq/policy2/scaling_governor", "performance\n");
	expect_one("governor is performance,schedutil,");
	env_look(&env, root, 4, 4);
	assert_string_equal(env_find(&env, "governor")->value, "performance,schedutil");
}

static void turbo(void **state)
{
	char path[PATH_MAX];

	(void)state;
	put(CPU "/intel_pstate/no_turbo", "0\n");
	expect_one("(echo 1 > " CPU "/intel_pstate/no_turbo)");
	snprintf(path, sizeof(path), "%s" CPU "/intel_pstate/no_turbo", root);
	assert_int_equal(unlink(path), 0);
	expect_one("(echo 0 > " CPU "/cpufreq/boost)");
	put(CPU "/cpufreq/boost", "0\n");
	expect_none();
}

static void smt(void **state)
{
	struct env env;

	(void)state;
	put(CPU "/smt/active", "1\n");
	expect_one("SMT is on");
	env_look(&env, root, 4, 4);
	assert_string_equal(env_find(&env, "smt")->value, "on");
}

static void load(void **state)
{
	(void)state;
	put("/proc/loadavg", "0.41 0.00 0.00 1/86 5371\n");
	expect_one("load average is 0.41 on 4 CPUs");
	put(CPU "/online", "0-4\n");
	expect_none();
	put(CPU "/online", "");
	expect_one("load average is 0.41 on 4 CPUs"); /* the usable ones */
}

static void virtual_machine(void **state)
{
	(void)state;
	put("/proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu hypervisor lahf_lm\n\n");
	expect_one("virtual machine");
	put("/proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu lahf_lm hypervisor\n\n");
	expect_one("virtual machine");
	put("/proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu\n\n");
	expect_none();
	put("/sys/hypervisor/type", "xen\n");
	expect_one("virtual machine");
}

static void more_tasks_than_cpus(void **state)
{
	struct env env;

	(void)state;
	env_look(&env, root, 5, 4);
	assert_int_equal(env.warnings, 1);
	assert_string_equal(env.warning[0], "5 tasks share 4 usable CPUs, so they measure the "
					    "scheduler too: use at most --tasks=4");
}

static void warn(void **state)
{
	struct env env = { 0 };
	char longer[300];

	(void)state;
	memset(longer, 'x', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	env_warn(&env, "%s", longer);
	assert_int_equal(strlen(env.warning[0]), sizeof(env.warning[0]) - 1);
	env_warn(&env, "two\nlines");
	assert_string_equal(env.warning[1], "two?lines");
	for (int i = 2; i < ENV_WARNINGS + 3; i++)
		env_warn(&env, "number %d", i);
	assert_int_equal(env.warnings, ENV_WARNINGS);
	assert_string_equal(env.warning[ENV_WARNINGS - 1], "number 31");
}

static void cpu_time_read(void **state)
{
	struct cpu_time time;

	(void)state;
	assert_int_equal(env_cpu_time_below(root, &time), 0);
	assert_int_equal(time.total, 1040); /* the guest fields are not counted twice */
	assert_int_equal(time.idle, 820);
	assert_int_equal(time.steal, 40);
	put("/proc/stat", "cpu  8589934592 0 0 8589934592 0 0 0 8589934592 0 0\n");
	assert_int_equal(env_cpu_time_below(root, &time), 0);
	assert_int_equal(time.total, 25769803776);
	put("/proc/stat", "intr 1 2 3 4 5 6 7 8\n");
	assert_int_equal(env_cpu_time_below(root, &time), -1);
	assert_int_equal(time.total, 0);
	assert_int_equal(env_cpu_time_below("/nonexistent", &time), -1);
	assert_int_equal(env_cpu_time(&time), 0); /* this host */
	assert_true(time.total > 0);
}

static void cpu_time_pct(void **state)
{
	static const struct {
		struct cpu_time from, to; /* idle, steal, total */
		double idle, steal;
	} cases[] = {
		{ { 820, 40, 1040 }, { 870, 65, 1140 }, 50, 25 },
		{ { 820, 40, 1040 }, { 820, 40, 1140 }, 0, 0 },
		{ { 820, 40, 1040 }, { 920, 40, 1140 }, 100, 0 },
		{ { 820, 40, 1040 }, { 810, 30, 1140 }, 0, 0 },	  /* ran backwards */
		{ { 820, 40, 1040 }, { 970, 40, 1140 }, 100, 0 }, /* another field did */
		{ { 820, 40, 1040 }, { 820, 40, 1040 }, -1, -1 }, /* no tick */
		{ { 820, 40, 1040 }, { 0, 0, 0 }, -1, -1 },	  /* a failed reading */
		{ { 0, 0, 0 }, { 820, 40, 1040 }, -1, -1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_true(env_idle_pct(&cases[i].from, &cases[i].to) == cases[i].idle);
		assert_true(env_steal_pct(&cases[i].from, &cases[i].to) == cases[i].steal);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_TREE(clean),
		IN_TREE(governor),
		IN_TREE(turbo),
		IN_TREE(smt),
		IN_TREE(load),
		IN_TREE(virtual_machine),
		IN_TREE(more_tasks_than_cpus),
		IN_TREE(cpu_time_read),
		cmocka_unit_test(empty),
		cmocka_unit_test(warn),
		cmocka_unit_test(cpu_time_pct),
	};

	return cmocka_run_group_tests_name("env", tests, NULL, NULL);
}

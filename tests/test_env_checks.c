// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_env_checks.c - each source of noise by itself: what is found in a made-up tree, how much it
 * matters, and that there is advice where it does.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "machine/native/env_read.h"
#include "tests/env_tree.h"

#define IDLE CPU "/cpu0/cpuidle"
#define HUGE_PAGES "/sys/kernel/mm/transparent_hugepage/enabled"
#define CLOCK "/sys/devices/system/clocksource/clocksource0/current_clocksource"

static void expect(const char *name, enum env_level level, const char *value, const char *advice)
{
	struct env_finding *finding;
	struct env env;

	env_look(&env, root, 4, 4);
	finding = env_find(&env, name);
	assert_non_null(finding);
	if (finding->level != level || strcmp(finding->value, value) != 0)
		fail_msg("%s: %s '%s' instead of %s '%s'", name, env_level_names[finding->level],
			 finding->value, env_level_names[level], value);
	if (!strstr(finding->advice, advice))
		fail_msg("%s: '%s' does not have '%s'", name, finding->advice, advice);
	assert_int_equal(level == ENV_FINE, finding->advice[0] == '\0');
	assert_in_range(strlen(finding->advice), 0, sizeof(finding->advice) - 2);
}

static void clock_source(void **state)
{
	(void)state;
	put(CLOCK, "tsc\n");
	expect("clock_source", ENV_FINE, "tsc", "");
	put(CLOCK, "hpet\n");
	expect("clock_source", ENV_NOISE, "hpet", "clocksource=tsc");
}

static void sleep_states(void **state)
{
	(void)state;
	expect("sleep_states", ENV_FINE, "none", "");
	put(IDLE "/state0/latency", "0\n");
	put(IDLE "/state0/name", "POLL\n");
	put(IDLE "/state1/latency", "2\n");
	put(IDLE "/state1/name", "C1\n");
	expect("sleep_states", ENV_FINE, "C1, 2 us", "");
	put(IDLE "/state2/latency", "133\n");
	put(IDLE "/state2/name", "C6\n");
	put(IDLE "/state2/disable", "0\n");
	expect("sleep_states", ENV_NOTE, "C6, 133 us", "cpupower idle-set");
	put(IDLE "/state2/disable", "1\n");
	expect("sleep_states", ENV_FINE, "C1, 2 us", "");
}

static void hypervisor(void **state)
{
	(void)state;
	expect("hypervisor", ENV_FINE, "none", "");
	put("/sys/hypervisor/type", "xen\n");
	expect("hypervisor", ENV_NOISE, "xen", "bare machine");
}

static void huge_pages(void **state)
{
	(void)state;
	put(HUGE_PAGES, "always [madvise] never\n");
	expect("huge_pages", ENV_FINE, "madvise", "");
	put(HUGE_PAGES, "[always] madvise never\n");
	expect("huge_pages", ENV_NOTE, "always", "echo madvise");
}

static void randomisation(void **state)
{
	(void)state;
	put("/proc/sys/kernel/randomize_va_space", "0\n");
	expect("address_randomisation", ENV_FINE, "0", "");
	put("/proc/sys/kernel/randomize_va_space", "2\n");
	expect("address_randomisation", ENV_NOTE, "2", "setarch -R");
}

static void isolated(void **state)
{
	(void)state;
	put(CPU "/isolated", "\n");
	expect("isolated_cpus", ENV_NOTE, "none", "isolcpus=");
	put(CPU "/isolated", "2-3\n");
	expect("isolated_cpus", ENV_NOTE, "2-3", "--cpus=2-3");
}

static void cpuset(void **state)
{
	(void)state;
	expect("cpuset", ENV_FINE, "4 of 4 CPUs", "");
	put(CPU "/online", "0-7\n");
	expect("cpuset", ENV_NOTE, "4 of 8 CPUs", "taskset");
}

static void irqbalance(void **state)
{
	(void)state;
	put("/proc/17/comm", "irqbalance-ui\n");
	put("/proc/self/comm", "irqbalance\n");
	expect("irqbalance", ENV_FINE, "not running", "");
	put("/proc/18/comm", "irqbalance\n");
	expect("irqbalance", ENV_NOTE, "running", "systemctl stop");
}

static void numa_balancing(void **state)
{
	(void)state;
	expect("numa_balancing", ENV_FINE, "not known", "");
	put("/proc/sys/kernel/numa_balancing", "0\n");
	expect("numa_balancing", ENV_FINE, "off", "");
	put("/proc/sys/kernel/numa_balancing", "1\n");
	expect("numa_balancing", ENV_NOISE, "on", "kernel.numa_balancing=0");
	expect_one("NUMA balancing");
}

static void steal(void **state)
{
	(void)state;
	expect("steal", ENV_NOTE, "3.85% since boot", "bare machine");
	put("/proc/stat", "cpu  1000 0 0 8999 0 0 0 1 0 0\n");
	expect("steal", ENV_FINE, "0.01% since boot", "");
}

static void overcommit(void **state)
{
	(void)state;
	expect("overcommit", ENV_FINE, "not known", "");
	put("/proc/sys/vm/overcommit_memory", "2\n");
	expect("overcommit", ENV_FINE, "never", "");
	put("/proc/sys/vm/overcommit_memory", "3\n");
	expect("overcommit", ENV_FINE, "not known", "");
}

/* Names are keys of header lines: each once, and nothing that would break one. */
static void names(void **state)
{
	struct env env;

	(void)state;
	put("/sys/hypervisor/type", "x\ty\n");
	env_look(&env, root, 4, 4);
	for (unsigned int i = 0; i < env.findings; i++) {
		assert_ptr_equal(env_find(&env, env.finding[i].name), &env.finding[i]);
		assert_int_equal(strspn(env.finding[i].name, "abcdefghijklmnopqrstuvwxyz_"),
				 strlen(env.finding[i].name));
		assert_true(env.finding[i].value[0] != '\0');
	}
	assert_string_equal(env_find(&env, "hypervisor")->value, "x?y");
	assert_null(env_find(&env, "nothing"));
}

static void counting(void **state)
{
	(void)state;
	assert_int_equal(env_count_cpus("0-3,8"), 5);
	assert_int_equal(env_count_cpus("7"), 1);
	assert_int_equal(env_count_cpus(""), 0);
	assert_int_equal(env_count_cpus("3-1"), 0);
	assert_int_equal(env_count_cpus("0,x"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_TREE(clock_source),
		IN_TREE(sleep_states),
		IN_TREE(hypervisor),
		IN_TREE(huge_pages),
		IN_TREE(randomisation),
		IN_TREE(isolated),
		IN_TREE(cpuset),
		IN_TREE(irqbalance),
		IN_TREE(numa_balancing),
		IN_TREE(steal),
		IN_TREE(overcommit),
		IN_TREE(names),
		cmocka_unit_test(counting),
	};

	return cmocka_run_group_tests_name("env_checks", tests, NULL, NULL);
}

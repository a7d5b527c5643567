// SPDX-License-Identifier: GPL-2.0-or-later
/* test_env_quota.c - a CPU quota on this process's cgroups or above is found, and no other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/env_tree.h"

static void quota_v2(void **state)
{
	(void)state;
	put("/sys/fs/cgroup/user/session/cpu.max", "150000 100000\n");
	expect_one("have used 1.50 CPUs: lift cpu.max in /sys/fs/cgroup/user/session,");
	put("/sys/fs/cgroup/user/cpu.max", "50000 100000\n"); /* a parent, and tighter */
	expect_one("have used 0.50 CPUs: lift cpu.max in /sys/fs/cgroup/user,");
	put("/sys/fs/cgroup/cpu.max", "25000 100000\n"); /* a namespace's own root */
	expect_one("have used 0.25 CPUs: lift cpu.max in /sys/fs/cgroup,");
}

static void quota_v1(void **state)
{
	(void)state;
	put("/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", "200000\n");
	expect_one("2.00 CPUs: lift cpu.cfs_quota_us in /sys/fs/cgroup/cpu,cpuacct/a,");
	put("/sys/fs/cgroup/cpu,cpuacct/a/b/cpu.cfs_quota_us", "30000\n");
	put("/sys/fs/cgroup/cpu,cpuacct/a/b/cpu.cfs_period_us", "20000\n");
	expect_one("1.50 CPUs: lift cpu.cfs_quota_us in /sys/fs/cgroup/cpu,cpuacct/a/b,");
}

/* In a container the path may begin above what is mounted, or lie outside the namespace. */
static void quota_in_container(void **state)
{
	(void)state;
	put("/proc/self/mountinfo",
	    "30 22 0:27 /docker/7f /sys/fs/cgroup ro - cgroup2 cgroup rw\n");
	put("/proc/self/cgroup", "0::/docker/7f/user/session\n");
	put("/sys/fs/cgroup/user/cpu.max", "50000 100000\n");
	expect_one("lift cpu.max in /sys/fs/cgroup/user,");
	put("/proc/self/cgroup", "0::/docker/7fe/user\n"); /* a neighbour's */
	expect_none();
	put("/proc/self/cgroup", "0::/../../user\n");
	expect_none();
	put("/sys/fs/cgroup/cpu.max", "70000 100000\n");
	expect_one("have used 0.70 CPUs: lift cpu.max in /sys/fs/cgroup,");
	put("/proc/self/cgroup", "0::/docker/7fe/user\n");
	expect_one("have used 0.70 CPUs: lift cpu.max in /sys/fs/cgroup,");
	put("/proc/self/cgroup", "0::/docker/7f\n");
	expect_one("have used 0.70 CPUs");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_TREE(quota_v2),
		IN_TREE(quota_v1),
		IN_TREE(quota_in_container),
	};

	return cmocka_run_group_tests_name("env_quota", tests, NULL, NULL);
}

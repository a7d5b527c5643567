/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * env_tree.h - a made-up /proc and /sys for the tests of env.h, and what is said about it. To be
 * included after cmocka.h.
 */
#ifndef TESTS_ENV_TREE_H
#define TESTS_ENV_TREE_H

#include <errno.h>
#include <fts.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "machine/native/env.h"

#define CPU "/sys/devices/system/cpu"
#define V2_MOUNT \
	"30 22 0:27 / /sys/fs/cgroup rw,relatime shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
#define V1_MOUNT                                                            \
	"31 30 0:28 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n" \
	"32 30 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"

static char root[64];

/* Writes a file below the root, with all folders on the way. */
static inline void put(const char *path, const char *text)
{
	char whole[PATH_MAX];
	FILE *file;

	snprintf(whole, sizeof(whole), "%s%s", root, path);
	for (char *slash = strchr(whole + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(whole, 0700) != 0)
			assert_int_equal(errno, EEXIST);
		*slash = '/';
	}
	file = fopen(whole, "w");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static inline int remove_tree(void **state)
{
	char *roots[] = { root, NULL };
	FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	int result = 0;

	(void)state;
	if (!tree)
		return -1;
	/* Folders come twice; the first time they are not empty yet. */
	for (FTSENT *entry = fts_read(tree); entry; entry = fts_read(tree)) {
		if (entry->fts_info != FTS_D && remove(entry->fts_path) != 0)
			result = -1;
	}
	return fts_close(tree) == 0 ? result : -1;
}

/* A host of 4 CPUs with nothing to complain of, and files that are near a fault but have none. */
static inline int make_clean_tree(void **state)
{
	(void)state;
	snprintf(root, sizeof(root), "/tmp/test_env.XXXXXX");
	if (!mkdtemp(root))
		return -1;
	put("/proc/cpuinfo", "processor\t: 0\nmodel name\t: Example CPU @ 2.00GHz\n"
			     "flags\t\t: fpu nohypervisor vmx\n\n"
			     "processor\t: 1\nmodel name\t: Another\nflags\t\t: hypervisor\n\n");
	put("/proc/loadavg", "0.40 9.00 9.00 1/86 5371\n");
	put("/proc/stat", "cpu  100 10 50 800 20 5 15 40 7 3\ncpu0 1 2 3 4 5 6 7 8 9 10\n");
	put("/proc/self/mountinfo", "22 1 0:1 / / rw - ext4 /dev/vda rw\n" V1_MOUNT V2_MOUNT);
	put("/proc/self/cgroup", "5:cpuset:/other\n4:cpu,cpuacct:/a/b\n0::/user/session\n");
	put("/sys/fs/cgroup/user/cpu.max", "max 100000\n");
	put("/sys/fs/cgroup/user/session/cpu.max", "max 100000\n");
	put("/sys/fs/cgroup/user/session/below/cpu.max", "100 100000\n");
	put("/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", "-1\n");
	put("/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us", "100000\n");
	put("/sys/fs/cgroup/cpuset/other/cpu.cfs_quota_us", "5000\n");
	put(CPU "/online", "0-2,5\n");
	put(CPU "/smt/active", "0\n");
	put(CPU "/intel_pstate/no_turbo", "1\n");
	put(CPU "/cpufreq/boost", "1\n"); /* intel_pstate's switch decides */
	put(CPU "/cpufreq/policy0/scaling_governor", "performance\n");
	put(CPU "/cpufreq/policy1/scaling_governor", "performance\n");
	return 0;
}

static inline void expect_none(void)
{
	struct env env;

	env_look(&env, root, 4, 4);
	if (env.warnings)
		fail_msg("a warning out of place: %s", env.warning[0]);
}

/* Exactly one warning, with these words in it, and short enough to be whole. */
static inline void expect_one(const char *words)
{
	struct env env;

	env_look(&env, root, 4, 4);
	for (unsigned int i = 0; i < env.warnings; i++) {
		if (i > 0 || !strstr(env.warning[i], words))
			fail_msg("'%s' instead of '%s' alone", env.warning[i], words);
		assert_in_range(strlen(env.warning[i]), 1, sizeof(env.warning[i]) - 2);
	}
	if (env.warnings == 0)
		fail_msg("no warning of '%s'", words);
}

#define IN_TREE(test) cmocka_unit_test_setup_teardown(test, make_clean_tree, remove_tree)

#endif

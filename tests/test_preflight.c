// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_preflight.c - what a plan takes against what a made-up host has: each check by itself, at
 * its limit and one beyond.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "machine/native/native.h"
#include "machine/native/preflight.h"
#include "tests/env_tree.h"

#define MEM_V1                                                              \
	"33 30 0:30 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n" \
	"34 30 0:31 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n"
#define GIB (1ULL << 30)

static struct needs needs_of(enum need need, uint64_t value)
{
	struct needs needs = { .disk = NULL };

	needs.most[need] = value;
	needs.tasks[need] = 9;
	return needs;
}

static void expect_good(enum need need, uint64_t value)
{
	struct needs needs = needs_of(need, value);
	struct error error = { "" };

	if (preflight_check(root, &needs, &error) != 0)
		fail_msg("%llu: %s", (unsigned long long)value, error.text);
}

static void expect_short(enum need need, uint64_t value, const char *words)
{
	struct needs needs = needs_of(need, value);
	struct error error = { "" };

	assert_int_equal(preflight_check(root, &needs, &error), -1);
	if (!strstr(error.text, words))
		fail_msg("'%s' does not have '%s'", error.text, words);
}

static void memory(void **state)
{
	(void)state;
	expect_good(NEED_MEMORY, 1ULL << 60); /* the host does not tell */
	put("/proc/meminfo", "MemTotal: 9999999 kB\nMemAvailable:    1048576 kB\n");
	expect_good(NEED_MEMORY, GIB);
	expect_short(NEED_MEMORY, GIB + GIB / 2,
		     "9 tasks need 1.5 GiB of memory, and 1.0 GiB are left: give fewer --tasks");
}

static void cgroup_memory(void **state)
{
	(void)state;
	put("/sys/fs/cgroup/user/session/memory.max", "max\n");
	put("/sys/fs/cgroup/user/session/memory.current", "4096\n");
	expect_good(NEED_MEMORY, 1ULL << 60);
	put("/sys/fs/cgroup/user/memory.max", "1073741824\n"); /* the parent's */
	put("/sys/fs/cgroup/user/memory.current", "805306368\n");
	put("/sys/fs/cgroup/user/memory.stat", "anon 5\ninactive_file 268435456\n");
	expect_good(NEED_MEMORY, GIB / 2);
	expect_short(NEED_MEMORY, GIB / 2 + 1,
		     "512.0 MiB are left: raise the cgroup's limit in "
		     "/sys/fs/cgroup/user,");
}

static void cgroups_v1(void **state)
{
	(void)state;
	put("/proc/self/mountinfo", MEM_V1);
	put("/proc/self/cgroup", "8:pids:/a\n4:memory:/a\n");
	put("/sys/fs/cgroup/memory/a/memory.limit_in_bytes", "9223372036854771712\n");
	put("/sys/fs/cgroup/memory/a/memory.usage_in_bytes", "4096\n");
	expect_good(NEED_MEMORY, 1ULL << 60);
	put("/sys/fs/cgroup/memory/a/memory.limit_in_bytes", "1073741824\n");
	expect_short(NEED_MEMORY, GIB, "/sys/fs/cgroup/memory/a");
	put("/sys/fs/cgroup/pids/a/pids.max", "10\n");
	put("/sys/fs/cgroup/pids/a/pids.current", "3\n");
	expect_good(NEED_PROCESSES, 7);
	expect_short(NEED_PROCESSES, 8,
		     "9 tasks need 8 processes of the cgroup, and 7 are left: raise pids.max in "
		     "/sys/fs/cgroup/pids/a");
}

static void kernel_threads(void **state)
{
	(void)state;
	put("/proc/sys/kernel/threads-max", "100\n"); /* 86 are there */
	put("/proc/sys/kernel/pid_max", "32768\n");
	expect_good(NEED_PROCESSES, 14);
	expect_short(NEED_PROCESSES, 15, "14 are left: raise kernel.threads-max");
	put("/proc/sys/kernel/pid_max", "90\n");
	put("/proc/sys/kernel/threads-max", "32768\n");
	expect_short(NEED_PROCESSES, 5, "kernel.pid_max");
}

/* With the soft limit of this process set for a while. */
static void with_limit(int resource, rlim_t value, enum need need, uint64_t least,
		       const char *words)
{
	struct rlimit before, limit;

	assert_int_equal(getrlimit(resource, &before), 0);
	limit = before;
	limit.rlim_cur = value;
	assert_int_equal(setrlimit(resource, &limit), 0);
	expect_good(need, least);
	expect_short(need, least + 1, words);
	assert_int_equal(setrlimit(resource, &before), 0);
}

static void limits(void **state)
{
	(void)state;
	with_limit(RLIMIT_NOFILE, 64, NEED_FILES, 64, "RLIMIT_NOFILE), and 64 are left");
#ifndef __SANITIZE_ADDRESS__
	put("/proc/self/status", "VmSize:\t  8388608 kB\n");
	with_limit(RLIMIT_AS, 9 * GIB, NEED_ADDRESSES, GIB, "RLIMIT_AS), and 1.0 GiB are left");
#endif
}

static void space(void **state)
{
	struct needs needs = needs_of(NEED_DISK, 1ULL << 60);
	struct error error;

	(void)state;
	assert_int_equal(preflight_check(root, &needs, &error), 0); /* nothing is written */
	needs.disk = "/tmp";
	assert_int_equal(preflight_check(root, &needs, &error), -1);
	assert_non_null(strstr(error.text, "1048576.0 TiB of space in /tmp"));
	needs.disk = "/proc";
	assert_int_equal(preflight_check(root, &needs, &error), 0); /* no disk */
	needs.disk = "/tmp";
	needs.most[NEED_DISK] = 1;
	assert_int_equal(preflight_check(root, &needs, &error), 0);
	put("/dev/shm/a", "");
	expect_short(NEED_SHM, 1ULL << 60, "/dev/shm, and");
	expect_good(NEED_SHM, 1);
}

static void sums(void **state)
{
	struct m_setup setup = {
		.tasks = 10, .readers = 2, .slots = 16, .mode = M_PROCESS, .block_bytes = 4096
	};
	struct task_needs task = { .mapped_bytes = 1 << 20, .touched_bytes = 1 << 19, .files = 3 };
	size_t arena = native_arena_bytes(&setup);
	struct needs processes = { .disk = NULL }, threads = { .disk = NULL };

	(void)state;
	assert_true(arena >= 19 * 8192);
	preflight_add(&processes, &setup, &task);
	setup.mode = M_THREAD;
	preflight_add(&threads, &setup, &task);
	assert_int_equal(processes.most[NEED_PROCESSES], 12);
	assert_int_equal(threads.most[NEED_PROCESSES], 13); /* and the child they are in */
	assert_int_equal(processes.most[NEED_ADDRESSES], arena + (1 << 20));
	assert_int_equal(threads.most[NEED_ADDRESSES],
			 arena + 12 * ((1 << 20) + NATIVE_STACK_BYTES));
	assert_int_equal(threads.most[NEED_FILES] - processes.most[NEED_FILES], 11 * 3);
	assert_true(processes.most[NEED_MEMORY] >= arena + 12 * (1 << 19));
	/* What a fork adds is more than nothing, and counted for each. */
	assert_true(native_forked_bytes() > 4096);
	assert_int_equal(processes.most[NEED_COMMIT],
			 arena + 12 * ((1 << 20) + native_forked_bytes()));
	/* A smaller point changes nothing. */
	setup.tasks = 1;
	preflight_add(&threads, &setup, &task);
	assert_int_equal(threads.most[NEED_PROCESSES], 13);
	assert_int_equal(threads.tasks[NEED_PROCESSES], 10);
}

static int commit(uint64_t bytes, int64_t ratio, struct error *error)
{
	struct needs needs = needs_of(NEED_COMMIT, bytes);

	needs.most[NEED_ADDRESSES] = 32 * GIB; /* keeps a 32nd, but no more than the reserve */
	return preflight_check_commit(root, &needs, ratio, error);
}

static void committed(void **state)
{
	struct error error;

	(void)state;
	assert_int_equal(commit(1, -1, &error), -1); /* not known: not set either */
	put("/proc/meminfo", "MemTotal: 8388608 kB\nCommitLimit: 5242880 kB\n"
			     "Committed_AS: 1048576 kB\nSwapTotal: 1048576 kB\n"
			     "HugePages_Total: 1024\nHugepagesize: 2048 kB\n");
	put("/proc/sys/vm/user_reserve_kbytes", "131072\n");
	assert_int_equal(commit(4 * GIB - (128 << 20), -1, &error), 0);
	assert_int_equal(commit(4 * GIB - (128 << 20) + 1024, -1, &error), -1);
	assert_non_null(strstr(error.text, "9 tasks need 3.9 GiB of memory to commit under NEVER"));
	assert_non_null(strstr(error.text, "3.9 GiB are left: raise --kernel-overcommit-ratio"));
	/* (8 - 2 of huge pages) * 100 % + 1 of swap - 1 that is committed - the reserve */
	assert_int_equal(commit(6 * GIB - (128 << 20), 100, &error), 0);
	assert_int_equal(commit(6 * GIB - (128 << 20) + 1024, 100, &error), -1);
	assert_int_equal(commit(1024, 0, &error), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_TREE(memory),	 IN_TREE(cgroup_memory), IN_TREE(cgroups_v1),
		IN_TREE(kernel_threads), IN_TREE(limits),	 IN_TREE(space),
		IN_TREE(sums),		 IN_TREE(committed),
	};

	return cmocka_run_group_tests_name("preflight", tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* preflight_limits.c - the limits on processes, addresses and files. */
#include <inttypes.h>
#include <sys/resource.h>
#include <unistd.h>

#include "machine/native/env_read.h"
#include "machine/native/preflight_parts.h"

static void look_at_pids(const char *folder, bool v2, void *arg)
{
	struct preflight_tightest *tightest = arg;
	uint64_t limit = preflight_limit(tightest->root, folder, "pids.max");
	uint64_t used = preflight_limit(tightest->root, folder, "pids.current");

	(void)v2;
	if (limit != PREFLIGHT_UNLIMITED && used != PREFLIGHT_UNLIMITED)
		preflight_keep(tightest, preflight_left(limit, used), folder);
}

static int check_cgroup_pids(const char *root, const struct needs *needs, struct error *error)
{
	struct preflight_tightest tightest = { .root = root, .left = PREFLIGHT_UNLIMITED };
	char hint[220];

	env_cgroups(root, "pids", look_at_pids, &tightest);
	if (needs->most[NEED_PROCESSES] <= tightest.left)
		return 0;
	snprintf(hint, sizeof(hint), "raise pids.max in %s, or give fewer --tasks",
		 tightest.folder);
	return preflight_too_few(needs, NEED_PROCESSES, "processes of the cgroup", tightest.left,
				 hint, error);
}

struct threads {
	const char *root;
	uint64_t count;
};

static void count_threads(const char *pid, void *arg)
{
	struct threads *all = arg;
	uint64_t uid, threads;

	if (preflight_field(env_open(all->root, "/proc/%s/status", pid), "Uid", &uid) &&
	    uid == getuid() &&
	    preflight_field(env_open(all->root, "/proc/%s/status", pid), "Threads", &threads))
		all->count += threads;
}

/* Threads that belong to this user, in all processes. */
static uint64_t own_threads(const char *root)
{
	struct threads all = { .root = root };

	env_processes(root, count_threads, &all);
	return all.count;
}

/* The kernel does not hold root to it. */
static int check_nproc(const char *root, const struct needs *needs, struct error *error)
{
	struct rlimit limit;
	uint64_t left;

	if (getuid() == 0 || getrlimit(RLIMIT_NPROC, &limit) != 0 ||
	    limit.rlim_cur == RLIM_INFINITY)
		return 0;
	left = preflight_left(limit.rlim_cur, own_threads(root));
	if (needs->most[NEED_PROCESSES] <= left)
		return 0;
	return preflight_too_few(needs, NEED_PROCESSES, "processes (RLIMIT_NPROC)", left,
				 "raise it (ulimit -u), or give fewer --tasks", error);
}

/* What the kernel as a whole may have: /proc/loadavg tells how many there are, as 2/91. */
static int check_threads(const char *root, const struct needs *needs, struct error *error)
{
	static const char *const files[] = { "threads-max", "pid_max" };
	uint64_t used = 0;
	char line[96];

	if (!env_line(env_open(root, "/proc/loadavg"), line, sizeof(line)) ||
	    sscanf(line, "%*s %*s %*s %*u/%" SCNu64, &used) != 1)
		return 0;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		uint64_t left =
			preflight_left(preflight_limit(root, "/proc/sys/kernel", files[i]), used);
		char hint[80];

		if (needs->most[NEED_PROCESSES] <= left)
			continue;
		snprintf(hint, sizeof(hint), "raise kernel.%s, or give fewer --tasks", files[i]);
		return preflight_too_few(needs, NEED_PROCESSES, "processes", left, hint, error);
	}
	return 0;
}

static int check_addresses(const char *root, const struct needs *needs, struct error *error)
{
	struct rlimit limit;
	uint64_t kib, left;

	if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
	    !preflight_field(env_open(root, "/proc/self/status"), "VmSize", &kib))
		return 0;
	left = preflight_left(limit.rlim_cur, kib << 10);
	if (needs->most[NEED_ADDRESSES] <= left)
		return 0;
	return preflight_short(needs, NEED_ADDRESSES, "addresses in one process (RLIMIT_AS)", left,
			       "raise it (ulimit -v), or give fewer --tasks or a smaller --size",
			       error);
}

static int check_files(const char *root, const struct needs *needs, struct error *error)
{
	struct rlimit limit;

	(void)root;
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
	    needs->most[NEED_FILES] <= limit.rlim_cur)
		return 0;
	return preflight_too_few(needs, NEED_FILES, "open files in one process (RLIMIT_NOFILE)",
				 limit.rlim_cur, "raise it (ulimit -n), or give fewer --tasks",
				 error);
}

const preflight_fn preflight_limits[] = {
	check_nproc, check_cgroup_pids, check_threads, check_addresses, check_files, NULL,
};

// SPDX-License-Identifier: GPL-2.0-or-later
/* preflight.c - whether this host has what a plan's largest points take. */
#include "machine/native/preflight.h"

#include <limits.h>
#include <stdio.h>
#include <sys/statvfs.h>

#include "machine/native/env_read.h"
#include "machine/native/native.h"
#include "machine/native/preflight_parts.h"

/* Stacks, page tables and the like, of a thousand tasks on Linux 6.18: 165 and 58 KiB each. */
#define PROCESS_BYTES (192 << 10)
#define THREAD_BYTES (64 << 10)
#define FEW_FILES 16 /* that the runner opens by and by */

static void raise_need(struct needs *needs, enum need need, uint64_t value, unsigned int tasks)
{
	if (value <= needs->most[need])
		return;
	needs->most[need] = value;
	needs->tasks[need] = tasks;
}

void preflight_add(struct needs *needs, const struct m_setup *setup, const struct task_needs *task)
{
	uint64_t workers = (uint64_t)setup->tasks + setup->readers;
	uint64_t arena = native_arena_bytes(setup);
	bool threads = setup->mode == M_THREAD;
	uint64_t own = threads ? NATIVE_STACK_BYTES : native_forked_bytes();
	uint64_t in_one = threads ? workers : 1; /* tasks in one address space */

	raise_need(needs, NEED_MEMORY,
		   arena + workers *
				   ((threads ? THREAD_BYTES : PROCESS_BYTES) + task->touched_bytes),
		   setup->tasks);
	raise_need(needs, NEED_ADDRESSES,
		   arena + in_one * ((threads ? own : 0) + task->mapped_bytes), setup->tasks);
	raise_need(needs, NEED_PROCESSES, workers + threads, setup->tasks);
	raise_need(needs, NEED_FILES, FEW_FILES + in_one * task->files, setup->tasks);
	raise_need(needs, NEED_SHM, workers * task->shm_bytes, setup->tasks);
	raise_need(needs, NEED_DISK, workers * task->disk_bytes, setup->tasks);
	raise_need(needs, NEED_COMMIT, arena + workers * (own + task->mapped_bytes), setup->tasks);
}

static int check_memory(const char *root, const struct needs *needs, struct error *error)
{
	uint64_t kib;

	if (!preflight_field(env_open(root, "/proc/meminfo"), "MemAvailable", &kib) ||
	    needs->most[NEED_MEMORY] <= kib << 10)
		return 0;
	return preflight_short(needs, NEED_MEMORY, "memory", kib << 10,
			       "give fewer --tasks or a smaller --size", error);
}

/* What is in the page cache and was not used of late is given up for the asking. */
static void look_at_memory(const char *folder, bool v2, void *arg)
{
	struct preflight_tightest *tightest = arg;
	uint64_t cached = 0;
	uint64_t limit = preflight_limit(tightest->root, folder,
					 v2 ? "memory.max" : "memory.limit_in_bytes");
	uint64_t used = preflight_limit(tightest->root, folder,
					v2 ? "memory.current" : "memory.usage_in_bytes");

	if (limit == PREFLIGHT_UNLIMITED || used == PREFLIGHT_UNLIMITED)
		return;
	preflight_field(env_open(tightest->root, "%s/memory.stat", folder),
			v2 ? "inactive_file" : "total_inactive_file", &cached);
	preflight_keep(tightest, preflight_left(limit, used > cached ? used - cached : 0), folder);
}

static int check_cgroup_memory(const char *root, const struct needs *needs, struct error *error)
{
	struct preflight_tightest tightest = { .root = root, .left = PREFLIGHT_UNLIMITED };
	char hint[220];

	env_cgroups(root, "memory", look_at_memory, &tightest);
	if (needs->most[NEED_MEMORY] <= tightest.left)
		return 0;
	snprintf(hint, sizeof(hint), "raise the cgroup's limit in %s, or give fewer --tasks",
		 tightest.folder);
	return preflight_short(needs, NEED_MEMORY, "memory", tightest.left, hint, error);
}

static int check_space(const char *folder, const struct needs *needs, enum need need,
		       struct error *error)
{
	struct statvfs fs;
	char what[200], hint[80];
	uint64_t left;

	/* One without blocks is no disk, as /proc: writing there fails for another reason. */
	if (needs->most[need] == 0 || statvfs(folder, &fs) != 0 || fs.f_blocks == 0)
		return 0;
	left = (uint64_t)fs.f_bavail * fs.f_frsize;
	if (needs->most[need] <= left)
		return 0;
	snprintf(what, sizeof(what), "space in %.120s", folder);
	snprintf(hint, sizeof(hint), "make room there, or give fewer --tasks");
	return preflight_short(needs, need, what, left, hint, error);
}

static int check_shm(const char *root, const struct needs *needs, struct error *error)
{
	char folder[PATH_MAX];

	snprintf(folder, sizeof(folder), "%s/dev/shm", root);
	return check_space(folder, needs, NEED_SHM, error);
}

static int check_disk(const char *root, const struct needs *needs, struct error *error)
{
	(void)root;
	return needs->disk ? check_space(needs->disk, needs, NEED_DISK, error) : 0;
}

int preflight_run(const preflight_fn *check, const char *root, const struct needs *needs,
		  struct error *error)
{
	for (; *check; check++)
		if ((*check)(root, needs, error) != 0)
			return -1;
	return 0;
}

int preflight_check(const char *root, const struct needs *needs, struct error *error)
{
	static const preflight_fn checks[] = {
		check_memory, check_cgroup_memory, check_shm, check_disk, NULL,
	};

	return preflight_run(checks, root, needs, error) ||
			       preflight_run(preflight_limits, root, needs, error)
		       ? -1
		       : 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * preflight_commit.c - whether the kernel's policy NEVER would admit a run. To be asked before it
 * is set: under too low a limit every program of the host gets no memory, not just this one.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "machine/native/env_read.h"
#include "machine/native/native.h"
#include "machine/native/preflight_parts.h"

/* An area counts when the kernel has marked it "ac"; a shared one counts once, with its file. */
size_t native_forked_bytes(void)
{
	static size_t bytes;
	FILE *maps = bytes ? NULL : env_open("", "/proc/self/smaps");
	unsigned long long kib = 0;
	char *line = NULL;
	size_t size = 0;

	while (maps && getline(&line, &size, maps) > 0) {
		line[strcspn(line, "\n")] = '\0';
		sscanf(line, "Size: %llu kB", &kib);
		if (strncmp(line, "VmFlags:", 8) == 0 && env_has_word(line, ' ', "ac") &&
		    !env_has_word(line, ' ', "sh"))
			bytes += kib << 10;
	}
	free(line);
	if (maps)
		fclose(maps);
	return bytes;
}

/* Pages that may be committed under NEVER, by the kernel's rule, less what is kept for users. */
int preflight_check_commit(const char *root, const struct needs *needs, int64_t ratio_pct,
			   struct error *error)
{
	uint64_t total = 0, huge = 0, huge_kib = 0, swap = 0, committed = 0, limit = 0;
	uint64_t reserve = preflight_limit(root, "/proc/sys/vm", "user_reserve_kbytes");

	if (!preflight_field(env_open(root, "/proc/meminfo"), "CommitLimit", &limit) ||
	    !preflight_field(env_open(root, "/proc/meminfo"), "Committed_AS", &committed))
		return error_set(error, "/proc/meminfo does not tell CommitLimit and Committed_AS");
	if (ratio_pct >= 0) {
		preflight_field(env_open(root, "/proc/meminfo"), "MemTotal", &total);
		preflight_field(env_open(root, "/proc/meminfo"), "HugePages_Total", &huge);
		preflight_field(env_open(root, "/proc/meminfo"), "Hugepagesize", &huge_kib);
		preflight_field(env_open(root, "/proc/meminfo"), "SwapTotal", &swap);
		limit = (total - huge * huge_kib) * (uint64_t)ratio_pct / 100 + swap;
	}
	/* A process keeps a 32nd of its size from itself, at most the reserve. */
	if (reserve == PREFLIGHT_UNLIMITED || reserve > needs->most[NEED_ADDRESSES] / 32 / 1024)
		reserve = needs->most[NEED_ADDRESSES] / 32 / 1024;
	committed += reserve;
	if (needs->most[NEED_COMMIT] <= preflight_left(limit, committed) << 10)
		return 0;
	return preflight_short(
		needs, NEED_COMMIT, "memory to commit under NEVER (CommitLimit less Committed_AS)",
		preflight_left(limit, committed) << 10,
		"raise --kernel-overcommit-ratio, or give fewer --tasks or a smaller --size",
		error);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * preflight.h - whether this host has what a plan's largest points take, looked at before the first
 * begins: a plan that cannot end well should not begin.
 */
#ifndef MACHINE_NATIVE_PREFLIGHT_H
#define MACHINE_NATIVE_PREFLIGHT_H

#include <stdint.h>

#include "machine/run.h"

enum need {
	NEED_MEMORY,	/* bytes that are touched */
	NEED_ADDRESSES, /* bytes that one process maps beside what the runner has mapped */
	NEED_PROCESSES, /* processes or threads */
	NEED_FILES,	/* descriptors that one process opens beside the runner's */
	NEED_SHM,	/* bytes below /dev/shm */
	NEED_DISK,	/* bytes where `disk` is */
	NEED_COMMIT,	/* bytes that the kernel's accounting is charged with under NEVER */
	NEEDS,
};

struct needs {
	uint64_t most[NEEDS];	   /* of any point */
	unsigned int tasks[NEEDS]; /* how many tasks that point has */
	const char *disk;	   /* the folder that rows go to; NULL: none */
};

/* What one task takes of the host by what it does, beside being there. */
struct task_needs {
	uint64_t mapped_bytes;	/* at any one time */
	uint64_t touched_bytes; /* of them, or of files in memory */
	uint64_t shm_bytes, disk_bytes;
	unsigned int files;
};

/* Raises `needs` to those of a point that is set up like this. */
void preflight_add(struct needs *needs, const struct m_setup *setup, const struct task_needs *task);

/* -1 with the error set, need and number had, when something is short. `root` as in env.h. */
int preflight_check(const char *root, const struct needs *needs, struct error *error);

/*
 * The same for what NEVER would admit with that overcommit ratio (percent; negative: as it is).
 * Apart, since it is asked only where NEVER will be in force.
 */
int preflight_check_commit(const char *root, const struct needs *needs, int64_t ratio_pct,
			   struct error *error);

/* "12.5 GiB" for the lines that these write. */
const char *preflight_bytes(uint64_t bytes, char *text, size_t size);

#endif

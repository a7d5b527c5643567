// SPDX-License-Identifier: GPL-2.0-or-later
/* needs.c - what a plan's largest points take of the host. */
#include "runner/needs.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runner/prepare.h"
#include "runner/row.h"

#define HEADER_BYTES 8192

/* NULL for what is no file on a disk: standard output, a device, a pipe. */
static const char *folder_of_rows(const struct config *config, char *folder)
{
	const char *slash = config->output ? strrchr(config->output, '/') : NULL;
	struct stat there;

	if (!config->output)
		return access("results", F_OK) == 0 ? "results" : ".";
	if (strcmp(config->output, "-") == 0 ||
	    (stat(config->output, &there) == 0 && !S_ISREG(there.st_mode)))
		return NULL;
	if (!slash)
		return ".";
	snprintf(folder, NEEDS_FOLDER, "%.*s",
		 slash == config->output ? 1 : (int)(slash - config->output), config->output);
	return folder;
}

static struct task_needs needs_of_task(const struct testcase_info *info, int64_t size)
{
	return (struct task_needs){
		.mapped_bytes = info->maps_nothing ? 0 : (uint64_t)size,
		.shm_bytes = (uint64_t)info->shm_bytes,
		.touched_bytes = info->touches_size ? (uint64_t)size : 0,
		.disk_bytes = (uint64_t)info->disk_bytes,
		.files = info->files,
	};
}

struct needs needs_of_plan(const struct plan *plan, const struct config *config, char *folder)
{
	struct needs needs = { .disk = folder_of_rows(config, folder) };

	for (size_t i = 0; i < plan->count; i++) {
		const struct point *point = &plan->points[i];
		struct kind_args args = plan_kind_args(config, point);
		struct task_needs task = needs_of_task(point->cell->info, args.size);
		struct m_setup setup = prepare_setup(config, point, &args);

		if (!point->skip)
			preflight_add(&needs, &setup, &task);
	}
	/* Rows are added to what tasks write, whichever point has most of it. */
	needs.most[NEED_DISK] += HEADER_BYTES + plan->count * ROW_VALUE;
	return needs;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * load.c - running a built testcase: it is loaded by the host alone, so that one process has no
 * more memory areas than will-it-scale's own program would, and counts in the task's own word.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "machine/native/host.h"
#include "runner/wis/abi.h"
#include "runner/wis/parts.h"

static struct wis_unit *unit; /* in the host and its tasks */

static const struct wis_hooks hooks = { .new_task = native_new_task, .fail = native_host_fail };

static void *load(const struct wis_file *file, struct wis_unit **found, struct error *error)
{
	void *handle = dlopen(file->library, RTLD_NOW | RTLD_LOCAL);

	*found = handle ? dlsym(handle, WIS_SYMBOL) : NULL;
	if (!*found)
		error_set(error, "%s cannot be loaded: %s", file->library, dlerror());
	else if ((*found)->abi != WIS_ABI)
		error_set(error, "%s was built for another version: build it anew", file->library);
	else
		return handle;
	if (handle)
		dlclose(handle);
	return NULL;
}

int wis_describe(struct wis_file *file, struct error *error)
{
	struct wis_unit *found;
	void *handle = load(file, &found, error);

	if (!handle)
		return -1;
	file->about = strdup(found->description ? found->description : file->name);
	dlclose(handle);
	if (!file->about)
		return error_set(error, "no memory");
	file->info.about = file->about;
	return 0;
}

static int guard_open(struct m_run *run, struct error *error)
{
	(void)run;
	return wis_dir_make(error);
}

static void guard_close(struct m_run *run)
{
	(void)run;
	wis_dir_remove();
}

static int host_prepare(struct m_run *run, struct error *error)
{
	if (wis_dir_enter(error) != 0 || !load(run->hosted, &unit, error))
		return -1;
	unit->hooks = &hooks;
	if (unit->prepare)
		unit->prepare(run->setup.tasks, 0);
	return 0;
}

static void host_cleanup(struct m_run *run)
{
	(void)run;
	if (unit->cleanup)
		unit->cleanup();
}

const struct m_host wis_host = {
	.open = guard_open,
	.close = guard_close,
	.prepare = host_prepare,
	.cleanup = host_cleanup,
};

void wis_body(struct task *task)
{
	unit->testcase((unsigned long long *)&task->ops, task->slot);
	native_host_fail("testcase() returned: its loop must not end");
}

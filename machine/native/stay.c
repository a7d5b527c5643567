// SPDX-License-Identifier: GPL-2.0-or-later
/* stay.c - whether tasks are still where they were placed. */
#include "machine/native/stay.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "machine/native/env_read.h"
#include "machine/native/native.h"
#include "machine/topology.h"

bool native_is_online(const char *root, int pu)
{
	char line[4096];
	const char *list = line;
	int first, last;

	if (!env_line(env_open(root, "/sys/devices/system/cpu/online"), line, sizeof(line)))
		return true;
	while (list) {
		int ends = sscanf(list, "%d-%d", &first, &last);

		if (ends < 1)
			return true;
		if (pu == first || (ends == 2 && first < pu && pu <= last))
			return true;
		list = strchr(list, ',');
		list = list ? list + 1 : NULL;
	}
	return false;
}

/* A task that has ended is where it was; os_id is set before it is ready. */
static bool is_bound(const struct task *task)
{
	unsigned long bits[TOPOLOGY_PU_MAX / (8 * sizeof(long))] = { 0 };
	cpu_set_t *set = (cpu_set_t *)bits;

	if (sched_getaffinity(task->os_id, sizeof(bits), set) != 0)
		return true;
	return CPU_COUNT_S(sizeof(bits), set) == 1 &&
	       CPU_ISSET_S((size_t)task->place.pu, sizeof(bits), set);
}

int native_check_places(const struct m_run *run, const char *root, struct error *error)
{
	for (unsigned int worker = 0; worker < native_workers(run); worker++) {
		const struct task *task = m_task_of(run, native_slot(run, worker));
		int pu = task->place.pu;

		if (pu < 0 || task->os_id == 0)
			continue;
		if (!native_is_online(root, pu))
			return error_set(error, "CPU %d went offline while task %u ran on it", pu,
					 task->slot);
		if (!is_bound(task))
			return error_set(
				error,
				"task %u is no longer bound to CPU %d: the CPU went "
				"offline for a while, its cpuset lost it, or somebody moved "
				"the task",
				task->slot, pu);
	}
	return 0;
}

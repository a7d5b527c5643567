// SPDX-License-Identifier: GPL-2.0-or-later
/* options_host.c - the machine that is counted for, the running kernel's knobs, profiling. */
#include "runner/options_host.h"

#include <string.h>

#include "counters/overcommit.h"
#include "runner/options.h"
#include "runner/units.h"

int set_memory(struct config *config, const char *arg, struct error *error)
{
	config->memory_given = true;
	if (units_size(arg, &config->memory_bytes, error) != 0)
		return -1;
	if (config->memory_bytes < 1 << 20 || config->memory_bytes > INT64_MAX / PAGE_BYTES)
		return error_set(error, "must be from 1M to 2048T");
	return 0;
}

int set_cpu_count(struct config *config, const char *arg, struct error *error)
{
	return units_count(arg, 1, TASKS_LIMIT, &config->cpu_count, error);
}

int set_nodes(struct config *config, const char *arg, struct error *error)
{
	config->nodes_given = true;
	return units_count(arg, 1, NODES_LIMIT, &config->nodes, error);
}

/* Each value once: a second point of the same would be a repeat without a number. */
static int set_knob(struct config *config, enum knob_id id, const char *arg, struct error *error)
{
	struct list *list = &config->knobs[id];
	int64_t value;

	if (list_parse(list, arg, error) != 0)
		return -1;
	for (unsigned int i = 0; i < list->count; i++) {
		if (knob_parse(id, list->item[i], &value, error) != 0)
			return -1;
		for (unsigned int j = 0; j < i; j++)
			if (strcmp(list->item[i], list->item[j]) == 0)
				return error_set(error, "'%s' is in the list twice", list->item[i]);
	}
	return 0;
}

int set_kernel_policy(struct config *config, const char *arg, struct error *error)
{
	return set_knob(config, KNOB_POLICY, arg, error);
}

int set_kernel_ratio(struct config *config, const char *arg, struct error *error)
{
	return set_knob(config, KNOB_RATIO, arg, error);
}

int set_kernel_numa_stat(struct config *config, const char *arg, struct error *error)
{
	return set_knob(config, KNOB_NUMA_STAT, arg, error);
}

int set_profile(struct config *config, const char *arg, struct error *error)
{
	(void)arg, (void)error;
	config->take_profile = true;
	return 0;
}

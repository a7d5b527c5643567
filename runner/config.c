// SPDX-License-Identifier: GPL-2.0-or-later
/* config.c - defaults, and what follows from the machine that was asked for. */
#include "runner/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counters/overcommit.h"
#include "machine/run.h"
#include "runner/options.h"
#include "runner/units.h"

#define SECOND_NS 1000000000ULL

const char *const format_names[FORMATS + 1] = { "csv", "json", "will-it-scale", NULL };

static void keep_command(struct config *config, char **argv)
{
	size_t used = 0;

	for (; *argv && used < sizeof(config->command); argv++)
		used += (size_t)snprintf(config->command + used, sizeof(config->command) - used,
					 "%s%s", used ? " " : "", *argv);
	for (char *c = config->command; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 127)
			*c = '?';
}

void config_init(struct config *config, char **argv)
{
	*config = (struct config){
		.modes = M_PROCESS,
		.machine = "native",
		.placement = PLACEMENT_CORE,
		.duration_ns = 5 * SECOND_NS,
		.warmup_auto = true,
		.repeat = 1,
		.seed = 1,
	};
	keep_command(config, argv);
}

void config_free(struct config *config)
{
	list_free(&config->words);
	list_free(&config->counters);
	list_free(&config->batches);
	topology_close(&config->topology);
	free(config->tasks);
	free(config->settings.list);
	if (config->cpus)
		hwloc_bitmap_free(config->cpus);
}

/* Powers of two up to all, and all. */
static int default_tasks(struct config *config)
{
	unsigned int all = config->usable_cpus;

	config->tasks = malloc(sizeof(*config->tasks) * 34);
	if (!config->tasks)
		return -1;
	for (uint64_t tasks = 1; tasks < all; tasks *= 2)
		config->tasks[config->task_count++] = (unsigned int)tasks;
	config->tasks[config->task_count++] = all;
	return 0;
}

static int resolve_cpus(struct config *config, struct error *error)
{
	struct error cause;

	config->usable_cpus = topology_usable_pus(&config->topology);
	if (!config->cpus_text)
		return 0;
	config->cpus = hwloc_bitmap_alloc();
	if (placement_parse_cpus(config->cpus_text, config->cpus, &cause) != 0)
		return error_set(error, "--cpus=%s: %s", config->cpus_text, cause.text);
	config->usable_cpus = (unsigned int)hwloc_bitmap_weight(config->cpus);
	return 0;
}

static int resolve_tasks(struct config *config, struct error *error)
{
	struct error cause;

	if (!config->tasks_text)
		return default_tasks(config) ? error_set(error, "no memory for the plan") : 0;
	if (units_tasks(config->tasks_text, config->usable_cpus, TASKS_LIMIT, &config->tasks,
			&config->task_count, &cause) != 0)
		return error_set(error, "--tasks=%s: %s", config->tasks_text, cause.text);
	return 0;
}

/* Asks the placement now, so that a CPU that is not allowed is a bad command, not a failed run. */
static int check_placement(const struct config *config, struct error *error)
{
	struct place place;

	return placement_make(&config->topology, config->placement, config->cpus, 1, &place, error);
}

int config_resolve(struct config *config, struct error *error)
{
	if (topology_open(&config->topology, config->machine, error) != 0)
		return -1;
	if (resolve_cpus(config, error) != 0 || check_placement(config, error) != 0 ||
	    resolve_tasks(config, error) != 0)
		return -1;
	if (config->cpu_count == 0)
		config->cpu_count = topology_present_pus(&config->topology);
	if (config->memory_bytes == 0)
		config->memory_bytes = topology_memory_bytes(&config->topology);
	if (config->resume && (config->output || config->dry_run || config->format != FORMAT_CSV))
		return error_set(error, "--resume stands without --output, --dry-run and --format: "
					"it appends CSV rows to the file");
	if (config->timeout_ns && config->timeout_ns <= config->duration_ns + config->warmup_ns)
		return error_set(error,
				 "--timeout is shorter than a point: --duration and --warmup "
				 "must fit in it");
	return 0;
}

uint64_t config_timeout_ns(const struct config *config)
{
	if (config->timeout_ns)
		return config->timeout_ns;
	return 2 * (config->duration_ns + config->warmup_ns) + 60 * SECOND_NS;
}

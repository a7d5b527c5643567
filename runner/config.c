// SPDX-License-Identifier: GPL-2.0-or-later
/* config.c - defaults, and what follows from the machine that was asked for. */
#include "runner/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counters/overcommit.h"
#include "machine/native/ops.h"
#include "machine/sim/ops.h"
#include "runner/kernel.h"
#include "runner/options.h"
#include "runner/suggest.h"
#include "runner/units.h"

#define SECOND_NS 1000000000ULL
#define NATIVE_DURATION_LEAST_NS 1000000
#define SIM_DURATION_NS 20000000ULL
#define SIM_WARMUP_PART 10		 /* of the duration: rates settle within a few operations */
#define SIM_TIMEOUT_NS (600 * SECOND_NS) /* of the host's time, a guard only */

const char *const config_no_threads =
	"simulated tasks are processes: the lock of a common address space is not modelled";

bool config_is_virtual(const struct config *config)
{
	return config->ops && config->ops->is_virtual;
}

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
		.machine_name = "native",
		.ops = &native_ops,
		.placement = PLACEMENT_CORE,
		.duration_ns = 5 * SECOND_NS,
		.warmup_auto = true,
		.repeat = 1,
		.within_pct = 5,
		.seed = 1,
	};
	keep_command(config, argv);
}

void config_free(struct config *config)
{
	list_free(&config->words);
	list_free(&config->counters);
	list_free(&config->batches);
	for (int id = 0; id < KNOBS; id++)
		list_free(&config->knobs[id]);
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

/* Virtual time is dear and its rates are exact, so points are short there. */
static int use_profile(struct config *config, struct error *error)
{
	if (sim_profile_open(config->machine, &config->profile, &config->topology, error) != 0)
		return -1;
	config->ops = &sim_ops;
	config->machine_name = config->profile.name;
	if (!config->duration_given)
		config->duration_ns = SIM_DURATION_NS;
	if (!config->warmup_given) {
		config->warmup_auto = false;
		config->warmup_ns = config->duration_ns / SIM_WARMUP_PART;
	}
	if (config->memory_bytes == 0)
		config->memory_bytes = (uint64_t)config->profile.memory_gib << 30;
	if (config->modes == M_THREAD)
		return error_set(error, "--mode=thread: %s", config_no_threads);
	if (kernel_is_wanted(config))
		return error_set(error, "--kernel-*: a simulated machine runs no kernel that has "
					"knobs; --policy is that of the modelled accounting");
	if (config->placement == PLACEMENT_NONE)
		return error_set(error, "--placement=none: a simulated machine has no scheduler "
					"that would place tasks; give core, pu or spread");
	return 0;
}

/* What is neither this host, nor a profile, nor a topology: a name that was mistyped. */
static int refuse_machine(const char *name, struct error *error)
{
	const char *names[128] = { "native" };
	const char *nearest;
	size_t count = 1;

	for (const struct sim_profile_text *text = sim_profile_texts; text->name; text++)
		if (count < sizeof(names) / sizeof(names[0]))
			names[count++] = text->name;
	nearest = suggest(name, names, count);
	return error_set(error,
			 "machine \"%.100s\" is not known%s%s%s; right would be native, one that "
			 "./runtest machines shows, or FILE.ini; topo also takes FILE.xml and "
			 "synthetic:...",
			 name, nearest ? ", did you mean " : "", nearest ? nearest : "",
			 nearest ? "?" : "");
}

static bool is_topology(const char *machine)
{
	size_t length = strlen(machine);

	return strcmp(machine, "native") == 0 || strncmp(machine, "synthetic:", 10) == 0 ||
	       (length >= 4 && strcmp(machine + length - 4, ".xml") == 0);
}

static int open_machine(struct config *config, struct error *error)
{
	if (sim_profile_is(config->machine))
		return use_profile(config, error);
	if (!is_topology(config->machine))
		return refuse_machine(config->machine, error);
	if (topology_open(&config->topology, config->machine, error) != 0)
		return -1;
	if (!config->topology.this_host)
		config->ops = NULL;
	return 0;
}

int config_resolve(struct config *config, struct error *error)
{
	if (open_machine(config, error) != 0)
		return -1;
	if (resolve_cpus(config, error) != 0 || check_placement(config, error) != 0 ||
	    resolve_tasks(config, error) != 0)
		return -1;
	if (config->cpu_count == 0)
		config->cpu_count = topology_present_pus(&config->topology);
	if (!config->nodes_given)
		config->nodes = topology_nodes(&config->topology);
	if (config->memory_bytes == 0)
		config->memory_bytes = topology_memory_bytes(&config->topology);
	if (config->resume && (config->output || config->dry_run || config->format != FORMAT_CSV))
		return error_set(error, "--resume stands without --output, --dry-run and --format: "
					"it appends CSV rows to the file");
	if (!config_is_virtual(config) && config->duration_ns < NATIVE_DURATION_LEAST_NS)
		return error_set(error, "--duration: must be at least 1ms natively");
	if (!config_is_virtual(config) && config->timeout_ns &&
	    config->timeout_ns <= config->duration_ns + config->warmup_ns)
		return error_set(error,
				 "--timeout is shorter than a point: --duration and --warmup "
				 "must fit in it");
	return 0;
}

uint64_t config_timeout_ns(const struct config *config)
{
	if (config->timeout_ns)
		return config->timeout_ns;
	if (config_is_virtual(config))
		return SIM_TIMEOUT_NS;
	return 2 * (config->duration_ns + config->warmup_ns) + 60 * SECOND_NS;
}

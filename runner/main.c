// SPDX-License-Identifier: GPL-2.0-or-later
/* main.c - runtest: reads the command line and does what its first word says. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/native/env.h"
#include "machine/native/ops.h"
#include "machine/sim/ops.h"
#include "runner/calibrate.h"
#include "runner/check_host.h"
#include "runner/cli.h"
#include "runner/explore.h"
#include "runner/list.h"
#include "runner/machines.h"
#include "runner/run.h"
#include "runner/topo.h"
#include "runner/wis/compat.h"
#include "runner/wis/wis.h"

static int refuse(const struct error *error)
{
	fprintf(stderr, "runtest: %s\n", error->text);
	return 2;
}

static int command_list(struct config *config)
{
	list_print(config->format_given && config->format == FORMAT_CSV);
	return 0;
}

static int command_machines(struct config *config)
{
	machines_print(config->format_given && config->format == FORMAT_CSV);
	return 0;
}

static int command_topo(struct config *config)
{
	struct error error;

	if (config_resolve(config, &error) != 0)
		return refuse(&error);
	if (topo_print(stdout, &config->topology, config->placement, config->cpus,
		       config->tasks_text ? config->tasks[config->task_count - 1] : 0, &error) != 0)
		return refuse(&error);
	return 0;
}

static int command_check_host(struct config *config)
{
	struct error error;

	if (config_resolve(config, &error) != 0)
		return refuse(&error);
	if (!config->topology.this_host) {
		error_set(&error, "--machine=%s: check-host looks at this host only",
			  config->machine);
		return refuse(&error);
	}
	return check_host(config);
}

/* A topology that nothing runs on: asked for, or put by hwloc in the place of this host's. */
static int refuse_topology(const struct config *config)
{
	struct error error;

	if (strcmp(config->machine, "native") == 0)
		error_set(&error, "HWLOC_XMLFILE or HWLOC_SYNTHETIC show another machine than this "
				  "host: unset them, or set HWLOC_THISSYSTEM=1 if they are right");
	else
		error_set(&error,
			  "--machine=%s: testcases run on native or on a profile (see ./runtest "
			  "machines); topo shows the others",
			  config->machine);
	return refuse(&error);
}

static int command_run(struct config *config)
{
	struct error error;

	if (config_resolve(config, &error) != 0)
		return refuse(&error);
	if (!config->ops)
		return refuse_topology(config);
	if (config->seeds) {
		error_set(&error, "--seeds is how many schedules to search: give it to explore");
		return refuse(&error);
	}
	if (config->memory_bytes == 0) {
		error_set(&error, "the machine's memory is not known: give it, as --memory=64G");
		return refuse(&error);
	}
	return run_plan(config);
}

static int command_tune(struct config *config)
{
	struct error error;

	if (config->words.count != 2) {
		error_set(&error, "tune takes one testcase, as `./runtest tune mmap1`");
		return refuse(&error);
	}
	free((void *)config->words.item[0]);
	config->words.item[0] = config->words.item[--config->words.count];
	config->tunes = true;
	return command_run(config);
}

static int command_explore(struct config *config)
{
	struct error error;

	if (explore_defaults(config, &error) != 0 || config_resolve(config, &error) != 0)
		return refuse(&error);
	return explore(config);
}

static const struct command {
	const char *name;
	int (*run)(struct config *config);
	bool takes_words; /* testcases behind it */
	bool measures;	  /* this host, so what disturbs that is switched off */
} commands[] = {
	{ "explore", command_explore, true, false },
	{ "list", command_list, false, false },
	{ "machines", command_machines, false, false },
	{ "topo", command_topo, false, false },
	{ "check-host", command_check_host, false, false },
	{ "tune", command_tune, true, true },
	{ "calibrate", calibrate, false, true },
};

static const struct command *command_of(const struct config *config)
{
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (strcmp(commands[i].name, config->words.item[0]) == 0)
			return &commands[i];
	return NULL;
}

/* A subcommand's answer is what it prints. */
static int run_subcommand(const struct command *command, struct config *config)
{
	int status = command->run(config);

	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	fprintf(stderr, "runtest: cannot write to standard output: %s\n", strerror(errno));
	return status ? status : 1;
}

static int run_command(struct config *config, int argc, char **argv)
{
	const struct command *command;
	struct error error;

	if (cli_parse(config, argc, argv, &error) != 0)
		return refuse(&error);
	if (wis_take_words(config, argv[0], &error) != 0)
		return refuse(&error);
	if (config->words.count == 0) {
		error_set(&error, "no testcase given: try `./runtest mmap1 --batch=64x`, "
				  "`./runtest list` or --help");
		return refuse(&error);
	}
	command = command_of(config);
	if (command && !command->takes_words && config->words.count > 1) {
		error_set(&error, "'%s' stands alone: '%s' is one too many", command->name,
			  config->words.item[1]);
		return refuse(&error);
	}
	if ((!command || command->measures) && !config->dry_run && !config->aslr_on)
		env_aslr_off(argv, &error); /* a refusal is told with the other warnings */
	native_ops.init();
	sim_ops.init();
	if (config->wis && wis_open(config, &error) != 0)
		return native_ops.interrupted() ? 128 + native_ops.interrupted() : refuse(&error);
	return command ? run_subcommand(command, config) : command_run(config);
}

int main(int argc, char **argv)
{
	struct config config;
	int status;

	config_init(&config, argv);
	if (wis_is_binary(argv[0]))
		status = wis_binary(&config, argc, argv);
	else
		status = run_command(&config, argc, argv);
	config_free(&config);
	wis_close();
	return status;
}

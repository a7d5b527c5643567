// SPDX-License-Identifier: GPL-2.0-or-later
/* main.c - runtest: reads the command line and does what its first word says. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "machine/native/env.h"
#include "machine/native/ops.h"
#include "machine/sim/ops.h"
#include "runner/check_host.h"
#include "runner/cli.h"
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

static int command_run(struct config *config)
{
	struct error error;

	if (config_resolve(config, &error) != 0)
		return refuse(&error);
	if (!config->ops) {
		error_set(&error,
			  "--machine=%s: testcases run on native or on a profile (see ./runtest "
			  "machines); topo shows the others",
			  config->machine);
		return refuse(&error);
	}
	if (config->memory_bytes == 0) {
		error_set(&error, "the machine's memory is not known: give it, as --memory=64G");
		return refuse(&error);
	}
	return run_plan(config);
}

static const struct command {
	const char *name;
	int (*run)(struct config *config);
} commands[] = {
	{ "list", command_list },
	{ "machines", command_machines },
	{ "topo", command_topo },
	{ "check-host", command_check_host },
};

static const struct command *command_of(const struct config *config)
{
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (strcmp(commands[i].name, config->words.item[0]) == 0)
			return &commands[i];
	return NULL;
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
	if (command && config->words.count > 1) {
		error_set(&error, "'%s' stands alone: '%s' is one too many", command->name,
			  config->words.item[1]);
		return refuse(&error);
	}
	if (!command && !config->dry_run && !config->aslr_on)
		env_aslr_off(argv, &error); /* a refusal is told with the other warnings */
	native_ops.init();
	sim_ops.init();
	if (config->wis && wis_open(config, &error) != 0)
		return native_ops.interrupted() ? 128 + native_ops.interrupted() : refuse(&error);
	return command ? command->run(config) : command_run(config);
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

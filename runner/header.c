// SPDX-License-Identifier: GPL-2.0-or-later
/* header.c - the results' header lines. */
#include "runner/header.h"

#include <stdio.h>
#include <string.h>

#include "runner/version.h"

static void write_command(struct output *output, char **argv)
{
	char command[1024] = "";
	size_t used = 0;

	for (; *argv && used < sizeof(command); argv++)
		used += (size_t)snprintf(command + used, sizeof(command) - used, "%s%s",
					 used ? " " : "", *argv);
	/* A header line ends at its line's end, whatever the arguments hold. */
	for (char *c = command; *c; c++)
		if ((unsigned char)*c < ' ')
			*c = '?';
	output_header(output, "command", command);
}

void header_write(struct output *output, const struct config *config, const struct env *env,
		  char **argv)
{
	char topology[256];

	topology_describe(&config->topology, topology, sizeof(topology));
	output_header(output, "program", "will-it-batch " VERSION);
	output_header(output, "commit", version_commit);
	output_header(output, "compiler", version_compiler);
	write_command(output, argv);
	output_header(output, "kernel", env->kernel);
	output_header(output, "cpu", env->cpu_model);
	output_header(output, "topology", topology);
	output_header(output, "governor", env->governor);
	output_header(output, "smt", env->smt);
	for (unsigned int i = 0; i < env->warnings; i++)
		output_header(output, "warning", env->warning[i]);
}

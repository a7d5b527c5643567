// SPDX-License-Identifier: GPL-2.0-or-later
/* header.c - the results' header lines. */
#include "runner/header.h"

#include "runner/version.h"

void header_write(struct output *output, const struct config *config, const struct env *env)
{
	char topology[256];

	topology_describe(&config->topology, topology, sizeof(topology));
	output_header(output, "program", "will-it-batch " VERSION);
	output_header(output, "commit", version_commit);
	output_header(output, "compiler", version_compiler);
	output_header(output, "command", config->command);
	output_header(output, "kernel", env->kernel);
	output_header(output, "cpu", env->cpu_model);
	output_header(output, "topology", topology);
	for (unsigned int i = 0; i < env->findings; i++)
		output_header(output, env->finding[i].name, env->finding[i].value);
	for (unsigned int i = 0; i < env->warnings; i++)
		output_header(output, "warning", env->warning[i]);
}

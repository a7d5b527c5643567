// SPDX-License-Identifier: GPL-2.0-or-later
/* env.c - looks at the host: what it is, and what on it disturbs a measurement. */
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "machine/check.h"
#include "machine/native/env_read.h"

const char *const env_level_names[] = { "fine", "note", "noise" };

/* What the host tells becomes a comment line of a CSV file and must not break that. */
static void one_line(char *text)
{
	for (; *text; text++) {
		if (iscntrl((unsigned char)*text))
			*text = '?';
	}
}

void env_warn(struct env *env, const char *format, ...)
{
	char *warning;
	va_list args;

	if (env->warnings >= ENV_WARNINGS)
		return;
	warning = env->warning[env->warnings++];
	va_start(args, format);
	vsnprintf(warning, sizeof(env->warning[0]), format, args);
	va_end(args);
	one_line(warning);
}

void env_say(struct env_finding *finding, enum env_level level, const char *format, ...)
{
	va_list args;

	finding->level = level;
	va_start(args, format);
	vsnprintf(finding->advice, sizeof(finding->advice), format, args);
	va_end(args);
}

static void look_at_names(struct env *env)
{
	struct utsname names;

	if (uname(&names) != 0)
		return;
	snprintf(env->kernel, sizeof(env->kernel), "%s %s", names.release, names.machine);
	snprintf(env->host, sizeof(env->host), "%s", names.nodename);
}

/* The first CPU of /proc/cpuinfo stands for all. */
static void look_at_model(struct env *env, const char *root)
{
	FILE *file = env_open(root, "/proc/cpuinfo");
	char *line = NULL;
	size_t size = 0;

	while (file && getline(&line, &size, file) > 1) {
		const char *value = strchr(line, ':');

		if (!value || strncmp(line, "model name", 10) != 0)
			continue;
		value += 1 + strspn(value + 1, " ");
		snprintf(env->cpu_model, sizeof(env->cpu_model), "%.*s", (int)strcspn(value, "\n"),
			 value);
		break;
	}
	free(line);
	if (file)
		fclose(file);
	one_line(env->cpu_model);
}

static void run_checks(struct env *env, const struct env_host *host, const struct env_check *check)
{
	for (; check->name; check++) {
		struct env_finding *finding = &env->finding[env->findings++];

		CHECK(env->findings <= ENV_FINDINGS);
		*finding = (struct env_finding){ .name = check->name, .value = "not known" };
		check->look(host, finding);
		one_line(finding->value);
		one_line(finding->advice);
		if (finding->level == ENV_NOISE)
			env_warn(env, "%s", finding->advice);
	}
}

struct env_finding *env_find(struct env *env, const char *name)
{
	for (unsigned int i = 0; i < env->findings; i++)
		if (strcmp(env->finding[i].name, name) == 0)
			return &env->finding[i];
	return NULL;
}

void env_look(struct env *env, const char *root, unsigned int tasks_max, unsigned int usable_cpus)
{
	struct env_host host = { .root = root, .usable_cpus = usable_cpus };

	*env = (struct env){ 0 };
	look_at_names(env);
	look_at_model(env, root);
	run_checks(env, &host, env_cpu_checks);
	run_checks(env, &host, env_kernel_checks);
	if (usable_cpus > 0 && tasks_max > usable_cpus)
		env_warn(env,
			 "%u tasks share %u usable CPUs, so they measure the scheduler too: use at "
			 "most --tasks=%u",
			 tasks_max, usable_cpus, usable_cpus);
}

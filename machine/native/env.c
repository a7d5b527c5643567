// SPDX-License-Identifier: GPL-2.0-or-later
/* env.c - looks at the host: what it is, and what on it disturbs a measurement. */
#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "machine/native/env_read.h"

#define CPU "/sys/devices/system/cpu"

/* A warning becomes a comment line of a CSV file: what the host put into it must not break that. */
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

static void look_at_names(struct env *env)
{
	struct utsname names;

	if (uname(&names) != 0)
		return;
	snprintf(env->kernel, sizeof(env->kernel), "%s %s", names.release, names.machine);
	snprintf(env->host, sizeof(env->host), "%s", names.nodename);
}

/* The first CPU of /proc/cpuinfo stands for all. */
static void look_at_cpuinfo(struct env *env, const char *root)
{
	FILE *file = env_open(root, "/proc/cpuinfo");
	bool hypervisor = false;
	char type[32];
	char *line = NULL;
	size_t size = 0;

	while (file && getline(&line, &size, file) > 1) {
		char *value = strchr(line, ':');

		if (!value)
			continue;
		value += 1 + strspn(value + 1, " ");
		value[strcspn(value, "\n")] = '\0';
		if (strncmp(line, "model name", 10) == 0)
			snprintf(env->cpu_model, sizeof(env->cpu_model), "%s", value);
		else if (strncmp(line, "flags", 5) == 0)
			hypervisor = env_has_word(value, ' ', "hypervisor");
	}
	free(line);
	if (file)
		fclose(file);
	one_line(env->cpu_model);
	if (hypervisor || env_line(env_open(root, "/sys/hypervisor/type"), type, sizeof(type)))
		env_warn(env,
			 "this is a virtual machine, whose CPUs may be taken away at any time: "
			 "watch steal_pct, or measure on the bare machine");
}

static int is_policy(const struct dirent *entry)
{
	return strncmp(entry->d_name, "policy", 6) == 0;
}

/* Adds a name to the comma-separated list, unless it is there or does not fit. */
static void add_governor(struct env *env, const char *name)
{
	size_t used = strlen(env->governor);
	char list[sizeof(env->governor)];
	char *rest = NULL;

	snprintf(list, sizeof(list), "%s", env->governor);
	for (char *known = strtok_r(list, ",", &rest); known; known = strtok_r(NULL, ",", &rest)) {
		if (strcmp(known, name) == 0)
			return;
	}
	if (used + 1 + strlen(name) < sizeof(env->governor))
		snprintf(env->governor + used, sizeof(env->governor) - used, "%s%s",
			 used ? "," : "", name);
}

static void look_at_governor(struct env *env, const char *root)
{
	struct dirent **policies = NULL;
	char path[PATH_MAX], name[24];
	bool slow = false;
	int n = -1;

	if (snprintf(path, sizeof(path), "%s" CPU "/cpufreq", root) < (int)sizeof(path))
		n = scandir(path, &policies, is_policy, alphasort);
	for (int i = 0; i < n; i++) {
		if (env_line(env_open(root, CPU "/cpufreq/%s/scaling_governor",
				      policies[i]->d_name),
			     name, sizeof(name))) {
			add_governor(env, name);
			slow = slow || strcmp(name, "performance") != 0;
		}
		free(policies[i]);
	}
	free(policies);
	if (slow)
		env_warn(env,
			 "the cpufreq governor is %s, so the clock follows the load: set it to "
			 "performance (cpupower frequency-set -g performance)",
			 env->governor);
	if (!env->governor[0])
		snprintf(env->governor, sizeof(env->governor), n > 0 ? "not known" : "none");
}

static void look_at_turbo(struct env *env, const char *root)
{
	static const struct {
		const char *path, *on, *off;
	} switches[] = {
		{ CPU "/intel_pstate/no_turbo", "0", "1" },
		{ CPU "/cpufreq/boost", "1", "0" },
	};
	char line[16];

	/* With intel_pstate's own switch there, the other one says nothing. */
	for (size_t i = 0; i < sizeof(switches) / sizeof(switches[0]); i++) {
		if (!env_line(env_open(root, "%s", switches[i].path), line, sizeof(line)))
			continue;
		if (strcmp(line, switches[i].on) == 0)
			env_warn(env,
				 "turbo is on, so few tasks run at a higher clock than many: "
				 "switch it "
				 "off (echo %s > %s)",
				 switches[i].off, switches[i].path);
		return;
	}
}

static void look_at_smt(struct env *env, const char *root)
{
	char line[16];

	snprintf(env->smt, sizeof(env->smt), "not known");
	if (!env_line(env_open(root, CPU "/smt/active"), line, sizeof(line)))
		return;
	if (strcmp(line, "0") == 0)
		snprintf(env->smt, sizeof(env->smt), "off");
	if (strcmp(line, "1") != 0)
		return;
	snprintf(env->smt, sizeof(env->smt), "on");
	env_warn(env,
		 "SMT is on, so two tasks may share a core: stay at one task a core, or switch "
		 "it off (echo off > " CPU "/smt/control)");
}

/* The CPUs of a list as "0-3,8"; 0 when it cannot be read. */
static unsigned int online_cpus(const char *root)
{
	char line[4096];
	char *rest = NULL;
	unsigned int count = 0;

	if (!env_line(env_open(root, CPU "/online"), line, sizeof(line)))
		return 0;
	for (char *item = strtok_r(line, ",", &rest); item; item = strtok_r(NULL, ",", &rest)) {
		unsigned int first, last;
		int ends = sscanf(item, "%u-%u", &first, &last);

		if (ends < 1 || (ends == 2 && last < first))
			return 0;
		count += ends == 2 ? last - first + 1 : 1;
	}
	return count;
}

/* The load is that of the whole machine, and so are the CPUs it is held against. */
static void look_at_load(struct env *env, const char *root, unsigned int usable_cpus)
{
	unsigned int cpus = online_cpus(root);
	char line[128];
	double load;

	if (cpus == 0)
		cpus = usable_cpus;
	if (cpus == 0 || !env_line(env_open(root, "/proc/loadavg"), line, sizeof(line)) ||
	    sscanf(line, "%lf", &load) != 1)
		return;
	if (load > cpus / 10.0)
		env_warn(env,
			 "the load average is %.2f on %u CPUs, so something else is running or has "
			 "just run: stop it, or wait a minute",
			 load, cpus);
}

void env_look(struct env *env, const char *root, unsigned int tasks_max, unsigned int usable_cpus)
{
	*env = (struct env){ 0 };
	look_at_names(env);
	look_at_governor(env, root);
	look_at_turbo(env, root);
	look_at_smt(env, root);
	look_at_load(env, root, usable_cpus);
	env_warn_quota(env, root);
	look_at_cpuinfo(env, root);
	if (usable_cpus > 0 && tasks_max > usable_cpus)
		env_warn(env,
			 "%u tasks share %u usable CPUs, so they measure the scheduler too: use at "
			 "most "
			 "--tasks=%u",
			 tasks_max, usable_cpus, usable_cpus);
}

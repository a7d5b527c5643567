// SPDX-License-Identifier: GPL-2.0-or-later
/* env_cpu.c - what the machine's clocks, cores and sleep states do to a rate. */
#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "machine/native/env_read.h"

#define CPU "/sys/devices/system/cpu"
#define SLOW_WAKE_US 10 /* what wakes later than that shows in a futex or a hand-over */

static int is_policy(const struct dirent *entry)
{
	return strncmp(entry->d_name, "policy", 6) == 0;
}

/* Adds a name to the comma-separated list, unless it is there or does not fit. */
static void add_name(char *list, size_t size, const char *name)
{
	size_t used = strlen(list);

	if (env_has_word(list, ',', name))
		return;
	if (used + 1 + strlen(name) < size)
		snprintf(list + used, size - used, "%s%s", used ? "," : "", name);
}

static void look_at_governor(const struct env_host *host, struct env_finding *finding)
{
	struct dirent **policies = NULL;
	char path[PATH_MAX], name[24], names[32] = "";
	bool slow = false;
	int n = -1;

	if (snprintf(path, sizeof(path), "%s" CPU "/cpufreq", host->root) < (int)sizeof(path))
		n = scandir(path, &policies, is_policy, alphasort);
	for (int i = 0; i < n; i++) {
		if (env_line(env_open(host->root, CPU "/cpufreq/%s/scaling_governor",
				      policies[i]->d_name),
			     name, sizeof(name))) {
			add_name(names, sizeof(names), name);
			slow = slow || strcmp(name, "performance") != 0;
		}
		free(policies[i]);
	}
	free(policies);
	if (names[0])
		snprintf(finding->value, sizeof(finding->value), "%s", names);
	else if (n <= 0)
		snprintf(finding->value, sizeof(finding->value), "none");
	if (slow)
		env_say(finding, ENV_NOISE,
			"the cpufreq governor is %s, so the clock follows the load: set it to "
			"performance (cpupower frequency-set -g performance)",
			names);
}

static void look_at_turbo(const struct env_host *host, struct env_finding *finding)
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
		bool on;

		if (!env_line(env_open(host->root, "%s", switches[i].path), line, sizeof(line)))
			continue;
		on = strcmp(line, switches[i].on) == 0;
		snprintf(finding->value, sizeof(finding->value), on ? "on" : "off");
		if (on)
			env_say(finding, ENV_NOISE,
				"turbo is on, so few tasks run at a higher clock than many: switch "
				"it off (echo %s > %s)",
				switches[i].off, switches[i].path);
		return;
	}
}

static void look_at_smt(const struct env_host *host, struct env_finding *finding)
{
	char line[16];

	if (!env_line(env_open(host->root, CPU "/smt/active"), line, sizeof(line)))
		return;
	if (strcmp(line, "0") == 0)
		snprintf(finding->value, sizeof(finding->value), "off");
	if (strcmp(line, "1") != 0)
		return;
	snprintf(finding->value, sizeof(finding->value), "on");
	env_say(finding, ENV_NOISE,
		"SMT is on, so two tasks may share a core: stay at one task a core, or switch it "
		"off (echo off > " CPU "/smt/control)");
}

/* The states of CPU 0 stand for all; one that is switched off does not count. */
static void look_at_sleep_states(const struct env_host *host, struct env_finding *finding)
{
	char line[32], deepest[16] = "";
	long latency_us = -1;

	for (unsigned int state = 0;; state++) {
		char name[16];
		long us;

		if (!env_line(env_open(host->root, CPU "/cpu0/cpuidle/state%u/latency", state),
			      line, sizeof(line)))
			break;
		us = strtol(line, NULL, 10);
		if (env_line(env_open(host->root, CPU "/cpu0/cpuidle/state%u/disable", state), line,
			     sizeof(line)) &&
		    strcmp(line, "0") != 0)
			continue;
		if (us < latency_us ||
		    !env_line(env_open(host->root, CPU "/cpu0/cpuidle/state%u/name", state), name,
			      sizeof(name)))
			continue;
		latency_us = us;
		memcpy(deepest, name, sizeof(deepest));
	}
	if (latency_us < 0) {
		snprintf(finding->value, sizeof(finding->value), "none");
		return;
	}
	snprintf(finding->value, sizeof(finding->value), "%s, %ld us", deepest, latency_us);
	if (latency_us > SLOW_WAKE_US)
		env_say(finding, ENV_NOTE,
			"a CPU that sleeps as deep as %s needs %ld us to wake, which whoever waits "
			"in the kernel pays: forbid deep states (cpupower idle-set -D %d)",
			deepest, latency_us, SLOW_WAKE_US);
}

static bool flags_tell_hypervisor(const char *root)
{
	FILE *file = env_open(root, "/proc/cpuinfo");
	bool found = false;
	char *line = NULL;
	size_t size = 0;

	while (file && getline(&line, &size, file) > 1) {
		line[strcspn(line, "\n")] = '\0';
		if (strncmp(line, "flags", 5) == 0)
			found = env_has_word(line, ' ', "hypervisor");
	}
	free(line);
	if (file)
		fclose(file);
	return found;
}

static void look_at_hypervisor(const struct env_host *host, struct env_finding *finding)
{
	bool told = env_line(env_open(host->root, "/sys/hypervisor/type"), finding->value,
			     sizeof(finding->value));

	if (!told && flags_tell_hypervisor(host->root)) {
		snprintf(finding->value, sizeof(finding->value), "yes");
		told = true;
	}
	if (!told) {
		snprintf(finding->value, sizeof(finding->value), "none");
		return;
	}
	env_say(finding, ENV_NOISE,
		"this is a virtual machine, whose CPUs may be taken away at any time: watch "
		"steal_pct, or measure on the bare machine");
}

static void look_at_clock_source(const struct env_host *host, struct env_finding *finding)
{
	static const char *const slow[] = { "hpet", "acpi_pm", "pit", "jiffies",
					    "refined-jiffies" };

	if (!env_line(env_open(host->root,
			       "/sys/devices/system/clocksource/clocksource0/current_clocksource"),
		      finding->value, sizeof(finding->value)))
		snprintf(finding->value, sizeof(finding->value), "not known");
	for (size_t i = 0; i < sizeof(slow) / sizeof(slow[0]); i++)
		if (strcmp(finding->value, slow[i]) == 0)
			env_say(finding, ENV_NOISE,
				"the clock source is %s, which each reading of the clock goes to "
				"the kernel for: boot with clocksource=tsc, if the CPUs' own "
				"counters can be trusted",
				slow[i]);
}

const struct env_check env_cpu_checks[] = {
	{ "governor", look_at_governor },
	{ "turbo", look_at_turbo },
	{ "smt", look_at_smt },
	{ "sleep_states", look_at_sleep_states },
	{ "hypervisor", look_at_hypervisor },
	{ "clock_source", look_at_clock_source },
	{ NULL, NULL },
};

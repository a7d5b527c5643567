// SPDX-License-Identifier: GPL-2.0-or-later
/* env_kernel.c - what the kernel's settings, cgroups and whatever else runs do to a rate. */
#include <inttypes.h>
#include <string.h>

#include "machine/native/env_read.h"

#define CPU "/sys/devices/system/cpu"
#define STEAL_PCT 1.0

static bool read_line(const struct env_host *host, const char *path, char *line, size_t size)
{
	return env_line(env_open(host->root, "%s", path), line, size);
}

static unsigned int online_cpus(const struct env_host *host)
{
	char line[4096];

	return read_line(host, CPU "/online", line, sizeof(line)) ? env_count_cpus(line) : 0;
}

/* The load is that of the whole machine, and so are the CPUs it is held against. */
static void look_at_load(const struct env_host *host, struct env_finding *finding)
{
	unsigned int cpus = online_cpus(host);
	char line[128];
	double load;

	if (cpus == 0)
		cpus = host->usable_cpus;
	if (cpus == 0 || !read_line(host, "/proc/loadavg", line, sizeof(line)) ||
	    sscanf(line, "%lf", &load) != 1)
		return;
	snprintf(finding->value, sizeof(finding->value), "%.2f on %u CPUs", load, cpus);
	if (load > cpus / 10.0)
		env_say(finding, ENV_NOISE,
			"the load average is %.2f on %u CPUs, so something else is running or has "
			"just run: stop it, or wait a minute",
			load, cpus);
}

static void look_at_steal(const struct env_host *host, struct env_finding *finding)
{
	struct cpu_time now;
	double pct;

	if (env_cpu_time_below(host->root, &now) != 0 || now.total == 0)
		return;
	pct = 100 * (double)now.steal / (double)now.total;
	snprintf(finding->value, sizeof(finding->value), "%.2f%% since boot", pct);
	if (pct > STEAL_PCT)
		env_say(finding, ENV_NOTE,
			"the hypervisor took %.2f%% of the CPU time away since boot: measure when "
			"its other guests are quiet, or on the bare machine",
			pct);
}

/* "always [madvise] never": the word in brackets. */
static void look_at_huge_pages(const struct env_host *host, struct env_finding *finding)
{
	char line[96];
	const char *open;

	if (!read_line(host, "/sys/kernel/mm/transparent_hugepage/enabled", line, sizeof(line)))
		return;
	open = strchr(line, '[');
	if (!open)
		return;
	snprintf(finding->value, sizeof(finding->value), "%.*s", (int)strcspn(open + 1, "]"),
		 open + 1);
	if (strcmp(finding->value, "always") == 0)
		env_say(finding, ENV_NOTE,
			"transparent huge pages are on for all memory, so a fault may fill 2 MiB "
			"or one page by chance: to compare page faults, echo madvise > "
			"/sys/kernel/mm/transparent_hugepage/enabled");
}

static void look_at_aslr(const struct env_host *host, struct env_finding *finding)
{
	if (!read_line(host, "/proc/sys/kernel/randomize_va_space", finding->value,
		       sizeof(finding->value))) {
		snprintf(finding->value, sizeof(finding->value), "not known");
		return;
	}
	if (strcmp(finding->value, "0") != 0)
		env_say(finding, ENV_NOTE,
			"addresses are randomised, which moves rates from run to run: runtest "
			"switches that off for itself (params: aslr); for other programs use "
			"setarch -R");
}

static void look_at_isolated(const struct env_host *host, struct env_finding *finding)
{
	char line[64];
	bool any = read_line(host, CPU "/isolated", line, sizeof(line)) && line[0];

	snprintf(finding->value, sizeof(finding->value), "%s", any ? line : "none");
	if (any)
		env_say(finding, ENV_NOTE,
			"CPUs %s are isolated from the scheduler: a run on them alone is quietest "
			"(taskset or --cpus=%s)",
			line, line);
	else
		env_say(finding, ENV_NOTE,
			"no CPU is isolated, so the kernel's own threads and timers run among the "
			"tasks: for the last percent boot with isolcpus=, nohz_full= and "
			"rcu_nocbs=");
}

struct quota {
	const char *root;
	double least; /* CPUs; 0: none */
	char place[96];
	const char *file;
};

/* The CPUs that one directory grants; 0 when it sets no limit or cannot be read. */
static double quota_of(const char *root, const char *folder, bool v2)
{
	char line[64];
	int64_t microseconds, period;

	if (v2) {
		if (!env_line(env_open(root, "%s/cpu.max", folder), line, sizeof(line)) ||
		    sscanf(line, "%" SCNd64 " %" SCNd64, &microseconds, &period) != 2)
			return 0; /* "max 100000" */
	} else {
		if (!env_line(env_open(root, "%s/cpu.cfs_quota_us", folder), line, sizeof(line)) ||
		    sscanf(line, "%" SCNd64, &microseconds) != 1)
			return 0;
		if (!env_line(env_open(root, "%s/cpu.cfs_period_us", folder), line, sizeof(line)) ||
		    sscanf(line, "%" SCNd64, &period) != 1)
			return 0;
	}
	if (microseconds <= 0 || period <= 0) /* -1: none */
		return 0;
	return (double)microseconds / (double)period;
}

static void keep_tightest(const char *folder, bool v2, void *arg)
{
	struct quota *quota = arg;
	double cpus = quota_of(quota->root, folder, v2);

	if (cpus <= 0 || (quota->least > 0 && cpus >= quota->least))
		return;
	quota->least = cpus;
	quota->file = v2 ? "cpu.max" : "cpu.cfs_quota_us";
	snprintf(quota->place, sizeof(quota->place), "%s", folder);
}

static void look_at_quota(const struct env_host *host, struct env_finding *finding)
{
	struct quota quota = { .root = host->root };

	env_cgroups(host->root, "cpu", keep_tightest, &quota);
	snprintf(finding->value, sizeof(finding->value), "none");
	if (quota.least <= 0)
		return;
	snprintf(finding->value, sizeof(finding->value), "%.2f CPUs", quota.least);
	env_say(finding, ENV_NOISE,
		"a cgroup quota stops the tasks whenever they have used %.2f CPUs: lift %s in %s, "
		"or run elsewhere",
		quota.least, quota.file, quota.place);
}

static void look_at_cpuset(const struct env_host *host, struct env_finding *finding)
{
	unsigned int online = online_cpus(host);

	if (online == 0 || host->usable_cpus == 0)
		return;
	snprintf(finding->value, sizeof(finding->value), "%u of %u CPUs", host->usable_cpus,
		 online);
	if (host->usable_cpus < online)
		env_say(finding, ENV_NOTE,
			"a cpuset, a cgroup or taskset leaves %u of %u CPUs to this run: `all` "
			"means those, and what the others do disturbs",
			host->usable_cpus, online);
}

struct wanted {
	const char *root;
	const char *name;
	bool found;
};

static void compare_name(const char *pid, void *arg)
{
	struct wanted *wanted = arg;
	char comm[32];

	if (env_line(env_open(wanted->root, "/proc/%s/comm", pid), comm, sizeof(comm)) &&
	    strcmp(comm, wanted->name) == 0)
		wanted->found = true;
}

static bool is_running(const struct env_host *host, const char *name)
{
	struct wanted wanted = { .root = host->root, .name = name };

	env_processes(host->root, compare_name, &wanted);
	return wanted.found;
}

static void look_at_irqbalance(const struct env_host *host, struct env_finding *finding)
{
	bool running = is_running(host, "irqbalance");

	snprintf(finding->value, sizeof(finding->value), running ? "running" : "not running");
	if (running)
		env_say(finding, ENV_NOTE,
			"irqbalance moves interrupts between CPUs while tasks are measured: stop "
			"it for the run (systemctl stop irqbalance)");
}

static void look_at_numa_balancing(const struct env_host *host, struct env_finding *finding)
{
	char line[16];

	if (!read_line(host, "/proc/sys/kernel/numa_balancing", line, sizeof(line)))
		return;
	snprintf(finding->value, sizeof(finding->value), strcmp(line, "0") == 0 ? "off" : "on");
	if (strcmp(line, "0") != 0)
		env_say(finding, ENV_NOISE,
			"NUMA balancing unmaps pages to see who uses them, and moves them: switch "
			"it off for the run (sysctl kernel.numa_balancing=0)");
}

/* No noise, but what the kernel's own accounting does below every mapping. */
static void look_at_overcommit(const struct env_host *host, struct env_finding *finding)
{
	static const char *const policies[] = { "guess", "always", "never" };
	char line[16];

	if (read_line(host, "/proc/sys/vm/overcommit_memory", line, sizeof(line)) &&
	    line[0] >= '0' && line[0] <= '2' && !line[1])
		snprintf(finding->value, sizeof(finding->value), "%s", policies[line[0] - '0']);
}

const struct env_check env_kernel_checks[] = {
	{ "load", look_at_load },
	{ "steal", look_at_steal },
	{ "huge_pages", look_at_huge_pages },
	{ "address_randomisation", look_at_aslr },
	{ "isolated_cpus", look_at_isolated },
	{ "quota", look_at_quota },
	{ "cpuset", look_at_cpuset },
	{ "irqbalance", look_at_irqbalance },
	{ "numa_balancing", look_at_numa_balancing },
	{ "overcommit", look_at_overcommit },
	{ NULL, NULL },
};

// SPDX-License-Identifier: GPL-2.0-or-later
/* env_cpu_time.c - the share of the machine's CPU time that went idle or was stolen. */
#include <inttypes.h>

#include "machine/native/env_read.h"

int env_cpu_time_below(const char *root, struct cpu_time *time)
{
	enum { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, FIELDS };
	uint64_t ticks[FIELDS] = { 0 };
	char line[512];
	int read;

	*time = (struct cpu_time){ 0 };
	if (!env_line(env_open(root, "/proc/stat"), line, sizeof(line)))
		return -1;
	read = sscanf(line,
		      "cpu %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
		      " %" SCNu64 " %" SCNu64,
		      &ticks[USER], &ticks[NICE], &ticks[SYSTEM], &ticks[IDLE], &ticks[IOWAIT],
		      &ticks[IRQ], &ticks[SOFTIRQ], &ticks[STEAL]);
	if (read != FIELDS)
		return -1;
	/* The guest fields that follow are part of user and nice already. */
	for (int i = 0; i < FIELDS; i++)
		time->total += ticks[i];
	time->idle = ticks[IDLE] + ticks[IOWAIT];
	time->steal = ticks[STEAL];
	return 0;
}

int env_cpu_time(struct cpu_time *time)
{
	return env_cpu_time_below("", time);
}

/* Single fields run backwards at times (iowait, CPU hotplug): the result stays within 0..100. */
static double share(uint64_t from, uint64_t to, const struct cpu_time *before,
		    const struct cpu_time *after)
{
	double pct;

	if (before->total == 0 || after->total <= before->total)
		return -1;
	if (to <= from)
		return 0;
	pct = 100 * (double)(to - from) / (double)(after->total - before->total);
	return pct < 100 ? pct : 100;
}

double env_idle_pct(const struct cpu_time *from, const struct cpu_time *to)
{
	return share(from->idle, to->idle, from, to);
}

double env_steal_pct(const struct cpu_time *from, const struct cpu_time *to)
{
	return share(from->steal, to->steal, from, to);
}

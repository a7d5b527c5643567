// SPDX-License-Identifier: GPL-2.0-or-later
/* check_host.c - the `check-host` subcommand. */
#include "runner/check_host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/native/env_read.h"
#include "machine/native/ops.h"
#include "runner/output.h"

#define JITTER_NS 2000000000LL
#define LOST_PCT 1.0	     /* more than the interval of a good rate is wide */
#define LONGEST_NS 1000000LL /* a lock holder that is away as long stops everybody */
#define STOLEN_PCT 1.0

static struct env_finding *add_finding(struct env *env, const char *name)
{
	struct env_finding *finding = env_find(env, name);

	if (!finding)
		finding = &env->finding[env->findings++];
	*finding = (struct env_finding){ .name = name };
	return finding;
}

static void judge_jitter(struct host_report *report)
{
	struct env_finding *finding = add_finding(&report->env, "jitter");
	const struct jitter *lost = report->jitter, *longest = report->jitter;

	for (unsigned int i = 1; i < report->cpus; i++) {
		if (report->jitter[i].lost_pct > lost->lost_pct)
			lost = &report->jitter[i];
		if (report->jitter[i].longest_ns > longest->longest_ns)
			longest = &report->jitter[i];
	}
	snprintf(finding->value, sizeof(finding->value), "up to %.2f%% lost, longest gap %.0f us",
		 lost->lost_pct, (double)longest->longest_ns / 1e3);
	if (lost->lost_pct > LOST_PCT || longest->longest_ns > LONGEST_NS)
		env_say(finding, ENV_NOISE,
			"something else takes CPU %d for %.2f%% of the time and CPU %d for %.0f us "
			"at once: see what runs there (top, /proc/interrupts), and use --cpus= for "
			"quieter ones",
			lost->cpu, lost->lost_pct, longest->cpu, (double)longest->longest_ns / 1e3);
}

static void judge_steal(struct host_report *report, double steal_pct)
{
	struct env_finding *finding;

	if (steal_pct < 0)
		return;
	finding = add_finding(&report->env, "steal");
	snprintf(finding->value, sizeof(finding->value), "%.2f%% while looking", steal_pct);
	if (steal_pct > STOLEN_PCT)
		env_say(finding, ENV_NOISE,
			"the hypervisor took %.2f%% of the CPU time away while looking: measure "
			"when its other guests are quiet, or on the bare machine",
			steal_pct);
}

void check_host_judge(struct host_report *report, double steal_pct)
{
	judge_steal(report, steal_pct);
	judge_jitter(report);
}

static unsigned int count_noise(const struct host_report *report)
{
	unsigned int noise = 0;

	for (unsigned int i = 0; i < report->env.findings; i++)
		noise += report->env.finding[i].level == ENV_NOISE;
	return noise;
}

bool check_host_is_noisy(const struct host_report *report)
{
	return count_noise(report) > 0;
}

/* One sentence: what disturbs, by name. */
static void verdict(const struct host_report *report, char *text, size_t size)
{
	unsigned int noise = count_noise(report), said = 0;
	size_t used;

	if (noise == 0) {
		snprintf(text, size, "quiet: nothing found that disturbs a measurement");
		return;
	}
	used = (size_t)snprintf(text, size, "noisy: ");
	for (unsigned int i = 0; i < report->env.findings; i++)
		if (report->env.finding[i].level == ENV_NOISE && used < size)
			used += (size_t)snprintf(text + used, size - used, "%s%s",
						 said++ ? ", " : "", report->env.finding[i].name);
	if (used < size)
		snprintf(text + used, size - used, " disturb%s a measurement",
			 noise == 1 ? "s" : "");
}

static void print_text(const struct host_report *report, const char *verdict_text, FILE *out)
{
	fprintf(out, "%s, %s, Linux %s\n\n", report->env.host, report->env.cpu_model,
		report->env.kernel);
	for (unsigned int i = 0; i < report->env.findings; i++) {
		const struct env_finding *finding = &report->env.finding[i];

		fprintf(out, "%-5s  %-21s  %s\n", env_level_names[finding->level], finding->name,
			finding->value);
		if (finding->advice[0])
			fprintf(out, "       %s\n", finding->advice);
	}
	fprintf(out, "\n%5s  %8s  %8s  %11s\n", "CPU", "lost", "gaps", "longest us");
	for (unsigned int i = 0; i < report->cpus; i++)
		fprintf(out, "%5d  %7.3f%%  %8u  %11.1f\n", report->jitter[i].cpu,
			report->jitter[i].lost_pct, report->jitter[i].gaps,
			(double)report->jitter[i].longest_ns / 1e3);
	fprintf(out, "\nVerdict: %s\n", verdict_text);
}

static void print_csv(const struct host_report *report, const char *verdict_text, FILE *out)
{
	fprintf(out, "what,name,level,value,advice,lost_pct,gaps,longest_us\n");
	for (unsigned int i = 0; i < report->env.findings; i++) {
		const struct env_finding *finding = &report->env.finding[i];

		fprintf(out, "check,%s,%s,", finding->name, env_level_names[finding->level]);
		output_csv_text(out, finding->value);
		fputc(',', out);
		output_csv_text(out, finding->advice);
		fputs(",,,\n", out);
	}
	for (unsigned int i = 0; i < report->cpus; i++)
		fprintf(out, "cpu,%d,,,,%.4f,%u,%.3f\n", report->jitter[i].cpu,
			report->jitter[i].lost_pct, report->jitter[i].gaps,
			(double)report->jitter[i].longest_ns / 1e3);
	fprintf(out, "verdict,%s,,", check_host_is_noisy(report) ? "noisy" : "quiet");
	output_csv_text(out, verdict_text);
	fputs(",,,,\n", out);
}

static void print_json_pair(FILE *out, const char *key, const char *text, const char *end)
{
	fprintf(out, "\"%s\":", key);
	output_json_text(out, text);
	fputs(end, out);
}

static void print_json(const struct host_report *report, const char *verdict_text, FILE *out)
{
	fprintf(out, "{\"verdict\":\"%s\",", check_host_is_noisy(report) ? "noisy" : "quiet");
	print_json_pair(out, "summary", verdict_text, ",\n\"checks\":[");
	for (unsigned int i = 0; i < report->env.findings; i++) {
		const struct env_finding *finding = &report->env.finding[i];

		fprintf(out, "%s\n {\"name\":\"%s\",\"level\":\"%s\",", i ? "," : "", finding->name,
			env_level_names[finding->level]);
		print_json_pair(out, "value", finding->value, ",");
		print_json_pair(out, "advice", finding->advice, "}");
	}
	fprintf(out, "\n],\n\"cpus\":[");
	for (unsigned int i = 0; i < report->cpus; i++)
		fprintf(out, "%s\n {\"cpu\":%d,\"lost_pct\":%.4f,\"gaps\":%u,\"longest_us\":%.3f}",
			i ? "," : "", report->jitter[i].cpu, report->jitter[i].lost_pct,
			report->jitter[i].gaps, (double)report->jitter[i].longest_ns / 1e3);
	fprintf(out, "\n]}\n");
}

void check_host_print(const struct host_report *report, const struct config *config, FILE *out)
{
	char text[ENV_FINDINGS * 24 + 64];

	verdict(report, text, sizeof(text));
	if (!config->format_given)
		print_text(report, text, out);
	else if (config->format == FORMAT_JSON)
		print_json(report, text, out);
	else
		print_csv(report, text, out);
}

static int measure(struct host_report *report, const struct config *config, struct error *error)
{
	hwloc_const_bitmap_t set = config->cpus ? config->cpus : config->topology.usable;
	struct cpu_time from, to;
	int cpu = -1;

	report->jitter = calloc(config->usable_cpus, sizeof(*report->jitter));
	if (!report->jitter)
		return error_set(error, "no memory for %u CPUs", config->usable_cpus);
	while ((cpu = hwloc_bitmap_next(set, cpu)) >= 0 && report->cpus < config->usable_cpus)
		report->jitter[report->cpus++].cpu = cpu;
	/* The load is looked at before: two seconds on all CPUs would be seen in it. */
	env_look(&report->env, "", 0, topology_usable_pus(&config->topology));
	env_cpu_time(&from);
	if (jitter_measure(report->jitter, report->cpus, JITTER_NS, error) != 0)
		return -1;
	env_cpu_time(&to);
	check_host_judge(report, env_steal_pct(&from, &to));
	return 0;
}

int check_host(struct config *config)
{
	struct host_report report = { .cpus = 0 };
	struct error error;
	int status = 2;

	if (measure(&report, config, &error) != 0) {
		fprintf(stderr, "runtest: check-host: %s\n", error.text);
	} else if (native_ops.interrupted()) {
		status = 128 + native_ops.interrupted();
	} else {
		check_host_print(&report, config, stdout);
		status = check_host_is_noisy(&report);
	}
	free(report.jitter);
	return status;
}

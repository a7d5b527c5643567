// SPDX-License-Identifier: GPL-2.0-or-later
/* run.c - the main job: run a plan, print its table, write its file. */
#include "runner/run.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "machine/check.h"
#include "machine/native/env.h"
#include "machine/native/ops.h"
#include "runner/baseline.h"
#include "runner/header.h"
#include "runner/output.h"
#include "runner/progress.h"
#include "runner/resume.h"
#include "runner/table.h"

struct job {
	struct config *config;
	struct plan plan;
	struct env env;
	struct row_context context;
	struct output output;
	struct table table;
	struct progress progress;
	struct baselines baselines;
	unsigned int good, failed;
	char told[sizeof(((struct error *)0)->text)]; /* the last warning, so as to say it once */
};

static void stamp(char *text, size_t size, const char *format)
{
	time_t now = time(NULL);
	struct tm utc;

	gmtime_r(&now, &utc);
	strftime(text, size, format, &utc);
}

static void init_context(struct job *job, bool aslr_off)
{
	char time[24];

	stamp(time, sizeof(time), "%Y%m%dT%H%M%SZ");
	job->context.config = job->config;
	job->context.host = job->env.host;
	job->context.aslr_off = aslr_off;
	snprintf(job->context.run_id, sizeof(job->context.run_id), "%s-%d", time, (int)getpid());
}

static unsigned int most_tasks(const struct config *config)
{
	return config->tasks[config->task_count - 1] + config->readers;
}

static void look_at_host(struct job *job, bool *aslr_off)
{
	const struct config *config = job->config;

	env_look(&job->env, "", most_tasks(config), config->usable_cpus);
	*aslr_off = env_aslr_is_off();
	if (!*aslr_off && !config->aslr_on)
		env_warn(&job->env, "address-space randomisation stays on: this host refuses to "
				    "switch it off, so rates may differ from run to run");
}

static void print_warnings(const struct env *env)
{
	for (unsigned int i = 0; i < env->warnings; i++)
		fprintf(stderr, "warning: %s\n", env->warning[i]);
}

/* Rows of one point, written at once: they must be on disk before the next point begins. */
static void add_rows(struct job *job, const struct point *point, const struct result *result,
		     const char *time)
{
	unsigned int rows = result->phases ? result->phases : 1;

	for (unsigned int i = 0; i < rows; i++) {
		struct row row = { .context = &job->context,
				   .point = point,
				   .result = result,
				   .phase = &result->phase[i] };
		double base;

		snprintf(row.time, sizeof(row.time), "%s", time);
		if (result->status == STATUS_OK && point->tasks == 1)
			baselines_add(&job->baselines, point, i, row.phase->ops_per_sec);
		base = baselines_rate(&job->baselines, point, i);
		row.speedup = base > 0 ? row.phase->ops_per_sec / base : NAN;
		output_row(&job->output, &row);
		table_add(&job->table, &row);
	}
}

static void tell_warning(struct job *job, const struct error *warning)
{
	if (!warning->text[0] || strcmp(warning->text, job->told) == 0)
		return;
	memcpy(job->told, warning->text, sizeof(job->told));
	progress_clear(&job->progress);
	fprintf(stderr, "warning: %s\n", warning->text);
}

/* False when the user wants to stop: this point then leaves no row. */
static bool run_one(struct job *job, const struct point *point)
{
	struct result result;
	char time[32];

	stamp(time, sizeof(time), "%Y-%m-%dT%H:%M:%SZ");
	progress_point(&job->progress, point);
	measure_point(&native_ops, job->config, point, &job->progress, &result);
	progress_done(&job->progress);
	tell_warning(job, &result.warning);
	if (result.interrupted && result.status != STATUS_OK)
		return false;
	job->good += result.status == STATUS_OK;
	job->failed += result.status == STATUS_FAILED;
	add_rows(job, point, &result, time);
	return !result.interrupted;
}

static int finish(struct job *job, int interrupted)
{
	FILE *out = strcmp(job->output.path, "-") == 0 ? stderr : stdout;
	bool written = output_close(&job->output) == 0;

	progress_clear(&job->progress);
	table_print(&job->table, out);
	if (fflush(out) != 0) {
		fprintf(stderr, "runtest: cannot print the table: %s\n", strerror(errno));
		written = false;
	}
	if (interrupted)
		fprintf(stderr,
			"runtest: stopped by %s after %zu of %zu points; their rows are kept\n",
			interrupted == SIGINT ? "SIGINT" : "SIGTERM", job->table.count,
			job->plan.count);
	if (!interrupted && !job->good && !job->failed)
		fprintf(stderr, "runtest: nothing ran: every point was skipped\n");
	if (written && strcmp(job->output.path, "-") != 0)
		fprintf(out, "\nRows: %s\n", job->output.path);
	if (interrupted)
		return 128 + interrupted;
	return job->failed || !job->good || !written ? 1 : 0;
}

/* A new file with its header, or the one to go on with. With nothing left to run it says so. */
static int open_results(struct job *job, struct error *error)
{
	const struct config *config = job->config;
	struct resume resume;

	if (!config->resume) {
		output_open(&job->output, config);
		header_write(&job->output, config, &job->env);
		output_begin(&job->output);
		return 0;
	}
	if (resume_read(&resume, &job->context, &job->env, &job->plan, &job->baselines, error) != 0)
		return 2;
	if (job->plan.count == 0) {
		error_set(error, "nothing to do: %s has all %zu points", config->resume,
			  resume.kept);
		return 0;
	}
	fprintf(stderr, "runtest: %zu points are kept from %s, %zu are to be run\n", resume.kept,
		config->resume, job->plan.count);
	output_append(&job->output, config, resume.keep_bytes);
	return 0;
}

int run_plan(struct config *config)
{
	struct job job = { .config = config };
	struct error error;
	bool aslr_off;
	int status;

	if (plan_make(config, &job.plan, &error) != 0) {
		fprintf(stderr, "runtest: %s\n", error.text);
		plan_free(&job.plan);
		return 2;
	}
	if (config->dry_run) {
		plan_print(&job.plan, config);
		plan_free(&job.plan);
		return 0;
	}
	look_at_host(&job, &aslr_off);
	init_context(&job, aslr_off);
	status = open_results(&job, &error);
	if (status != 0 || job.plan.count == 0) {
		fprintf(stderr, "runtest: %s\n", error.text);
		goto out;
	}
	print_warnings(&job.env);
	progress_begin(&job.progress, config, &job.plan);
	for (size_t i = 0; i < job.plan.count; i++)
		if (native_ops.interrupted() || !run_one(&job, &job.plan.points[i]))
			break;
	status = finish(&job, native_ops.interrupted());
out:
	table_free(&job.table);
	baselines_free(&job.baselines);
	plan_free(&job.plan);
	return status;
}

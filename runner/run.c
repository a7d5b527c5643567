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
#include "runner/baseline.h"
#include "runner/chart.h"
#include "runner/header.h"
#include "runner/header_plan.h"
#include "runner/kernel.h"
#include "runner/latency.h"
#include "runner/needs.h"
#include "runner/output.h"
#include "runner/profiles.h"
#include "runner/progress.h"
#include "runner/resume.h"
#include "runner/table.h"
#include "runner/tune.h"

struct job {
	struct config *config;
	struct plan plan;
	struct env env;
	struct row_context context;
	struct output output;
	struct output latencies; /* opened only for a plan that notes any */
	struct table table;
	struct progress progress;
	struct baselines baselines;
	struct tune tune;
	struct kernel kernel;
	struct profiles profiles;
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
	/* Nothing of the host disturbs a simulated machine. */
	if (config_is_virtual(config)) {
		job->env.warnings = 0;
		return;
	}
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
		latency_row(&job->latencies, &row);
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

static void fail(struct result *result, const struct error *reason)
{
	result->status = STATUS_FAILED;
	result->phases = 0;
	result->reason = *reason;
}

/* A point whose knobs could not be set, or did not stay so, is no measurement of what it says. */
static void measure_with_knobs(struct job *job, const struct point *point, struct result *result)
{
	struct error error;

	if (!point->skip && kernel_set(&job->kernel, point, &error) != 0) {
		fail(result, &error);
		return;
	}
	measure_point(job->config->ops, job->config, point, &job->progress, result);
	if (result->status == STATUS_OK && kernel_check(&job->kernel, point, &error) != 0)
		fail(result, &error);
}

/* False when the user wants to stop: this point then leaves no row. */
static bool run_one(struct job *job, const struct point *point)
{
	struct result result = { .status = STATUS_OK };
	char time[32];

	stamp(time, sizeof(time), "%Y-%m-%dT%H:%M:%SZ");
	progress_point(&job->progress, point);
	measure_with_knobs(job, point, &result);
	progress_done(&job->progress);
	tell_warning(job, &result.warning);
	if (result.interrupted && result.status != STATUS_OK)
		return false;
	job->good += result.status == STATUS_OK;
	job->failed += result.status == STATUS_FAILED;
	add_rows(job, point, &result, time);
	if (job->config->tunes)
		tune_next(&job->tune, &job->plan, &result);
	profiles_add(&job->profiles, job->config, &job->output, point, &result);
	return !result.interrupted;
}

static int finish(struct job *job, int interrupted)
{
	FILE *out = strcmp(job->output.path, "-") == 0 ? stderr : stdout;
	bool written = output_close(&job->output) == 0;
	bool has_latencies = job->latencies.path[0];
	struct error error;

	if (has_latencies && output_close(&job->latencies) != 0)
		written = false;

	progress_clear(&job->progress);
	table_print(&job->table, out);
	if (job->config->tunes)
		tune_report(&job->tune, out);
	if (profiles_end(&job->profiles, out) != 0)
		written = false;
	if (fflush(out) != 0) {
		fprintf(stderr, "runtest: cannot print the table: %s\n", strerror(errno));
		written = false;
	}
	if (kernel_close(&job->kernel, &error) != 0) {
		fprintf(stderr, "runtest: %s\n", error.text);
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
	if (written && has_latencies)
		fprintf(out, "Latencies: %s\n", job->latencies.path);
	if (written && job->good && !interrupted && job->config->chart)
		chart_draw(job->output.path, job->config->chart_dir);
	if (interrupted)
		return 128 + interrupted;
	return job->failed || !job->good || !written ? 1 : 0;
}

static void open_files(struct job *job, const struct resume *resume)
{
	if (job->config->resume) {
		output_append(&job->output, job->config, resume->keep_bytes);
		return;
	}
	output_open(&job->output, job->config);
	header_write(&job->output, job->config, &job->env);
	header_plan_write(&job->output, job->config, &job->plan);
	output_begin(&job->output);
	if (!latency_in_plan(&job->plan))
		return;
	latency_open(&job->latencies, &job->output);
	header_write(&job->latencies, job->config, &job->env);
	latency_begin(&job->latencies);
}

static int make_plan(struct job *job, struct error *error)
{
	if (job->config->tunes)
		return tune_begin(&job->tune, job->config, &job->plan, error);
	return plan_make(job->config, &job->plan, error);
}

static int refuse(struct job *job, const struct error *error)
{
	fprintf(stderr, "runtest: %s\n", error->text);
	baselines_free(&job->baselines);
	plan_free(&job->plan);
	return 2;
}

/*
 * Before anything is written or set: what is short now would be short in the middle of the plan. A
 * simulated machine takes nothing of the host by what its tasks do.
 */
static int look_ahead(struct job *job, struct error *error)
{
	char folder[NEEDS_FOLDER];
	struct needs needs;

	if (config_is_virtual(job->config))
		return 0;
	needs = needs_of_plan(&job->plan, job->config, folder);
	if (preflight_check("", &needs, error) != 0)
		return -1;
	return kernel_open(&job->kernel, job->config, &needs, error);
}

/* Leaves of the plan what is still to be run. */
static int take_up(struct job *job, struct resume *resume, struct error *error)
{
	const char *file = job->config->resume;

	if (!file)
		return 0;
	if (latency_in_plan(&job->plan))
		return error_set(error,
				 "--resume=%s: a plan with a testcase that notes latencies "
				 "is run as a whole: their file would lack some",
				 file);
	if (resume_read(resume, &job->context, &job->env, &job->plan, &job->baselines, error) != 0)
		return -1;
	if (job->plan.count == 0)
		fprintf(stderr, "runtest: nothing to do: %s has all %zu points\n", file,
			resume->kept);
	else
		fprintf(stderr, "runtest: %zu points are kept from %s, %zu are to be run\n",
			resume->kept, file, job->plan.count);
	return 0;
}

static int run_points(struct job *job)
{
	progress_begin(&job->progress, job->config, &job->plan);
	for (size_t i = 0; i < job->plan.count; i++)
		if (job->config->ops->interrupted() || !run_one(job, &job->plan.points[i]))
			break;
	return finish(job, job->config->ops->interrupted());
}

int run_plan(struct config *config)
{
	struct job job = { .config = config, .latencies = { .failed = true } };
	struct resume resume;
	struct error error;
	bool aslr_off;
	int status = 0;

	if (chart_check(config, &error) != 0 || make_plan(&job, &error) != 0)
		return refuse(&job, &error);
	if (config->dry_run) {
		plan_print(&job.plan, config);
		plan_free(&job.plan);
		return 0;
	}
	look_at_host(&job, &aslr_off);
	init_context(&job, aslr_off);
	if (take_up(&job, &resume, &error) != 0)
		return refuse(&job, &error);
	if (job.plan.count > 0) {
		if (look_ahead(&job, &error) != 0)
			return refuse(&job, &error);
		print_warnings(&job.env);
		open_files(&job, &resume);
		profiles_begin(&job.profiles);
		status = run_points(&job);
	}
	table_free(&job.table);
	baselines_free(&job.baselines);
	plan_free(&job.plan);
	return status;
}

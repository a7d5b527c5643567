// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * binary.c - NAME_processes and NAME_threads: will-it-scale's options and its lines of output, at
 * which others look by position. What is behind the lines is ours: tasks are pinned within what the
 * user allows, an interval's rate is per second of the clock, and a fault is never an average.
 */
#include "runner/wis/binary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine/check.h"
#include "machine/native/ops.h"
#include "runner/options.h"
#include "runner/prepare.h"
#include "runner/registry.h"
#include "runner/units.h"
#include "runner/wis/compat.h"
#include "runner/wis/wis.h"

#define WARMUP_LINES 6 /* its own count, by which others skip what stands before */
#define SECOND_NS 1000000000ULL
#define MOST_SECONDS 86400U

struct binary {
	const char *program; /* the name that it was called by */
	char testcase[256];
	struct config *config;
	unsigned int tasks;
	unsigned int lines; /* 0: until it is ended */
	uint64_t warmup_ns; /* of each line of the warm-up */
	bool verbose;
};

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The part of the name before _processes or _threads; 0 when it is no such name. */
static size_t testcase_length(const char *name, enum m_mode *mode)
{
	static const char *const ends[] = { [M_PROCESS] = "_processes", [M_THREAD] = "_threads" };
	size_t length = strlen(name);

	for (unsigned int i = M_PROCESS; i <= M_THREAD; i++) {
		size_t end = strlen(ends[i]);

		*mode = (enum m_mode)i;
		if (length > end && strcmp(name + length - end, ends[i]) == 0)
			return length - end;
	}
	return 0;
}

bool wis_is_binary(const char *argv0)
{
	enum m_mode mode;

	return testcase_length(base_name(argv0), &mode) > 0;
}

static void print_usage(const struct binary *b)
{
	printf("Usage: %s [-t TASKS] [-s SECONDS] [-m | -n] [-v] [-w TIME]\n"
	       "  -t TASKS    how many run (1)\n"
	       "  -s SECONDS  lines of a second each, then their average; 0: until ended (0)\n"
	       "  -m          hardware threads of a core side by side (default: cores first)\n"
	       "  -n          do not bind tasks to CPUs\n"
	       "  -v          the rate of each task too\n"
	       "  -w TIME     of each of the %d lines of warm-up (250ms)\n"
	       "  -h          this list\n",
	       b->program, WARMUP_LINES);
}

static int take_number(char option, const char *text, unsigned int low, unsigned int high,
		       unsigned int *value, struct error *error)
{
	struct error cause;

	if (units_count(text, low, high, value, &cause) == 0)
		return 0;
	return error_set(error, "-%c %.40s: %s", option, text, cause.text);
}

static int take_option(struct binary *b, int option, struct error *error)
{
	struct error cause;

	switch (option) {
	case 't':
		return take_number('t', optarg, 1, TASKS_LIMIT, &b->tasks, error);
	case 's':
		return take_number('s', optarg, 0, MOST_SECONDS, &b->lines, error);
	case 'w':
		if (units_duration(optarg, &b->warmup_ns, &cause) == 0 && b->warmup_ns > 0)
			return 0;
		return error_set(error, "-w %.40s: give a time, as 1s or 250ms", optarg);
	case 'm':
	case 'n':
		if (b->config->placement != PLACEMENT_CORE)
			return error_set(error, "-m and -n exclude each other");
		b->config->placement = option == 'm' ? PLACEMENT_PU : PLACEMENT_NONE;
		return 0;
	case 'v':
		b->verbose = true;
		return 0;
	}
	return error_set(error, "option '-%c' is unknown or lacks its value; see -h", optopt);
}

/* 1: only the usage was wanted. */
static int take_options(struct binary *b, int argc, char **argv, struct error *error)
{
	int option;

	opterr = 0;
	while ((option = getopt(argc, argv, "mt:s:hvnw:")) >= 0) {
		if (option == 'h') {
			print_usage(b);
			return 1;
		}
		if (take_option(b, option, error) != 0)
			return -1;
	}
	return optind < argc ? error_set(error, "'%.40s' is one too many; see -h", argv[optind])
			     : 0;
}

/* Fills in what the command line of runtest would have. */
static int complete(struct binary *b, struct error *error)
{
	struct config *config = b->config;

	registry_settings(&config->settings);
	config->duration_ns = (b->lines ? b->lines : MOST_SECONDS) * SECOND_NS;
	config->timeout_ns = 2 * config->duration_ns + WARMUP_LINES * b->warmup_ns + 60 * SECOND_NS;
	config->tasks_text = "1";
	if (list_parse(&config->words, b->testcase, error) != 0 ||
	    wis_bare(config, b->testcase, error) != 0)
		return -1;
	if (config->wis && wis_open(config, error) != 0)
		return -1;
	if (config_resolve(config, error) != 0)
		return -1;
	config->tasks[0] = b->tasks;
	return 0;
}

/* One line: the rates since the counts in `before`, which are renewed. The sum, or -1. */
static double interval(const struct binary *b, struct m_run *run, uint64_t *before, int64_t *from,
		       uint64_t ns, struct error *error)
{
	double least = INFINITY, most = 0, sum = 0;
	double seconds;
	int64_t now;

	if (native_ops.advance(run, *from + (int64_t)ns, error) != M_OK)
		return -1;
	now = native_ops.now();
	seconds = (double)(now - *from) / 1e9;
	*from = now;
	for (unsigned int i = 0; i < b->tasks; i++) {
		uint64_t ops = m_task_of(run, i)->ops;
		double rate = (double)(ops - before[i]) / seconds;

		before[i] = ops;
		sum += rate;
		least = rate < least ? rate : least;
		most = rate > most ? rate : most;
		if (b->verbose)
			printf("%4u -> %.0f\n", i, rate);
	}
	printf("min:%.0f max:%.0f total:%.0f\n", least, most, sum);
	fflush(stdout);
	return sum;
}

static int measure(const struct binary *b, struct m_run *run, struct error *error)
{
	uint64_t *before = calloc(b->tasks, sizeof(*before));
	int64_t from = native_ops.now();
	double sum = 0, total = 0;

	CHECK(before);
	printf("warmup\n");
	for (unsigned int i = 0; i < WARMUP_LINES && sum >= 0; i++)
		sum = interval(b, run, before, &from, b->warmup_ns, error);
	if (sum >= 0)
		printf("measurement\n");
	for (unsigned int i = 0; (!b->lines || i < b->lines) && sum >= 0; i++) {
		sum = interval(b, run, before, &from, SECOND_NS, error);
		total += sum;
	}
	free(before);
	if (sum < 0 || native_ops.stop(run, error) != M_OK)
		return -1;
	printf("average:%.0f\n", floor(total / b->lines));
	return 0;
}

static int run(const struct binary *b, const struct point *point)
{
	struct error error = { .text = "" };
	struct prepared p;
	int result = prepare(&p, &native_ops, b->config, point, &error);

	printf("testcase:%s\n", point->cell->info->about);
	if (result == 0 && native_ops.start(p.run, &error) != M_OK)
		result = -1;
	if (result == 0) {
		native_ops.gate(p.run);
		result = measure(b, p.run, &error);
	}
	prepare_undo(&p, &native_ops);
	if (native_ops.interrupted())
		return 128 + native_ops.interrupted();
	if (result != 0)
		fprintf(stderr, "%s: %s\n", b->program, error.text);
	return result == 0 ? 0 : 1;
}

static int refuse(const struct binary *b, const struct error *error)
{
	fprintf(stderr, "%s: %s\n", b->program, error->text);
	return 2;
}

int wis_binary(struct config *config, int argc, char **argv)
{
	struct binary b = { .program = base_name(argv[0]),
			    .config = config,
			    .tasks = 1,
			    .warmup_ns = SECOND_NS / 4 };
	struct point point = { .batch = "default", .repeat = 1 };
	struct kind_args args;
	size_t length = testcase_length(b.program, &point.mode);
	struct error error;
	int result;

	snprintf(b.testcase, sizeof(b.testcase), "%.*s", (int)length, b.program);
	result = take_options(&b, argc, argv, &error);
	if (result != 0)
		return result > 0 ? 0 : refuse(&b, &error);
	native_ops.init();
	if (complete(&b, &error) != 0)
		return refuse(&b, &error);
	point.tasks = b.tasks;
	point.cell = registry_find("native", b.testcase,
				   config->counters.count ? config->counters.item[0] : NULL);
	if (!point.cell) {
		error_set(&error, "there is no testcase '%.60s' beside this program nor in it",
			  b.testcase);
		return refuse(&b, &error);
	}
	if (!(point.cell->info->modes & point.mode)) {
		error_set(&error, "%s", point.cell->info->mode_reason);
		return refuse(&b, &error);
	}
	args = plan_kind_args(config, &point);
	if (point.cell->info->cannot_run && point.cell->info->cannot_run(&args)) {
		error_set(&error, "%s", point.cell->info->cannot_run(&args));
		return refuse(&b, &error);
	}
	if (b.tasks > config->usable_cpus)
		fprintf(stderr, "warning: %u tasks on %u CPUs: they take turns\n", b.tasks,
			config->usable_cpus);
	return run(&b, &point);
}

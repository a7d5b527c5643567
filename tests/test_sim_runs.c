// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_sim_runs.c - whole points on the simulated machine, as the runner measures them: the same
 * figures where every access takes its turn, published figures, and the shape of the curves.
 */
#include <math.h>

#include "runner/cli.h"
#include "runner/config.h"
#include "runner/measure.h"
#include "runner/plan.h"
#include "runner/registry.h"
#include "tests/sim_rig.h"

static struct config config;
static struct plan plan;
static struct progress progress;

/* The plan of a command line, its words parted by blanks. */
static void plan_of(const char *line)
{
	static char words[400];
	char *argv[32] = { "runtest" };
	char *rest;
	int argc = 1;

	snprintf(words, sizeof(words), "%s --progress=never", line);
	for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
		argv[argc++] = word;
	config_init(&config, argv);
	if (cli_parse(&config, argc, argv, &rig.error) != 0 ||
	    config_resolve(&config, &rig.error) != 0 || plan_make(&config, &plan, &rig.error) != 0)
		fail_msg("%s", rig.error.text);
}

static void plan_end(void)
{
	plan_free(&plan);
	config_free(&config);
}

static void measure(const struct point *point, struct result *result)
{
	measure_point(config.ops, &config, point, &progress, result);
	if (result->status == STATUS_FAILED)
		fail_msg("%s %s, %u tasks: %s", point->cell->testcase, point->cell->counter,
			 point->tasks, result->reason.text);
}

static double rate_of(const char *line)
{
	struct result result;

	plan_of(line);
	assert_int_equal(plan.count, 1);
	measure(&plan.points[0], &result);
	plan_end();
	return result.phase[0].ops_per_sec;
}

/* No padding may differ, so by what the columns show; NAN is like NAN. */
static void expect_same(const struct phase *a, const struct phase *b)
{
	assert_memory_equal(&a->totals, &b->totals, sizeof(a->totals));
	assert_memory_equal(&a->ops_per_sec, &b->ops_per_sec, sizeof(double));
	assert_memory_equal(&a->ops_low, &b->ops_low, sizeof(double));
	assert_memory_equal(&a->ops_high, &b->ops_high, sizeof(double));
	assert_memory_equal(&a->task_min, &b->task_min, sizeof(double));
	assert_memory_equal(&a->task_median, &b->task_median, sizeof(double));
	assert_memory_equal(&a->task_max, &b->task_max, sizeof(double));
	assert_memory_equal(&a->duration_s, &b->duration_s, sizeof(double));
	assert_int_equal(a->error_max, b->error_max);
	assert_int_equal(a->error_bound, b->error_bound);
	assert_int_equal(a->batch_used, b->batch_used);
}

static void expect_same_without_running_ahead(const char *line)
{
	plan_of(line);
	for (size_t i = 0; i < plan.count; i++) {
		struct result fast, slow;

		measure(&plan.points[i], &fast);
		sim_tuning.always_switch = true;
		measure(&plan.points[i], &slow);
		sim_tuning.always_switch = false;
		assert_int_equal(fast.status, slow.status);
		assert_int_equal(fast.phases, slow.phases);
		for (unsigned int phase = 0; phase < fast.phases; phase++)
			expect_same(&fast.phase[phase], &slow.phase[phase]);
	}
	plan_end();
}

/* Every testcase with every counter of it, on machines of each kind. */
static void test_running_ahead_changes_no_figure(void **state)
{
	struct names testcases;

	(void)state;
	registry_testcases(&testcases);
	for (unsigned int i = 0; i < testcases.count; i++) {
		const struct cell *cell = registry_find("sim", testcases.name[i], NULL);
		struct names counters;
		char line[200];

		assert_non_null(cell);
		registry_counters(&counters, cell->kind);
		/* Long enough for an operation, and not more memory than is needed for that. */
		snprintf(line, sizeof(line),
			 "%s%s --machine=4s72c144t --tasks=1,3,40,144 --duration=%s%s",
			 testcases.name[i], counters.count ? " --counter=all" : "",
			 cell->info->charges > 2 || cell->info->touches_size ? "500us" : "10us",
			 cell->info->size > (4 << 20) && strcmp(cell->kind, "lru") == 0
				 ? " --size=2M"
				 : "");
		expect_same_without_running_ahead(line);
		snprintf(line, sizeof(line), "%s%s --machine=8c16t --tasks=2,16 --duration=%s%s",
			 testcases.name[i], counters.count ? " --counter=all --batch=8" : "",
			 cell->info->charges > 2 || cell->info->touches_size ? "500us" : "30us",
			 cell->info->size > (4 << 20) && strcmp(cell->kind, "lru") == 0
				 ? " --size=2M"
				 : "");
		expect_same_without_running_ahead(line);
	}
	expect_same_without_running_ahead("mmap1 --machine=2s128c256t --tasks=70 --readers=2 "
					  "--policy-switch=never@50% --duration=200us --batch=64x");
	expect_same_without_running_ahead("null1 --machine=8c16t --tasks=12 --batch=1000000 "
					  "--policy-switch=never@50% --duration=50us");
}

/*
 * Contended fetch-adds on the 8-socket Xeon 8176, ns of the whole machine for each: perfbook's
 * figures (CodeSamples/count, one atomic word).
 */
static void test_contended_adds_as_published(void **state)
{
	static const struct {
		unsigned int tasks;
		double published_ns;
	} rows[] = { { 28, 22.3 }, { 56, 23.7 }, { 112, 28.6 }, { 224, 31.5 } };

	(void)state;
	for (unsigned int i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char line[160];
		double ns;

		snprintf(line, sizeof(line),
			 "null1 --counter=atomic --machine=8s224c448t --tasks=%u --duration=1ms",
			 rows[i].tasks);
		ns = 1e9 / rate_of(line);
		if (fabs(ns / rows[i].published_ns - 1) > 0.2)
			fail_msg("%u tasks: %.1f ns, published %.1f", rows[i].tasks, ns,
				 rows[i].published_ns);
	}
}

static double mmap1(const char *machine, const char *batch, unsigned int tasks, const char *more)
{
	char line[200];

	snprintf(line, sizeof(line), "mmap1 --machine=%s --batch=%s --tasks=%u %s", machine, batch,
		 tasks, more);
	return rate_of(line);
}

/* At 1x the rate falls once the second package joins; at 64x it grows to the last thread. */
static void test_shape_of_mmap1(void **state)
{
	double peak = mmap1("4s72c144t", "1x", 16, "");
	double before = 0;

	(void)state;
	assert_true(mmap1("4s72c144t", "1x", 2, "") < peak);
	assert_in_range(100 * mmap1("4s72c144t", "1x", 36, "") / peak, 35, 65);
	assert_in_range(100 * mmap1("4s72c144t", "1x", 144, "") / peak, 20, 60);
	for (unsigned int tasks = 36; tasks <= 144; tasks += 36) {
		double rate = mmap1("4s72c144t", "64x", tasks, "");

		assert_true(rate > before);
		before = rate;
	}
}

/* The two published gains, which the path costs are fitted on; 16x lies where memory says. */
static void test_gains_of_mmap1(void **state)
{
	double base = mmap1("4s72c144t", "1x", 144, "--duration=100ms");
	double desktop = mmap1("8c16t", "1x", 16, "");

	(void)state;
	assert_in_range(1000 * mmap1("4s72c144t", "64x", 144, "") / base, 21970 * 0.95,
			21970 * 1.05);
	assert_in_range(1000 * mmap1("4s72c144t", "16x", 144, "") / base, 21970 * 0.95,
			21970 * 1.05);
	assert_in_range(1000 * mmap1("8c16t", "64x", 16, "") / desktop, 1530 * 0.97, 1530 * 1.03);
	/* With no more than 2 GiB a CPU, 16x is a batch that every operation reaches. */
	assert_in_range(1000 * mmap1("8c16t", "16x", 16, "--memory=32G") / desktop, 900, 1100);
	assert_in_range(1000 * mmap1("8c16t", "16x", 16, "--memory=33G") / desktop, 1480, 1580);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		rig_test(test_running_ahead_changes_no_figure),
		rig_test(test_contended_adds_as_published),
		rig_test(test_shape_of_mmap1),
		rig_test(test_gains_of_mmap1),
	};

	rig_init();
	return cmocka_run_group_tests_name("sim runs", tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* test_check_host.c - the verdict over a host, on made-up figures; and that jitter is measured. */
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runner/check_host.h"

static struct env_finding *judged(struct host_report *report, double steal_pct, const char *name)
{
	check_host_judge(report, steal_pct);
	return env_find(&report->env, name);
}

static void quiet(void **state)
{
	struct jitter cpus[] = { { 0, 0.2, 40000, 10 }, { 1, 0.9, 900000, 20 } };
	struct host_report report = { .jitter = cpus, .cpus = 2 };

	(void)state;
	assert_string_equal(judged(&report, 0.5, "jitter")->value,
			    "up to 0.90% lost, longest gap 900 us");
	assert_string_equal(env_find(&report.env, "steal")->value, "0.50% while looking");
	assert_false(check_host_is_noisy(&report));
}

/* Each of the limits by itself, and the CPU that is over it is named. */
static void noisy(void **state)
{
	struct jitter lost[] = { { 0, 0.2, 900000, 1 }, { 3, 1.1, 40000, 1 } };
	struct jitter late[] = { { 5, 0.2, 1100000, 1 }, { 1, 0.3, 40000, 1 } };
	struct jitter calm[] = { { 0, 0, 0, 0 } };
	struct host_report report = { .jitter = lost, .cpus = 2 };

	(void)state;
	assert_non_null(strstr(judged(&report, -1, "jitter")->advice, "takes CPU 3 for 1.10%"));
	assert_null(env_find(&report.env, "steal")); /* not known: nothing is said */
	assert_true(check_host_is_noisy(&report));
	report = (struct host_report){ .jitter = late, .cpus = 2 };
	assert_non_null(strstr(judged(&report, 0, "jitter")->advice, "CPU 5 for 1100 us at once"));
	assert_true(check_host_is_noisy(&report));
	report = (struct host_report){ .jitter = calm, .cpus = 1 };
	assert_int_equal(judged(&report, 1.5, "steal")->level, ENV_NOISE);
	assert_true(check_host_is_noisy(&report));
}

/* What was measured while looking takes the place of what has been since boot. */
static void steal_once(void **state)
{
	struct jitter calm[] = { { 0, 0, 0, 0 } };
	struct host_report report = { .jitter = calm, .cpus = 1 };

	(void)state;
	report.env.findings = 1;
	report.env.finding[0] = (struct env_finding){ .name = "steal", .level = ENV_NOTE };
	assert_ptr_equal(judged(&report, 0, "steal"), &report.env.finding[0]);
	assert_int_equal(report.env.finding[0].level, ENV_FINE);
	assert_int_equal(report.env.findings, 2); /* and jitter */
}

static void printed(void **state)
{
	static const char wanted[] = "what,name,level,value,advice,lost_pct,gaps,longest_us\n"
				     "check,quota,noise,\"1, 2\",\"do \"\"this\"\"\",,,\n"
				     "check,load,fine,0.00,,,,\n"
				     "cpu,4,,,,0.2500,7,12.346\n"
				     "verdict,noisy,,noisy: quota disturbs a measurement,,,,\n";
	struct jitter cpus[] = { { 4, 0.25, 12346, 7 } };
	struct host_report report = { .jitter = cpus, .cpus = 1 };
	struct config config = { .format = FORMAT_CSV, .format_given = true };
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	report.env.findings = 2;
	report.env.finding[0] = (struct env_finding){
		.name = "quota", .level = ENV_NOISE, .value = "1, 2", .advice = "do \"this\""
	};
	report.env.finding[1] = (struct env_finding){ .name = "load", .value = "0.00" };
	check_host_print(&report, &config, out);
	fclose(out);
	assert_string_equal(text, wanted);
	free(text);
}

static void measured(void **state)
{
	cpu_set_t allowed;
	struct jitter jitter[2] = { { 0 } };
	struct error error = { "" };
	int cpu = 0;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(allowed), &allowed), 0);
	while (!CPU_ISSET(cpu, &allowed))
		cpu++;
	jitter[0].cpu = cpu;
	assert_int_equal(jitter_measure(jitter, 1, 50000000, &error), 0);
	assert_int_equal(jitter[0].cpu, cpu);
	assert_true(jitter[0].lost_pct >= 0 && jitter[0].lost_pct <= 100);
	assert_true(jitter[0].gaps == 0 || jitter[0].longest_ns > JITTER_GAP_NS);
	jitter[1].cpu = 8000;
	assert_int_equal(jitter_measure(jitter, 2, 1000000, &error), -1);
	assert_non_null(strstr(error.text, "CPU 8000"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(quiet),   cmocka_unit_test(noisy),    cmocka_unit_test(steal_once),
		cmocka_unit_test(printed), cmocka_unit_test(measured),
	};

	return cmocka_run_group_tests_name("check_host", tests, NULL, NULL);
}

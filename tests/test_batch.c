// SPDX-License-Identifier: GPL-2.0-or-later
/* test_batch.c - what may stand in --batch, what it means for the kind commit, and each mistake. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "counters/batch.h"
#include "counters/commit_options.h"

#define LIMIT 2147483647LL

static void good(const char *text, enum batch_form form, int64_t value)
{
	struct batch_spec spec = { .value = -1 };
	struct error error = { "" };

	if (batch_parse(text, LIMIT, &spec, &error) != 0)
		fail_msg("%s", error.text);
	assert_int_equal(spec.form, form);
	if (form != BATCH_DEFAULT)
		assert_int_equal(spec.value, value);
	assert_string_equal(error.text, "");
}

static void test_good(void **state)
{
	(void)state;
	good("default", BATCH_DEFAULT, 0);
	good("1", BATCH_NUMBER, 1);
	good("4096", BATCH_NUMBER, 4096);
	good("007", BATCH_NUMBER, 7);
	good("2147483647", BATCH_NUMBER, LIMIT);
	good("1x", BATCH_MULTIPLE, 1);
	good("64x", BATCH_MULTIPLE, 64);
	good("1000000x", BATCH_MULTIPLE, 1000000);
}

static void bad(const char *text, int64_t limit, const char *message)
{
	struct batch_spec spec;
	struct error error = { "" };

	assert_int_equal(batch_parse(text, limit, &spec, &error), -1);
	assert_string_equal(error.text, message);
}

static void no_form(const char *text)
{
	char message[200];

	snprintf(message, sizeof(message),
		 "--batch=%s: give a multiple as 64x, a number as 4096, or default", text);
	bad(text, LIMIT, message);
}

static void no_unit(const char *text, const char *unit)
{
	char message[200];

	snprintf(
		message, sizeof(message),
		"--batch=%s: '%s' is no unit: give a multiple as 64x, a number as 4096, or default",
		text, unit);
	bad(text, LIMIT, message);
}

static void test_bad(void **state)
{
	static const char *const no_forms[] = { "",  "x",   "x64", "-1", "+5",	    " 5",
						"k", "all", ".5",  "-x", "DEFAULT", "defaults" };

	(void)state;
	for (unsigned int i = 0; i < sizeof(no_forms) / sizeof(no_forms[0]); i++)
		no_form(no_forms[i]);
	no_unit("64X", "X");
	no_unit("64xx", "xx");
	no_unit("64x ", "x ");
	no_unit("64 x", " x");
	no_unit("5 ", " ");
	no_unit("4K", "K");
	no_unit("1.5x", ".5x");
	no_unit("0x10", "x10");
	no_unit("1e3", "e3");
	no_unit("1,2", ",2");
	no_unit("99999999999999999999k", "k");
}

static void test_out_of_range(void **state)
{
	(void)state;
	bad("0", LIMIT, "--batch=0: must be at least 1");
	bad("0x", LIMIT, "--batch=0x: must be at least 1");
	bad("000", LIMIT, "--batch=000: must be at least 1");
	bad("2147483648", LIMIT, "--batch=2147483648: must be at most 2147483647");
	bad("9223372036854775807", LIMIT,
	    "--batch=9223372036854775807: must be at most 2147483647");
	bad("99999999999999999999", LIMIT,
	    "--batch=99999999999999999999: must be at most 2147483647");
	bad("99999999999999999999x", LIMIT,
	    "--batch=99999999999999999999x: must be at most 2147483647");
	bad("99999999999999999999", INT64_MAX,
	    "--batch=99999999999999999999: must be at most 9223372036854775807");
	bad("126", 125, "--batch=126: must be at most 125");
}

/* What an item comes to for the kind commit, on a machine of 32 GiB and 16 CPUs. */
static void commit_batch_is(const char *text, enum overcommit_policy policy, int64_t wanted)
{
	struct setting setting = { .row = &commit_options[0], .value = policy };
	const struct settings settings = { .list = &setting, .count = 1 };
	const struct kind_args args = { .settings = &settings,
					.memory_bytes = 32LL << 30,
					.cpus = 16 };
	struct error error = { "" };
	int64_t batch = -1;

	assert_string_equal(commit_options[0].name, "policy");
	if (commit_parse_batch(text, &args, &batch, &error) != 0)
		fail_msg("%s", error.text);
	assert_int_equal(batch, wanted);
	assert_int_equal(commit_parse_batch("1K", &args, &batch, &error), -1);
	assert_int_equal(batch, wanted);
}

static void test_commit(void **state)
{
	(void)state;
	commit_batch_is("default", OVERCOMMIT_GUESS, 131072);
	commit_batch_is("default", OVERCOMMIT_ALWAYS, 131072);
	commit_batch_is("default", OVERCOMMIT_NEVER, 2048);
	/* A multiple is one of the formula, whatever the policy, and its floor comes after. */
	commit_batch_is("1x", OVERCOMMIT_GUESS, 2048);
	commit_batch_is("16x", OVERCOMMIT_NEVER, 32768);
	commit_batch_is("64x", OVERCOMMIT_NEVER, 131072);
	commit_batch_is("2147483647x", OVERCOMMIT_GUESS, LIMIT);
	commit_batch_is("1", OVERCOMMIT_GUESS, 1);
	commit_batch_is("2147483647", OVERCOMMIT_NEVER, LIMIT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_bad),
		cmocka_unit_test(test_out_of_range),
		cmocka_unit_test(test_commit),
	};

	return cmocka_run_group_tests_name("batch", tests, NULL, NULL);
}

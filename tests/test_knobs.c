// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_knobs.c - the kernel's knobs in a made-up /proc/sys: set, put back by the guardian whatever
 * happens to the runner, and kept apart by the lock.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "machine/native/env_read.h"
#include "machine/native/knobs.h"
#include "tests/env_tree.h"

#define POLICY "/proc/sys/vm/overcommit_memory"
#define RATIO "/proc/sys/vm/overcommit_ratio"
#define KBYTES "/proc/sys/vm/overcommit_kbytes"
#define NUMA_STAT "/proc/sys/vm/numa_stat"
#define LOCK "/run/will-it-batch.knobs"

static int make_knobs(void **state)
{
	if (make_clean_tree(state) != 0)
		return -1;
	put(POLICY, "0\n");
	put(RATIO, "50\n");
	put(KBYTES, "0\n");
	put(NUMA_STAT, "1\n");
	put("/run/keep", "");
	return 0;
}

#define WITH_KNOBS(test) cmocka_unit_test_setup_teardown(test, make_knobs, remove_tree)

static struct knob_request request_for(const char *want)
{
	return (struct knob_request){ .root = root,
				      .want = want,
				      .command = "runtest brk1",
				      .wanted = { true, true, true } };
}

static const struct knob_values never = { { [KNOB_RATIO] = "80", [KNOB_POLICY] = "never" } };

static struct knob_guard *must_open(const char *want)
{
	struct knob_request request = request_for(want);
	struct error error = { "" };
	struct knob_guard *guard = knobs_open(&request, &error);

	if (!guard)
		fail_msg("%s", error.text);
	return guard;
}

static void must_set(struct knob_guard *guard, const struct knob_values *values)
{
	struct error error = { "" };

	if (knobs_set(guard, values, &error) != 0)
		fail_msg("%s", error.text);
}

static bool is(const char *path, const char *value)
{
	char line[32];

	return env_line(env_open(root, "%s", path), line, sizeof(line)) && strcmp(line, value) == 0;
}

static bool lock_is_there(void)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s" LOCK, root);
	return access(path, F_OK) == 0;
}

static void until_back(void)
{
	for (int i = 0; i < 5000; i++) {
		if (is(POLICY, "0") && is(RATIO, "50") && !lock_is_there())
			return;
		usleep(1000);
	}
	fail_msg("not put back");
}

static void set_and_put_back(void **state)
{
	static const struct knob_values other = { { [KNOB_POLICY] = "always" } };
	struct knob_guard *guard = must_open("a");
	struct error error = { "" };

	(void)state;
	assert_true(is(POLICY, "0") && is(RATIO, "50"));
	must_set(guard, &never);
	assert_true(is(POLICY, "2") && is(RATIO, "80") && is(NUMA_STAT, "1"));
	assert_int_equal(knobs_check(guard, &never, &error), 0);
	must_set(guard, &other);
	assert_true(is(POLICY, "1") && is(RATIO, "80"));
	assert_int_equal(knobs_close(guard, &error), 0);
	assert_true(is(POLICY, "0") && is(RATIO, "50") && is(NUMA_STAT, "1"));
	assert_false(lock_is_there());
}

/* A child that sets them and dies; with a child of its own that lives on, or without. */
static pid_t start_runner(bool with_task)
{
	int ready[2];
	char byte;
	pid_t pid;

	assert_int_equal(pipe(ready), 0);
	pid = fork();
	if (pid == 0) {
		struct knob_request request = request_for("a");
		struct error error;
		struct knob_guard *guard = knobs_open(&request, &error);

		if (!guard || knobs_set(guard, &never, &error) != 0)
			_exit(1);
		if (with_task && fork() == 0) {
			close(ready[1]);
			alarm(20);
			pause();
			_exit(0);
		}
		if (write(ready[1], "x", 1) != 1)
			_exit(1);
		pause();
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	return pid;
}

static void runner_killed(void **state)
{
	(void)state;
	for (int with_task = 0; with_task < 2; with_task++) {
		pid_t pid = start_runner(with_task);

		assert_true(is(POLICY, "2") && is(RATIO, "80"));
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		until_back();
	}
}

static void others_are_refused(void **state)
{
	struct knob_guard *first = must_open("--kernel-policy=never");
	struct knob_request second = request_for("--kernel-policy=guess");
	struct error error = { "" };
	char pid[40];

	(void)state;
	must_set(first, &never);
	assert_null(knobs_open(&second, &error));
	snprintf(pid, sizeof(pid), "process %d (runtest brk1)", (int)getpid());
	assert_non_null(strstr(error.text, pid));
	assert_non_null(strstr(error.text, "wants --kernel-policy=never"));
	assert_true(is(POLICY, "2"));
	assert_int_equal(knobs_close(first, &error), 0);
	assert_int_equal(knobs_close(must_open("--kernel-policy=guess"), &error), 0);
}

static void same_wish_shares(void **state)
{
	struct knob_guard *first = must_open("a"), *second = must_open("a");
	struct error error = { "" };

	(void)state;
	must_set(first, &never);
	must_set(second, &never);
	assert_int_equal(knobs_close(first, &error), 0);
	assert_true(is(POLICY, "2") && is(RATIO, "80")); /* the other still runs */
	assert_int_equal(knobs_check(second, &never, &error), 0);
	assert_int_equal(knobs_close(second, &error), 0);
	assert_true(is(POLICY, "0") && is(RATIO, "50") && !lock_is_there());
}

/* Who goes through several values of a knob cannot share it with anybody. */
static void several_values_are_alone(void **state)
{
	struct knob_request request = request_for("a");
	struct knob_guard *first;
	struct error error = { "" };

	(void)state;
	request.alone = true;
	first = knobs_open(&request, &error);
	assert_non_null(first);
	assert_null(knobs_open(&request, &error));
	assert_int_equal(knobs_close(first, &error), 0);
}

static void somebody_else(void **state)
{
	struct knob_guard *guard = must_open("a");
	struct error error = { "" };

	(void)state;
	must_set(guard, &never);
	put(POLICY, "1\n");
	assert_int_equal(knobs_check(guard, &never, &error), -1);
	assert_string_equal(error.text, "somebody else set /proc/sys/vm/overcommit_memory to 1 "
					"while it was to be 2");
	assert_int_equal(knobs_close(guard, &error), -1);
	assert_non_null(strstr(error.text, "is left at 1"));
	assert_true(is(POLICY, "1") && is(RATIO, "50")); /* what is theirs, and what is ours */
	assert_false(lock_is_there());
}

/* The kernel clears one of the two when the other is written. */
static void kbytes_come_back(void **state)
{
	struct knob_guard *guard;
	struct error error = { "" };

	(void)state;
	put(RATIO, "0\n");
	put(KBYTES, "9000\n");
	guard = must_open("a");
	must_set(guard, &never);
	put(KBYTES, "0\n");
	assert_int_equal(knobs_close(guard, &error), 0);
	assert_true(is(KBYTES, "9000"));
}

/* A guardian that was killed too: the next run finds its file, and nobody who holds it. */
static void left_behind(void **state)
{
	struct error error = { "" };

	(void)state;
	put(LOCK, "runner 1\nwant x\ncommand y\nknob 2 0 - 2\nknob 1 1 - 0\n");
	put(POLICY, "2\n");
	put(NUMA_STAT, "7\n"); /* changed since: not ours any more */
	assert_int_equal(knobs_close(must_open("a"), &error), 0);
	assert_true(is(POLICY, "0") && is(NUMA_STAT, "7") && !lock_is_there());
}

static void no_such_knob(void **state)
{
	struct knob_request request = request_for("a");
	char path[PATH_MAX];
	struct error error = { "" };

	(void)state;
	snprintf(path, sizeof(path), "%s" NUMA_STAT, root);
	assert_int_equal(unlink(path), 0);
	assert_null(knobs_open(&request, &error));
	assert_string_equal(error.text,
			    "--kernel-numa-stat: this kernel has no /proc/sys/vm/numa_stat");
	assert_false(lock_is_there());
	request.wanted[KNOB_NUMA_STAT] = false;
	assert_int_equal(knobs_close(knobs_open(&request, &error), &error), 0);
}

static void values(void **state)
{
	struct error error;
	int64_t value = -1;

	(void)state;
	assert_int_equal(knob_parse(KNOB_POLICY, "never", &value, &error), 0);
	assert_int_equal(value, 2);
	assert_int_equal(knob_parse(KNOB_RATIO, "1000", &value, &error), 0);
	assert_int_equal(value, 1000);
	assert_int_equal(knob_parse(KNOB_RATIO, "1001", &value, &error), -1);
	assert_int_equal(knob_parse(KNOB_RATIO, "", &value, &error), -1);
	assert_int_equal(knob_parse(KNOB_RATIO, "5 ", &value, &error), -1);
	assert_int_equal(knob_parse(KNOB_RATIO, "99999999999999999999", &value, &error), -1);
	assert_int_equal(knob_parse(KNOB_NUMA_STAT, "2", &value, &error), -1);
	assert_int_equal(knob_parse(KNOB_POLICY, "0", &value, &error), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_KNOBS(set_and_put_back),
		WITH_KNOBS(runner_killed),
		WITH_KNOBS(others_are_refused),
		WITH_KNOBS(same_wish_shares),
		WITH_KNOBS(several_values_are_alone),
		WITH_KNOBS(somebody_else),
		WITH_KNOBS(kbytes_come_back),
		WITH_KNOBS(left_behind),
		WITH_KNOBS(no_such_knob),
		cmocka_unit_test(values),
	};

	alarm(120);
	return cmocka_run_group_tests_name("knobs", tests, NULL, NULL);
}

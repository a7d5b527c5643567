// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_env_aslr.c - address randomisation is switched off by one exec, never by an endless chain of
 * them. The program executes itself as a child, under a personality(2) of its own that may refuse,
 * do nothing, or forget its flag in the exec.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "machine/native/env.h"

#define PASSES_MAX 5 /* a chain longer than this is endless */

static const char *behaviour = "real";
static char program[4096]; /* this file */

/* In the place of libc's. */
int personality(unsigned long persona)
{
	static int held; /* what an exec forgets */
	int before = held;

	if (strcmp(behaviour, "real") == 0)
		return (int)syscall(SYS_personality, persona);
	if (persona == 0xffffffff)
		return before;
	if (strcmp(behaviour, "refuses") == 0) {
		errno = EPERM;
		return -1;
	}
	if (strcmp(behaviour, "forgets") == 0)
		held = (int)persona;
	return before; /* or "nothing" */
}

/* What the child says of itself through its standard output. */
struct report {
	int passes, result, marked, off;
	uintptr_t stack;
	char error[480];
};

/*
 * The child: argv is {program, "child", behaviour, ...}. Each pass adds a letter to a file that
 * stays open over the exec as descriptor 3.
 */
static int child(char **argv)
{
	struct report report = { 0 };
	struct error error = { "" };
	int here;

	behaviour = argv[2];
	if (write(3, "x", 1) != 1)
		return 10;
	report.passes = (int)lseek(3, 0, SEEK_END);
	if (report.passes > PASSES_MAX)
		return 11;
	report.result = env_aslr_off(argv, &error);
	report.off = env_aslr_is_off();
	report.marked = getenv("WILL_IT_BATCH_ASLR") != NULL;
	report.stack = (uintptr_t)&here;
	memcpy(report.error, error.text, sizeof(report.error));
	return write(1, &report, sizeof(report)) == sizeof(report) ? 0 : 12;
}

static struct report run_child(const char *how)
{
	char *argv[] = { "a name of its own", "child", (char *)how, NULL };
	struct report report = { 0 };
	int out[2], status, passes;
	FILE *file;
	pid_t pid;

	file = tmpfile();
	assert_non_null(file);
	passes = fileno(file);
	assert_int_equal(pipe(out), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		/* Out of the way first, since either may be 3 by itself. */
		int count_in = fcntl(passes, F_DUPFD, 10), report_to = fcntl(out[1], F_DUPFD, 10);

		if (dup2(count_in, 3) != 3 || dup2(report_to, 1) != 1)
			_exit(20);
		execv(program, argv);
		_exit(21);
	}
	close(out[1]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(read(out[0], &report, sizeof(report)), sizeof(report));
	close(out[0]);
	fclose(file);
	return report;
}

/* Whether the host itself has randomisation off: then there is nothing to see. */
static bool off_for_all(void)
{
	char digit = '1';
	int file = open("/proc/sys/kernel/randomize_va_space", O_RDONLY);

	if (file >= 0 && read(file, &digit, 1) != 1)
		digit = '1';
	if (file >= 0)
		close(file);
	return digit == '0';
}

static void switched_off(void **state)
{
	struct report first, second;
	int before = personality(0xffffffff);

	(void)state;
	if (off_for_all() || before == -1 || (before & ADDR_NO_RANDOMIZE))
		skip();
	first = run_child("real");
	if (first.result != 0 && strstr(first.error, "personality(2) may not"))
		skip(); /* a sandbox: the next tests show what then happens */
	second = run_child("real");
	assert_int_equal(first.result, 0);
	assert_int_equal(first.passes, 2);
	assert_int_equal(first.marked, 0);
	assert_int_equal(first.off, 1);
	assert_true(first.stack == second.stack);
}

static void refused(void **state)
{
	struct report report;

	(void)state;
	if (off_for_all())
		skip();
	report = run_child("refuses");
	assert_int_equal(report.result, -1);
	assert_int_equal(report.passes, 1);
	assert_int_equal(report.marked, 0);
	assert_int_equal(report.off, 0);
	assert_non_null(strstr(report.error, "may not switch"));
	assert_non_null(strstr(report.error, "Operation not permitted"));
}

/* The flag is taken without an error and is gone after the exec: one try, then an error. */
static void without_effect(void **state)
{
	static const char *const ways[] = { "nothing", "forgets" };

	(void)state;
	if (off_for_all())
		skip();
	for (int i = 0; i < 2; i++) {
		struct report report = run_child(ways[i]);

		assert_int_equal(report.result, -1);
		assert_int_equal(report.passes, 2);
		assert_int_equal(report.marked, 0);
		assert_int_equal(report.off, 0);
		assert_non_null(strstr(report.error, "still randomised"));
	}
}

/* A mark that another program left behind does not count as a try. */
static void foreign_mark(void **state)
{
	struct report report;

	(void)state;
	if (off_for_all())
		skip();
	assert_int_equal(setenv("WILL_IT_BATCH_ASLR", "1", 1), 0);
	report = run_child("forgets");
	unsetenv("WILL_IT_BATCH_ASLR");
	assert_int_equal(report.passes, 2);
	assert_int_equal(report.marked, 0);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(switched_off),
		cmocka_unit_test(refused),
		cmocka_unit_test(without_effect),
		cmocka_unit_test(foreign_mark),
	};

	if (argc == 3 && strcmp(argv[1], "child") == 0)
		return child(argv);
	/* Not the link itself: below valgrind that is valgrind. */
	if (readlink("/proc/self/exe", program, sizeof(program) - 1) <= 0)
		return 1;
	return cmocka_run_group_tests_name("env_aslr", tests, NULL, NULL);
}

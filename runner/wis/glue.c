// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * glue.c - linked with every will-it-scale testcase when it is built: what such a file may call,
 * and the one symbol by which the runner finds what it defines. Its text is part of the runner,
 * which compiles it together with the testcase, so it includes nothing but abi.h.
 *
 * The testcase's own calls of the functions below are bound to them when the two are linked; no
 * other code is, and nothing stands between the testcase's loop and the C library.
 */
#include "runner/wis/abi.h"

#include <stdio.h>
#include <string.h>

/* The linker knows no prototypes, so a testcase may leave out what it does not use of these. */
extern char *testcase_description __attribute__((weak));
void testcase_prepare(unsigned long tasks, unsigned long nr) __attribute__((weak));
void testcase_cleanup(void) __attribute__((weak));
void testcase(unsigned long long *iterations, unsigned long nr);

extern struct wis_unit wis_unit;
__attribute__((visibility("default"))) struct wis_unit wis_unit = { .abi = WIS_ABI };

__attribute__((constructor)) static void fill_in(void)
{
	if (&testcase_description)
		wis_unit.description = testcase_description;
	wis_unit.prepare = testcase_prepare;
	wis_unit.cleanup = testcase_cleanup;
	wis_unit.testcase = testcase;
}

void new_task(void *(*func)(void *), void *arg);
void new_task(void *(*func)(void *), void *arg)
{
	wis_unit.hooks->new_task(func, arg);
}

/* What the C library's assert() calls. */
void __assert_fail(const char *what, const char *file, unsigned int line, const char *function)
{
	const char *name = strrchr(file, '/');
	char text[400];

	snprintf(text, sizeof(text), "%s:%u: %s: Assertion `%s' failed.", name ? name + 1 : file,
		 line, function ? function : "?", what);
	wis_unit.hooks->fail(text);
}

/*
 * A name below /tmp becomes the same name below the working directory, which is private to the
 * run and is removed with all in it. It has as many parts as before, so that opening it costs the
 * same, and it fits in its place.
 */
static char *into_private(char *name)
{
	if (strncmp(name, "/tmp/", 5) == 0 || strncmp(name, "/var/tmp/", 9) == 0)
		memmove(name, name + 1, strlen(name));
	return name;
}

/* The linker's --wrap: a testcase that calls FUNCTION gets __wrap_FUNCTION. WIS_WRAPPED in build.c
 * names the same functions. */
int __real_mkstemp(char *name);
int __wrap_mkstemp(char *name);
int __wrap_mkstemp(char *name)
{
	return __real_mkstemp(into_private(name));
}

int __real_mkostemp(char *name, int flags);
int __wrap_mkostemp(char *name, int flags);
int __wrap_mkostemp(char *name, int flags)
{
	return __real_mkostemp(into_private(name), flags);
}

int __real_mkstemps(char *name, int suffix);
int __wrap_mkstemps(char *name, int suffix);
int __wrap_mkstemps(char *name, int suffix)
{
	return __real_mkstemps(into_private(name), suffix);
}

char *__real_mkdtemp(char *name);
char *__wrap_mkdtemp(char *name);
char *__wrap_mkdtemp(char *name)
{
	return __real_mkdtemp(into_private(name));
}

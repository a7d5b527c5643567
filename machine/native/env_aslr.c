// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * env_aslr.c - switches address-space randomisation off. The flag of personality(2) acts at the
 * next exec, so the program executes itself anew. A sandbox may accept the flag and drop it on the
 * way: a mark in the environment, the pid, which an exec keeps, tells the second pass from the
 * first, so that there is never a third.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <unistd.h>

#include "machine/native/env_read.h"

#define MARK "WILL_IT_BATCH_ASLR"
#define CURRENT 0xffffffff /* asks personality(2) for the present value */

bool env_aslr_is_off(void)
{
	int persona = personality(CURRENT);
	char line[16];

	if (persona != -1 && (persona & ADDR_NO_RANDOMIZE))
		return true;
	return env_line(env_open("", "/proc/sys/kernel/randomize_va_space"), line, sizeof(line)) &&
	       strcmp(line, "0") == 0;
}

/* Returns only when it failed. The link is resolved first, or the program would be named "exe". */
static void execute_anew(char **argv)
{
	char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);

	fflush(NULL); /* what is buffered would be lost */
	if (length > 0) {
		path[length] = '\0';
		execv(path, argv);
	}
	execv("/proc/self/exe", argv); /* the file was replaced or deleted meanwhile */
}

int env_aslr_off(char **argv, struct error *error)
{
	const char *mark = getenv(MARK);
	char pid[24];
	bool tried;
	int persona, failure;

	snprintf(pid, sizeof(pid), "%ld", (long)getpid());
	tried = mark && strcmp(mark, pid) == 0;
	unsetenv(MARK);
	if (env_aslr_is_off())
		return 0;
	if (tried)
		return error_set(error, "addresses are still randomised after executing anew: this "
					"sandbox drops personality(2); run outside it, or as root: "
					"sysctl kernel.randomize_va_space=0");
	persona = personality(CURRENT);
	if (persona == -1 || personality((unsigned long)persona | ADDR_NO_RANDOMIZE) == -1)
		return error_set(error,
				 "personality(2) may not switch address randomisation off: "
				 "%s; allow it (docker: --security-opt seccomp=unconfined), "
				 "or as root: sysctl kernel.randomize_va_space=0",
				 strerror(errno));
	if (setenv(MARK, pid, 1) == 0)
		execute_anew(argv);
	failure = errno;
	unsetenv(MARK);
	personality((unsigned long)persona); /* without an exec the flag would be a lie */
	return error_set(error,
			 "cannot execute this program anew without address randomisation: "
			 "%s; start it as: setarch -R COMMAND",
			 strerror(failure));
}

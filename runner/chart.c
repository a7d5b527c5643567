// SPDX-License-Identifier: GPL-2.0-or-later
/* chart.c - running plot/chart.py on the file of a run. */
#include "runner/chart.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define SCRIPT "/plot/chart.py"

int chart_check(const struct config *config, struct error *error)
{
	if (!config->chart)
		return 0;
	if (config->output && strcmp(config->output, "-") == 0)
		return error_set(error, "--chart draws a file, and --output=- writes none: give "
					"--output=FILE.csv, or leave it out");
	if (config->format != FORMAT_CSV)
		return error_set(error, "--chart draws CSV files, not --format=%s",
				 format_names[config->format]);
	return 0;
}

/* The script beside this program, whatever folder that was started from. */
static int find_script(char *path, size_t size)
{
	ssize_t length = readlink("/proc/self/exe", path, size - sizeof(SCRIPT));
	char *slash;

	if (length <= 0)
		return -1;
	path[length] = '\0';
	slash = strrchr(path, '/');
	if (!slash)
		return -1;
	memcpy(slash, SCRIPT, sizeof(SCRIPT));
	return access(path, X_OK);
}

static void name_folder(const char *csv, char *folder, size_t size)
{
	size_t length = strlen(csv);
	const char *suffix = "-charts";

	if (length > 4 && strcmp(csv + length - 4, ".csv") == 0 && csv[length - 5] != '/') {
		length -= 4;
		suffix = "";
	}
	snprintf(folder, size, "%.*s%s", (int)length, csv, suffix);
}

/* The child has the signals that a program starts with: this one waits for them by hand. */
static void become_script(char *const argv[], pid_t parent)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() == parent)
		execv(argv[0], argv);
	fprintf(stderr, "warning: --chart: cannot run %s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

void chart_draw(const char *csv, const char *folder)
{
	char script[4096], own[600], output[4200], file[600];
	char *argv[] = { script, output, file, NULL };
	pid_t parent = getpid();
	pid_t child;
	int status;

	if (find_script(script, sizeof(script)) != 0) {
		fprintf(stderr,
			"warning: --chart: there is no plot/chart.py beside this program\n");
		return;
	}
	if (!folder) {
		name_folder(csv, own, sizeof(own));
		folder = own;
	}
	snprintf(output, sizeof(output), "--output=%s", folder);
	/* A file whose name begins with a dash is no option. */
	snprintf(file, sizeof(file), "%s%s", csv[0] == '-' ? "./" : "", csv);
	printf("\nCharts:\n");
	fflush(stdout);
	child = fork();
	if (child == 0)
		become_script(argv, parent);
	/* From here on Ctrl-C and SIGTERM end this program as any other: all rows are on disk. */
	if (child > 0) {
		sigset_t none;

		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		fprintf(stderr, "warning: --chart: cannot start it: %s\n", strerror(errno));
	else if (status != 0)
		fprintf(stderr, "warning: --chart: nothing was drawn; the rows are kept in %s\n",
			csv);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * calibrate.c - the `calibrate` subcommand. The profile is written beside its place, read back, and
 * then moved there: a profile that was there stays whole until the new one is.
 */
#include "runner/calibrate.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "machine/native/env.h"
#include "machine/native/ops.h"
#include "machine/sim/topology_text.h"
#include "runner/calibrate_measure.h"
#include "runner/options.h"

#define DEFAULT_FILE "this-host.ini"
#define SUFFIX ".ini"

struct job {
	struct config *config;
	const char *path; /* "-" is standard output */
	char draft[600];  /* where it is written first; empty: nothing is there */
	FILE *file;
	struct figures figures;
	struct error error;
};

static int refuse(struct job *job)
{
	fprintf(stderr, "runtest: %s\n", job->error.text);
	return 2;
}

/* An option that means nothing here is a mistake, not to be passed over. */
static int check_options(struct job *job)
{
	static const char *const taken[] = { "output", "cpus", "progress", "aslr" };
	const struct config *config = job->config;

	for (const struct flag *flag = flags; flag->name; flag++) {
		bool is_taken = false;

		for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++)
			is_taken = is_taken || strcmp(flag->name, taken[i]) == 0;
		if (!is_taken && (config->given >> (flag - flags) & 1))
			return error_set(&job->error,
					 "calibrate takes --output, --cpus, --progress and --aslr, "
					 "not --%s",
					 flag->name);
	}
	for (unsigned int i = 0; i < config->settings.count; i++)
		if (config->settings.list[i].text)
			return error_set(&job->error,
					 "calibrate runs no testcase, so it takes no "
					 "--%s",
					 config->settings.list[i].row->name);
	return 0;
}

static int check_path(struct job *job)
{
	size_t length = strlen(job->path);
	struct stat status;

	if (strcmp(job->path, "-") == 0)
		return 0;
	if (length <= strlen(SUFFIX) || length > 400 ||
	    strcmp(job->path + length - strlen(SUFFIX), SUFFIX) != 0)
		return error_set(&job->error,
				 "--output=%.100s: a profile is a file of at most 400 characters "
				 "that ends in " SUFFIX ", as " DEFAULT_FILE,
				 job->path);
	if (lstat(job->path, &status) != 0)
		return 0;
	if (!job->config->output)
		return error_set(&job->error,
				 "%s is there already: give --output=%s to replace it, or another "
				 "name",
				 job->path, job->path);
	if (!S_ISREG(status.st_mode))
		return error_set(&job->error, "--output=%.200s: is not a regular file", job->path);
	return 0;
}

static int open_draft(struct job *job)
{
	mode_t mask = umask(0);
	int fd;

	umask(mask);
	if (strcmp(job->path, "-") == 0) {
		job->file = stdout;
		return 0;
	}
	snprintf(job->draft, sizeof(job->draft), "%s.XXXXXX" SUFFIX, job->path);
	fd = mkostemps(job->draft, (int)strlen(SUFFIX), 0);
	if (fd < 0) {
		error_set(&job->error, "cannot write %.200s: %s", job->path, strerror(errno));
		job->draft[0] = '\0';
		return -1;
	}
	if (fchmod(fd, 0666 & ~mask) != 0 || !(job->file = fdopen(fd, "w")))
		return error_set(&job->error, "cannot write %.200s: %s", job->path,
				 strerror(errno));
	return 0;
}

static void describe_host(struct job *job)
{
	const struct topology *topology = &job->config->topology;
	struct figures *figures = &job->figures;
	char shape[100];
	struct env env;

	env_look(&env, "", 1, job->config->usable_cpus);
	topology_describe(topology, shape, sizeof(shape));
	snprintf(figures->host, sizeof(figures->host), "%.120s, Linux %.60s", env.cpu_model,
		 env.kernel);
	snprintf(figures->about, sizeof(figures->about), "%.50s, %.70s", env.cpu_model, shape);
	/* A ; would begin a comment. */
	for (char *c = figures->about; *c; c++)
		if (*c == ';')
			*c = ',';
	figure_measured(figures, "machine.memory_gib",
			(double)topology_memory_bytes(topology) / (double)(1ULL << 30),
			"measured: MemTotal of /proc/meminfo, %.2f GiB",
			(double)topology_memory_bytes(topology) / (double)(1ULL << 30));
}

static int describe_topology(struct job *job)
{
	struct figures *figures = &job->figures;
	const char *base = strrchr(job->path, '/') ? strrchr(job->path, '/') + 1 : job->path;
	char path[420];

	switch (topology_text(&job->config->topology, figures->topology,
			      sizeof(figures->topology))) {
	case TOPOLOGY_TEXT_STRING:
		snprintf(figures->topology_source, sizeof(figures->topology_source),
			 "measured: hwloc");
		if (strlen(figures->topology) < 150)
			return 0;
		break;
	case TOPOLOGY_TEXT_NO_CORES:
		snprintf(figures->topology_source, sizeof(figures->topology_source),
			 "default: this host tells no cores");
		fprintf(stderr, "not measured: machine.topology: this host tells no cores: each "
				"CPU is taken as one\n");
		return 0;
	case TOPOLOGY_TEXT_XML:
		break;
	}
	if (job->file == stdout)
		return error_set(&job->error,
				 "this host's topology takes an XML file beside the profile: give "
				 "--output=" DEFAULT_FILE);
	snprintf(path, sizeof(path), "%s.xml", job->path);
	if (snprintf(figures->topology, sizeof(figures->topology), "%s.xml", base) > 150)
		return error_set(&job->error, "--output=%.100s...: give a shorter name", base);
	snprintf(figures->topology_source, sizeof(figures->topology_source), "measured: hwloc");
	return topology_write_xml(&job->config->topology, path, &job->error);
}

/* What is written must be a profile, whatever the host calls itself. */
static int check_draft(struct job *job)
{
	struct sim_profile profile;
	struct topology topology;

	if (sim_profile_open(job->draft, &profile, &topology, &job->error) != 0)
		return -1;
	topology_close(&topology);
	return 0;
}

static int write_profile(struct job *job)
{
	if (describe_topology(job) != 0)
		return -1;
	figures_write(&job->figures, job->file);
	if (fflush(job->file) != 0 || ferror(job->file))
		return error_set(&job->error, "cannot write to %.200s: %s", job->path,
				 strerror(errno));
	if (job->file == stdout)
		return 0;
	if (check_draft(job) != 0)
		return -1;
	if (rename(job->draft, job->path) != 0)
		return error_set(&job->error, "cannot write %.200s: %s", job->path,
				 strerror(errno));
	job->draft[0] = '\0';
	return 0;
}

static int measure_and_write(struct job *job)
{
	const struct config *config = job->config;
	bool shown = config->progress == PROGRESS_ALWAYS ||
		     (config->progress == PROGRESS_AUTO && isatty(STDERR_FILENO));
	enum m_event event = calibrate_measure(config, &job->figures, shown, &job->error);

	if (event == M_INTERRUPTED || native_ops.interrupted()) {
		int signal = native_ops.interrupted();

		fprintf(stderr, "runtest: stopped by %s; no profile is written\n",
			signal == SIGTERM ? "SIGTERM" : "SIGINT");
		return 128 + (signal ? signal : SIGINT);
	}
	if (event == M_OK) {
		describe_host(job);
		figures_complete(&job->figures);
		figures_tell_lacking(&job->figures, stderr);
	}
	if (event != M_OK || write_profile(job) != 0) {
		fprintf(stderr, "runtest: %s\n", job->error.text);
		return 1;
	}
	if (job->file != stdout)
		printf("Profile: %s\nTo compare: ./runtest mmap1 --machine=%s\n", job->path,
		       job->path);
	return 0;
}

int calibrate(struct config *config)
{
	struct job job = { .config = config, .path = DEFAULT_FILE };
	int status;

	if (config->output)
		job.path = config->output;
	if (check_options(&job) != 0 || check_path(&job) != 0 ||
	    config_resolve(config, &job.error) != 0)
		return refuse(&job);
	if (!config->topology.this_host) {
		error_set(&job.error, "calibrate measures this host, but HWLOC_XMLFILE or "
				      "HWLOC_SYNTHETIC shows another one: unset it");
		return refuse(&job);
	}
	status = open_draft(&job) == 0 ? measure_and_write(&job) : refuse(&job);
	if (job.file && job.file != stdout)
		fclose(job.file);
	if (job.draft[0])
		unlink(job.draft);
	return status;
}

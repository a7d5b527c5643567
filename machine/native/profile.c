// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * profile.c - profiles a run with perf(1): it knows the machine's events by name, the symbols of
 * every object and the kernel's call chains, and is kept up with all three. perf is attached to
 * this process before the tasks are made, which inherit its events, and told by a socket when the
 * measured window begins and ends. All its output goes to memory: nothing is left on a disk.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "machine/native/env_read.h"
#include "machine/native/native.h"
#include "machine/native/profile_report.h"

#define FREQUENCY "997" /* Hz of each task: no multiple of the timer's */
#define ANSWER_MS 10000 /* for perf to start or to end, on a busy machine too */

/* One perf that listens. */
struct perf {
	pid_t pid;
	int control;	      /* a socket for orders and answers; -1: it does not run */
	int output, messages; /* files in memory */
};

struct native_profile {
	struct perf record, stat;
};

/* Events by which processors count loads that another core's modified line answered. */
static const char *const hitm_events[] = {
	"mem_load_l3_hit_retired.xsnp_hitm",
	"mem_load_l3_hit_retired.xsnp_fwd",
	"mem_load_uops_l3_hit_retired.xsnp_hitm",
	"mem_load_uops_llc_hit_retired.xsnp_hitm",
	NULL,
};

/* In the child: standard streams as given, signals as the user's shell had them, then perf. */
static __attribute__((noreturn)) void become_perf(char *const *argv, pid_t parent, int input,
						  int output, int messages)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	setpgid(0, 0); /* Ctrl-C is for the runner: perf ends when it is told to */
	sigprocmask(SIG_SETMASK, &native_signals_before, NULL);
	dup2(input, 0);
	dup2(output, 1);
	dup2(messages, 2);
	setenv("PERF_PAGER", "cat", 1);
	execvp(argv[0], argv);
	dprintf(2, "%s; install it (Debian: linux-perf)\n", strerror(errno));
	_exit(127);
}

/* The first line that perf has written, for the reason why not. */
static void tell_why(int messages, struct error *error)
{
	char line[200] = "";
	ssize_t got = pread(messages, line, sizeof(line) - 1, 0);

	line[got > 0 ? got : 0] = '\0';
	line[strcspn(line, "\n")] = '\0';
	error_set(error, "--profile: perf cannot: %s",
		  line[0] ? line : "it has ended without a word");
}

/* True once perf has said that it has done as told; false: it has ended or is stuck. */
static bool tell(struct perf *perf, const char *word)
{
	struct pollfd answer = { .fd = perf->control, .events = POLLIN };
	char text[16];

	/* One that has died must not take the runner with it, as a pipe would. */
	if (send(perf->control, word, strlen(word), MSG_NOSIGNAL) != (ssize_t)strlen(word))
		return false;
	return poll(&answer, 1, ANSWER_MS) == 1 && (answer.revents & POLLIN) &&
	       read(perf->control, text, sizeof(text)) > 0;
}

static void forget(struct perf *perf)
{
	int *const all[] = { &perf->control, &perf->output, &perf->messages };

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (*all[i] >= 0)
			close(*all[i]);
		*all[i] = -1;
	}
	perf->pid = 0;
}

/*
 * Not after it has ended: the reaping of tasks takes it too, and its number may then be another
 * process's.
 */
static bool is_child(const struct perf *perf)
{
	return perf->pid > 0 && waitpid(perf->pid, NULL, WNOHANG) == 0;
}

/* Ends it and waits until it has written all: its end of the socket is shut when it has gone. */
static void end(struct perf *perf)
{
	struct pollfd answer = { .fd = perf->control, .events = POLLIN };
	char rest[64];

	if (!is_child(perf))
		return;
	kill(perf->pid, SIGINT);
	while (poll(&answer, 1, ANSWER_MS) == 1 && read(perf->control, rest, sizeof(rest)) > 0)
		;
	/* It has shut its end on its way out, or is stuck: what would come later is of no use. */
	if (is_child(perf)) {
		kill(perf->pid, SIGKILL);
		waitpid(perf->pid, NULL, 0);
	}
	perf->pid = 0;
}

/*
 * Starts perf with `--control fd:...` behind the arguments and waits until it is ready, with all
 * events off. -1 with the error set.
 */
static int begin(struct perf *perf, const char *const *arguments, struct error *error)
{
	char control[40], pid[16];
	const char *argv[32] = { NULL };
	int pair[2], null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	unsigned int count = 0;
	pid_t parent = getpid();

	*perf = (struct perf){ .control = -1, .output = -1, .messages = -1 };
	perf->output = memfd_create("perf output", MFD_CLOEXEC);
	perf->messages = memfd_create("perf messages", MFD_CLOEXEC);
	/* Not close-on-exec: perf gets its end by number. */
	if (perf->output < 0 || perf->messages < 0 || null < 0 ||
	    socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) {
		forget(perf);
		return error_set(error, "--profile: %s", strerror(errno));
	}
	for (; arguments[count]; count++)
		argv[count] = arguments[count];
	fcntl(pair[0], F_SETFD, FD_CLOEXEC);
	snprintf(pid, sizeof(pid), "%d", (int)parent);
	snprintf(control, sizeof(control), "fd:%d,%d", pair[1], pair[1]);
	argv[count++] = "-D";
	argv[count++] = "-1";
	argv[count++] = "-p";
	argv[count++] = pid;
	argv[count++] = "--control";
	argv[count] = control;
	perf->pid = fork();
	if (perf->pid == 0) {
		close(pair[0]);
		become_perf((char *const *)argv, parent, null, perf->output, perf->messages);
	}
	perf->control = pair[0];
	/* Tasks are forked later: with perf's end open in them its death would not be seen. */
	close(pair[1]);
	close(null);
	if (perf->pid > 0 && tell(perf, "disable\n"))
		return 0;
	end(perf);
	tell_why(perf->messages, error);
	forget(perf);
	return -1;
}

/* What keeps this user from seeing the kernel; perf would go on with user space alone. */
static int check_permission(struct error *error)
{
	char line[16];
	long paranoid = 0;

	if (geteuid() == 0)
		return 0;
	if (env_line(env_open("", "/proc/sys/kernel/perf_event_paranoid"), line, sizeof(line)))
		paranoid = strtol(line, NULL, 10);
	if (paranoid <= 1)
		return 0;
	return error_set(error,
			 "--profile: kernel.perf_event_paranoid is %ld, so only root may see what "
			 "the kernel does: as root, sysctl kernel.perf_event_paranoid=1",
			 paranoid);
}

/* Runs perf to its end; true when that was good. */
static bool run_perf(const char *const *argv, int input, int output)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	pid_t parent = getpid();
	pid_t pid = fork();
	int status = -1;

	if (pid == 0)
		become_perf((char *const *)argv, parent, input >= 0 ? input : null,
			    output >= 0 ? output : null, null);
	if (pid > 0)
		waitpid(pid, &status, 0);
	close(null);
	return status == 0;
}

/* An event that perf does not know on this machine would fail all of them. */
static const char *countable(void)
{
	static char events[80];

	for (size_t i = 0; !events[0] && hitm_events[i]; i++) {
		const char *const argv[] = { "perf", "stat", "-e", hitm_events[i], "true", NULL };

		if (run_perf(argv, -1, -1))
			snprintf(events, sizeof(events), "cache-misses,%s", hitm_events[i]);
	}
	return events[0] ? events : "cache-misses";
}

static int attach(struct m_run *run, struct error *error)
{
	static const char *const record[] = {
		"perf",	  "record", "-o",      "-",  "-e",
		"cycles", "-F",	    FREQUENCY, "-g", "--kernel-callchains",
		NULL
	};
	const char *const stat[] = {
		"perf", "stat", "-x,", "--log-fd", "1", "-e", countable(), NULL
	};
	struct native_profile *profile;
	struct error ignored;

	if (check_permission(error) != 0)
		return -1;
	profile = calloc(1, sizeof(*profile));
	if (!profile)
		return error_set(error, "--profile: no memory");
	if (begin(&profile->record, record, error) != 0) {
		free(profile);
		return -1;
	}
	/* Counts are a gift: a machine without counters still has the samples. */
	begin(&profile->stat, stat, &ignored);
	native_run_of(run)->profile = profile;
	return 0;
}

static void window(struct m_run *run, bool on)
{
	struct native_profile *profile = native_run_of(run)->profile;
	const char *word = on ? "enable\n" : "disable\n";

	if (!profile)
		return;
	tell(&profile->record, word);
	if (profile->stat.pid > 0)
		tell(&profile->stat, word);
}

static int by_number(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	return (x > y) - (x < y);
}

static int report_samples(struct m_run *run, int data, struct m_profile *result,
			  struct error *error)
{
	static const char *const argv[] = { "perf", "script", "-i",
					    "-",    "-F",     "pid,tid,period,event,ip,sym,dso",
					    NULL };
	unsigned int tasks = run->setup.tasks;
	int *tids = calloc(tasks, sizeof(*tids));
	int output = memfd_create("perf script", MFD_CLOEXEC);
	FILE *samples = output < 0 ? NULL : fdopen(output, "r");
	int status;

	if (!tids || !samples) {
		free(tids);
		return error_set(error, "--profile: no memory for the samples");
	}
	for (unsigned int slot = 0; slot < tasks; slot++)
		tids[slot] = m_task_of(run, slot)->os_id;
	qsort(tids, tasks, sizeof(*tids), by_number);
	lseek(data, 0, SEEK_SET);
	run_perf(argv, data, output);
	rewind(samples);
	status = profile_read(samples, tids, tasks, result, error);
	fclose(samples);
	free(tids);
	return status;
}

static int report(struct m_run *run, struct m_profile *result, struct error *error)
{
	struct native_profile *profile = native_run_of(run)->profile;
	FILE *counts;
	int status;

	end(&profile->record);
	end(&profile->stat);
	status = report_samples(run, profile->record.output, result, error);
	counts = profile->stat.output < 0 ? NULL : fdopen(dup(profile->stat.output), "r");
	if (counts) {
		rewind(counts);
		profile_read_counts(counts, result);
		fclose(counts);
	}
	native_profile_end(native_run_of(run));
	return status;
}

void native_profile_end(struct native_run *native)
{
	struct native_profile *profile = native->profile;

	if (!profile)
		return;
	native->profile = NULL;
	end(&profile->record);
	end(&profile->stat);
	forget(&profile->record);
	forget(&profile->stat);
	free(profile);
}

const struct m_profiler native_profiler = {
	.attach = attach,
	.window = window,
	.report = report,
};

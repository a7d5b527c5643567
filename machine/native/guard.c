// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * guard.c - runs of foreign code (struct m_host): runner > guardian > host > tasks.
 *
 * The host runs the testcase's own preparation and has the tasks as its children. It may be killed
 * by what it runs, so nothing depends on it. The guardian runs nothing foreign. It is told by a
 * signal when the runner dies, adopts whatever is left behind below it, and ends it all.
 */
#include "machine/native/host.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "machine/native/native.h"

#define CLEANUP_NS 2000000000LL /* for the testcase's own cleanup, */
#define TASK_NS 10000000LL	/* after each task has ended, */
#define SWEEP_NS 5000000000LL	/* and for what is killed to be gone */
#define NAP_NS 1000000

/* A host that takes longer to end is killed. */
static int64_t host_grace_ns(const struct m_run *run)
{
	return CLEANUP_NS + native_workers(run) * TASK_NS;
}

static struct m_run *hosted; /* in the host and all below it */

/* Where a reason is looked for: the task's own block, or the first where it is no task. */
static struct error *error_of_caller(struct m_run *run)
{
	struct task *self = native_self;

	if (!self || self->slot + 1 == run->block_count)
		self = m_task_of(run, 0);
	return &self->error;
}

void native_host_fail(const char *text)
{
	struct error *error = error_of_caller(hosted);

	if (!error->text[0])
		error_set(error, "%s", text);
	_exit(1);
}

struct new_task {
	void *(*func)(void *);
	void *arg;
	struct task *maker;
};

static void *thread_main(void *argument)
{
	struct new_task task = *(struct new_task *)argument;

	free(argument);
	native_self = task.maker; /* so that its failure is the maker's */
	return task.func(task.arg);
}

static void new_thread(void *(*func)(void *), void *arg)
{
	struct new_task *task = malloc(sizeof(*task));
	pthread_t thread;

	if (!task)
		native_host_fail("new_task: no memory");
	*task = (struct new_task){ func, arg, native_self };
	errno = pthread_create(&thread, NULL, thread_main, task);
	if (errno != 0)
		native_host_fail("new_task: cannot start a thread");
	pthread_detach(thread);
}

void native_new_task(void *(*func)(void *), void *arg)
{
	pid_t parent = getpid();
	pid_t pid;

	if (hosted->setup.mode == M_THREAD) {
		new_thread(func, arg);
		return;
	}
	pid = fork();
	if (pid < 0)
		native_host_fail("new_task: cannot fork");
	if (pid > 0)
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	func(arg);
	_exit(0);
}

/* A testcase that opens a hundred files a task needs what the user may have, not what is usual. */
static void raise_file_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/* Blocks and gives the signals by which guardian and host are told of an end. */
static sigset_t block_ends(void)
{
	sigset_t ends;

	sigemptyset(&ends);
	sigaddset(&ends, SIGCHLD);
	sigaddset(&ends, SIGTERM);
	sigprocmask(SIG_BLOCK, &ends, NULL);
	return ends;
}

static __attribute__((noreturn)) void host_main(struct native_run *native, pid_t guardian)
{
	struct m_run *run = &native->run;
	struct error *error = &m_task_of(run, 0)->error;
	struct error reason;
	sigset_t ends;

	hosted = run;
	setpgid(0, 0); /* what signals its whole group must not reach the runner */
	native_become_child(guardian);
	ends = block_ends();
	dup2(STDERR_FILENO, STDOUT_FILENO); /* rows may be written to standard output */
	raise_file_limit();
	native_at_once(run, false); /* what it starts here must not be in real time */
	if (run->host->prepare(run, error) != 0)
		_exit(1);
	native_at_once(run, true);
	if (native_spawn_tasks(run, error) != 0)
		_exit(1);
	while (sigwaitinfo(&ends, NULL) != SIGTERM) {
		if (native_reap(native, false, &reason) == 0)
			continue;
		if (!error->text[0])
			*error = reason;
		_exit(1);
	}
	native_kill(run);
	run->host->cleanup(run);
	_exit(0);
}

/* Children of this process, by the kernel's own list; none where it keeps no such list. */
static void kill_children(void)
{
	char path[64], line[4096];
	int file;
	ssize_t got;

	snprintf(path, sizeof(path), "/proc/self/task/%d/children", (int)getpid());
	file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return;
	got = read(file, line, sizeof(line) - 1);
	close(file);
	line[got > 0 ? got : 0] = '\0';
	for (char *word = line, *end; *word; word = end) {
		long pid = strtol(word, &end, 10);

		/* The line may be cut within the last number: one that nothing follows waits. */
		if (end == word || !*end)
			return;
		kill((pid_t)pid, SIGKILL);
	}
}

/* Ends all that is left below the guardian: each that dies leaves it the children it had. */
static void sweep(pid_t host)
{
	const struct timespec nap = { .tv_nsec = NAP_NS };
	int64_t until = native_now() + SWEEP_NS;

	kill(-host, SIGKILL);
	while (native_now() < until) {
		pid_t pid = waitpid(-1, NULL, WNOHANG);

		if (pid > 0)
			continue;
		if (pid < 0)
			return;
		kill_children();
		nanosleep(&nap, NULL);
	}
}

/* Waits for the host's end; true when it was asked to and did so in time. */
static bool watch(const struct m_run *run, pid_t host, const sigset_t *ends, struct error *error)
{
	int64_t until = 0; /* of an end that was asked for */
	int status;

	for (;;) {
		int64_t left = until ? until - native_now() : CLEANUP_NS;
		const struct timespec wait = { .tv_sec = left / 1000000000,
					       .tv_nsec = left % 1000000000 };
		pid_t pid;

		if (left <= 0) {
			error_set(error, "the testcase did not end when it was asked to");
			return false;
		}
		if (sigtimedwait(ends, NULL, &wait) == SIGTERM && !until) {
			kill(host, SIGTERM);
			until = native_now() + host_grace_ns(run);
		}
		/* Any other child has been adopted, and is reaped on the way. */
		while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
			if (pid == host)
				break;
		if (pid == host)
			break;
	}
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return true;
	if (error->text[0])
		return false;
	if (WIFSIGNALED(status))
		error_set(error, "the testcase was killed by signal %d (%s)", WTERMSIG(status),
			  strsignal(WTERMSIG(status)));
	else
		error_set(error, "the testcase ended by itself with status %d",
			  WEXITSTATUS(status));
	return false;
}

static __attribute__((noreturn)) void guard_main(struct native_run *native, pid_t runner)
{
	struct m_run *run = &native->run;
	struct error *error = &m_task_of(run, 0)->error;
	sigset_t all, ends = block_ends();
	bool good = false;
	pid_t self = getpid();
	pid_t host;

	/* All others too: whatever ends a terminal's programs must not end who clears up. */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != runner)
		_exit(1);
	native->children->count = 0;
	if (run->host->open(run, error) == 0) {
		host = fork();
		if (host == 0)
			host_main(native, self);
		if (host > 0) {
			setpgid(host, host);
			good = watch(run, host, &ends, error);
			sweep(host);
		} else {
			native_cannot_start(run, 0, error);
		}
	}
	run->host->close(run);
	_exit(good ? 0 : 1);
}

int native_guard(struct m_run *run, struct error *error)
{
	struct native_run *native = native_run_of(run);
	pid_t runner = getpid();
	pid_t pid;

	fflush(NULL); /* foreign code may end by exit(), which writes what is buffered once more */
	pid = fork();
	if (pid < 0)
		return native_cannot_start(run, 0, error);
	if (pid == 0) {
		native_conducts = false;
		guard_main(native, runner);
	}
	native->children->pids[native->children->count++] = pid;
	return 0;
}

void native_guard_stop(struct m_run *run)
{
	struct native_children *children = native_run_of(run)->children;

	for (unsigned int i = 0; i < children->count; i++)
		kill(children->pids[i], SIGTERM);
}

/* By SIGKILL only when it hangs itself: then nobody clears up below it. */
void native_guard_end(struct m_run *run)
{
	const struct timespec nap = { .tv_nsec = NAP_NS };
	int64_t until = native_now() + host_grace_ns(run) + 2 * SWEEP_NS;
	struct native_children *children = native_run_of(run)->children;

	native_guard_stop(run);
	while (children->count > 0 && native_now() < until) {
		if (waitpid(children->pids[0], NULL, WNOHANG) == 0)
			nanosleep(&nap, NULL);
		else
			children->count = 0;
	}
	native_kill(run);
	run->host->close(run);
}

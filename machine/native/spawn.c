// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * spawn.c - making the tasks: forked processes, or threads of one forked child. A task is placed
 * before it is made, so that what the kernel allocates for it is on its own NUMA node.
 */
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "machine/native/native.h"
#include "machine/native/stay.h"
#include "machine/topology.h"

/* Of all tasks alike, so that they share the CPUs as before; for a conductor that may not more. */
#define LOWEST_PRIORITY 19

/* Binds the calling thread to one PU and reads the binding back. */
static int bind_to(const struct m_setup *setup, int pu, struct error *error)
{
	hwloc_topology_t hwloc = setup->topology->hwloc;
	hwloc_bitmap_t wanted = hwloc_bitmap_alloc();
	hwloc_bitmap_t got = hwloc_bitmap_alloc();
	int result = 0;

	hwloc_bitmap_only(wanted, (unsigned int)pu);
	if (hwloc_set_cpubind(hwloc, wanted, HWLOC_CPUBIND_THREAD) != 0)
		result = error_set(error, "cannot bind a task to CPU %d: %s%s", pu, strerror(errno),
				   native_is_online("", pu) ? "" : " (it is offline by now)");
	else if (hwloc_get_cpubind(hwloc, got, HWLOC_CPUBIND_THREAD) != 0 ||
		 !hwloc_bitmap_isequal(wanted, got))
		result = error_set(error, "a task bound to CPU %d is not there: binding not kept",
				   pu);
	hwloc_bitmap_free(wanted);
	hwloc_bitmap_free(got);
	return result;
}

/* Runs in every new task, so without hwloc and its allocations. */
static bool still_bound(int pu)
{
	unsigned long got[TOPOLOGY_PU_MAX / (8 * sizeof(long))] = { 0 };
	cpu_set_t *set = (cpu_set_t *)got;

	return sched_getaffinity(0, sizeof(got), set) == 0 && CPU_COUNT_S(sizeof(got), set) == 1 &&
	       CPU_ISSET_S((size_t)pu, sizeof(got), set);
}

static void *task_main(void *argument)
{
	struct task *task = argument;
	struct m_run *run = task->run;
	struct native_run *native = native_run_of(run);

	native_self = task;
	task->os_id = (int)gettid();
	native_at_once(run, false);
	if (run->oversubscribed)
		setpriority(PRIO_PROCESS, (id_t)task->os_id, LOWEST_PRIORITY);
	if (task->place.pu >= 0 && !still_bound(task->place.pu)) {
		error_set(&task->error, "task %u is not bound to CPU %d as asked: binding not kept",
			  task->slot, task->place.pu);
		_exit(1);
	}
	m_store_release(&task->state, TASK_RUNNING);
	m_store_release(&task->served, m_load(&native->call));
	__atomic_fetch_add(&native->ready.opaque, 1, __ATOMIC_RELEASE);
	while (!m_load_acquire(&native->gate))
		native_sleep(&native->gate, 0, -1);
	native_wake_chain(&native->gate);

	task->start_ns = native_now();
	if (task->is_reader)
		run->reader(task);
	else
		run->body(task);
	task->stop_ns = native_now();
	m_store_release(&task->state, TASK_FINISHED);
	return NULL;
}

void native_become_child(pid_t parent)
{
	native_conducts = false;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	signal(SIGINT, SIG_IGN);
	sigprocmask(SIG_SETMASK, &native_signals_before, NULL);
}

/* The limit that most likely made fork or clone fail, in words. */
static const char *limit_hint(char *text, size_t size)
{
	struct rlimit limit;

	if (errno == EAGAIN && getrlimit(RLIMIT_NPROC, &limit) == 0 &&
	    limit.rlim_cur != RLIM_INFINITY)
		snprintf(text, size, " (RLIMIT_NPROC is %llu: ulimit -u; or the cgroup's pids.max)",
			 (unsigned long long)limit.rlim_cur);
	else if (errno == EAGAIN)
		snprintf(text, size,
			 " (a limit on tasks: the cgroup's pids.max or kernel.pid_max)");
	else if (errno == ENOMEM && getrlimit(RLIMIT_AS, &limit) == 0 &&
		 limit.rlim_cur != RLIM_INFINITY)
		snprintf(text, size, " (RLIMIT_AS is %llu bytes: ulimit -v)",
			 (unsigned long long)limit.rlim_cur);
	else
		snprintf(text, size, "%s", errno == ENOMEM ? " (the machine's memory)" : "");
	return text;
}

int native_cannot_start(const struct m_run *run, unsigned int worker, struct error *error)
{
	int cause = errno;
	char hint[160];

	return error_set(error, "cannot start task %u of %u: %s%s", worker + 1, native_workers(run),
			 strerror(cause), limit_hint(hint, sizeof(hint)));
}

static int by_pu(const void *left, const void *right, void *run)
{
	unsigned int a = *(const unsigned int *)left, b = *(const unsigned int *)right;
	int a_pu = m_task_of(run, native_slot(run, a))->place.pu;
	int b_pu = m_task_of(run, native_slot(run, b))->place.pu;

	return a_pu != b_pu ? a_pu - b_pu : (int)a - (int)b;
}

/*
 * Makes one task of each worker by `make`, all of a PU in a row: the maker then moves once for each
 * PU, not once for each task. Its own binding is put back at the end.
 */
static int spawn_all(struct native_run *native,
		     int (*make)(struct native_run *, unsigned int worker, struct error *),
		     struct error *error)
{
	struct m_run *run = &native->run;
	unsigned int count = native_workers(run);
	unsigned int *order = calloc(count, sizeof(*order));
	hwloc_bitmap_t before = hwloc_bitmap_alloc();
	hwloc_topology_t hwloc = run->setup.topology->hwloc;
	bool known = hwloc_get_cpubind(hwloc, before, HWLOC_CPUBIND_THREAD) == 0;
	int result = order ? 0 : error_set(error, "no memory for %u tasks", count);
	int bound = -1;

	for (unsigned int i = 0; i < count && order; i++)
		order[i] = i;
	if (order)
		qsort_r(order, count, sizeof(*order), by_pu, run);
	for (unsigned int i = 0; i < count && result == 0; i++) {
		int pu = m_task_of(run, native_slot(run, order[i]))->place.pu;

		if (pu >= 0 && pu != bound)
			result = bind_to(&run->setup, pu, error);
		bound = pu;
		if (result == 0)
			result = make(native, order[i], error);
	}
	if (known && bound >= 0)
		hwloc_set_cpubind(hwloc, before, HWLOC_CPUBIND_THREAD);
	hwloc_bitmap_free(before);
	free(order);
	return result;
}

static int spawn_process(struct native_run *native, unsigned int worker, struct error *error)
{
	struct m_run *run = &native->run;
	struct task *task = m_task_of(run, native_slot(run, worker));
	pid_t parent = getpid();
	pid_t pid = fork();

	if (pid < 0)
		return native_cannot_start(&native->run, worker, error);
	if (pid == 0) {
		native_become_child(parent);
		task_main(task);
		_exit(0);
	}
	native->children->pids[native->children->count++] = pid;
	return 0;
}

/* A new thread begins where its maker is, bound alike. */
static int spawn_thread(struct native_run *native, unsigned int worker, struct error *error)
{
	struct m_run *run = &native->run;
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_attr_init(&attributes);
	if (!run->host) /* who knows what a loop that is not ours puts there */
		pthread_attr_setstacksize(&attributes, NATIVE_STACK_BYTES);
	errno = pthread_create(&thread, &attributes, task_main,
			       m_task_of(run, native_slot(run, worker)));
	pthread_attr_destroy(&attributes);
	if (errno != 0)
		return native_cannot_start(run, worker, error);
	native->threads[worker] = thread;
	return 0;
}

/* The child of thread mode: it can be ended whole, whatever its threads are in. */
static __attribute__((noreturn)) void host_threads(struct native_run *native)
{
	unsigned int count = native_workers(&native->run);
	struct error *error = &m_task_of(&native->run, 0)->error;

	native->threads = calloc(count, sizeof(*native->threads));
	if (!native->threads) {
		error_set(error, "no memory for %u threads", count);
		_exit(1);
	}
	if (spawn_all(native, spawn_thread, error) != 0)
		_exit(1);
	for (unsigned int worker = 0; worker < count; worker++)
		pthread_join(native->threads[worker], NULL);
	free(native->threads);
	_exit(0);
}

int native_spawn_tasks(struct m_run *run, struct error *error)
{
	struct native_run *native = native_run_of(run);
	pid_t parent = getpid();
	pid_t pid;

	if (run->setup.mode == M_PROCESS)
		return spawn_all(native, spawn_process, error);
	pid = fork();
	if (pid < 0)
		return native_cannot_start(run, 0, error);
	if (pid == 0) {
		native_become_child(parent);
		host_threads(native);
	}
	native->children->pids[native->children->count++] = pid;
	return 0;
}

int native_spawn(struct m_run *run, struct error *error)
{
	return run->host ? native_guard(run, error) : native_spawn_tasks(run, error);
}

/* The reason a child gave, or else how it ended. */
static int child_failed(struct native_run *native, int status, struct error *error)
{
	struct m_run *run = &native->run;

	for (unsigned int worker = 0; worker < native_workers(run); worker++) {
		const struct task *task = m_task_of(run, native_slot(run, worker));

		if (task->error.text[0]) {
			*error = task->error;
			return -1;
		}
	}
	if (WIFSIGNALED(status))
		return error_set(error, "a task was killed by signal %d (%s)", WTERMSIG(status),
				 strsignal(WTERMSIG(status)));
	return error_set(error, "a task ended by itself with status %d", WEXITSTATUS(status));
}

static bool forget(struct native_run *native, pid_t pid)
{
	struct native_children *children = native->children;

	for (unsigned int i = 0; i < children->count; i++) {
		if (children->pids[i] == pid) {
			children->pids[i] = children->pids[--children->count];
			return true;
		}
	}
	return false;
}

int native_reap(struct native_run *native, bool ending_is_right, struct error *error)
{
	int result = 0;
	int status;
	pid_t pid;

	/* Any child: asking for each of a thousand by its pid would take longer than they do. */
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (!forget(native, pid) || result != 0)
			continue;
		if (!ending_is_right || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
			result = child_failed(native, status, error);
	}
	return result;
}

void native_kill(struct m_run *run)
{
	struct native_children *children = native_run_of(run)->children;

	for (unsigned int i = 0; i < children->count; i++)
		kill(children->pids[i], SIGKILL);
	for (unsigned int i = 0; i < children->count; i++)
		waitpid(children->pids[i], NULL, 0);
	children->count = 0;
}

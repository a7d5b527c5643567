// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_native_fails.c - tasks that die, fail, hang or stop by themselves, and users who interrupt:
 * each ends the wait at once, with its reason, and leaves no task behind.
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "machine/native/sys.h"
#include "tests/rig.h"

#define each_mode(mode) for (enum m_mode mode = M_PROCESS; mode <= M_THREAD; mode++)
#define LONG_NS (50000 * MS) /* an advance that must not last so long */

static void work(struct task *t)
{
	while (task_running(t))
		t->ops++;
}

/* Slot 1 does what the test is about, when told to; the others work. */
static void wait_for_go(struct task *t)
{
	while (t->slot != 1 && task_running(t))
		t->ops++;
	while (t->slot == 1 && !m_load((m_word *)t->counter)) {
		task_safe_point(t);
		sched_yield();
	}
}

static void die(struct task *t)
{
	wait_for_go(t);
	if (t->slot == 1)
		raise(SIGKILL);
}

static void exit_by_itself(struct task *t)
{
	wait_for_go(t);
	if (t->slot == 1)
		_exit(3);
}

static void fail_with_reason(struct task *t)
{
	wait_for_go(t);
	errno = ENOMEM;
	if (t->slot == 1)
		native_fail(t, "mmap of bytes", 1LL << 33);
}

static void map_too_much(struct task *t)
{
	wait_for_go(t);
	if (t->slot == 1)
		m_sys_map(t, 1LL << 60);
}

static void leave_early(struct task *t)
{
	if (t->slot == 1)
		return;
	work(t);
}

static void hang(struct task *t)
{
	while (t->slot == 1)
		sched_yield();
	work(t);
}

/* No process of the run is left: its tasks are this program's only children. */
static void expect_no_child(void)
{
	rig_close();
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

static void start(void (*body)(struct task *), enum m_mode mode)
{
	m_word *go;

	rig_open(&(struct rig_args){
		.tasks = 3, .readers = 1, .mode = mode, .body = body, .reader = work });
	go = m_alloc(rig.run, sizeof(*go), M_LINE_PAIR_BYTES);
	rig_go(go);
	m_store(go, 1);
}

static void expect_failure(enum m_event event, const char *reason)
{
	assert_int_equal(event, M_FAILED);
	assert_string_equal(rig.error.text, reason);
	expect_no_child();
}

static void fails(void (*body)(struct task *), enum m_mode mode, const char *reason)
{
	int64_t until = native_ops.now() + LONG_NS;
	enum m_event event;

	start(body, mode);
	event = native_ops.advance(rig.run, until, &rig.error);
	assert_true(native_ops.now() < until);
	expect_failure(event, reason);
}

static void test_a_task_fails(void **state)
{
	(void)state;
	each_mode(mode)
	{
		fails(die, mode, "a task was killed by signal 9 (Killed)");
		fails(exit_by_itself, mode, "a task ended by itself with status 3");
		fails(fail_with_reason, mode,
		      "task 1: mmap of bytes 8589934592: Cannot allocate memory");
		fails(map_too_much, mode,
		      "task 1: mmap of bytes 1152921504606846976: Cannot allocate memory");
	}
	fails(leave_early, M_PROCESS, "a task ended by itself with status 0");
}

/* A hold and a call wait for all tasks: one that dies meanwhile ends that wait too. */
static void test_a_task_fails_while_others_are_waited_for(void **state)
{
	(void)state;
	start(leave_early, M_PROCESS);
	expect_failure(native_ops.hold(rig.run, &rig.error),
		       "a task ended by itself with status 0");
	start(hang, M_PROCESS);
	kill(m_task_of(rig.run, 1)->os_id, SIGKILL);
	expect_failure(native_ops.hold(rig.run, &rig.error),
		       "a task was killed by signal 9 (Killed)");
	start(hang, M_PROCESS);
	kill(m_task_of(rig.run, 1)->os_id, SIGSEGV);
	expect_failure(native_ops.stop(rig.run, &rig.error),
		       "a task was killed by signal 11 (Segmentation fault)");
}

static void hanging(enum m_mode mode, int64_t timeout_ns, int64_t grace_ns)
{
	rig_open(&(struct rig_args){ .tasks = 2,
				     .mode = mode,
				     .body = hang,
				     .timeout_ns = timeout_ns,
				     .grace_ns = grace_ns });
	rig_go(NULL);
}

static void nothing(void *arg)
{
	(void)arg;
}

/* Past the deadline every wait ends, whatever it waits for. */
static void test_timeout(void **state)
{
	static const char timeout[] = "timeout: not done within 0.2 s (--timeout)";

	(void)state;
	each_mode(mode)
	{
		hanging(mode, 200 * MS, 0);
		expect_failure(native_ops.hold(rig.run, &rig.error), timeout);
		hanging(mode, 200 * MS, 0);
		expect_failure(native_ops.on_each_slot(rig.run, nothing, NULL, &rig.error),
			       timeout);
		hanging(mode, 200 * MS, 0);
		expect_failure(native_ops.advance(rig.run, native_ops.now() + LONG_NS, &rig.error),
			       timeout);
		hanging(mode, 200 * MS, 0);
		expect_failure(native_ops.stop(rig.run, &rig.error), timeout);
	}
}

static void test_grace(void **state)
{
	(void)state;
	each_mode(mode)
	{
		hanging(mode, 0, 100 * MS);
		expect_failure(native_ops.stop(rig.run, &rig.error),
			       "a task did not stop within the grace period of 0.1 s");
	}
}

/* A run that was not even started, or not stopped, is closed whole. */
static void test_close_at_any_point(void **state)
{
	(void)state;
	each_mode(mode)
	{
		rig_open(&(struct rig_args){ .tasks = 2, .mode = mode, .body = work });
		expect_no_child();
		rig_open(&(struct rig_args){ .tasks = 2, .mode = mode, .body = work });
		rig_is_ok(native_ops.start(rig.run, &rig.error));
		expect_no_child();
		rig_open(&(struct rig_args){ .tasks = 2, .mode = mode, .body = work });
		rig_go(NULL);
		rig_hold();
		expect_no_child();
	}
}

/* Whatever ends the conductor, its tasks must not stay: this process inherits and counts them. */
static void test_tasks_die_with_the_conductor(void **state)
{
	(void)state;
	assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
	each_mode(mode)
	{
		int status;
		pid_t conductor = fork();

		if (conductor == 0) {
			rig_open(&(struct rig_args){ .tasks = 2, .mode = mode, .body = work });
			rig_go(NULL);
			raise(SIGKILL);
		}
		assert_int_equal(waitpid(conductor, &status, 0), conductor);
		assert_true(WIFSIGNALED(status));
		for (unsigned int i = 0; i < (mode == M_PROCESS ? 2 : 1); i++) {
			assert_true(waitpid(-1, &status, 0) > 0);
			assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
		}
		assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	}
}

/* The last test: what it asks for is never forgotten. */
static void test_interrupts(void **state)
{
	static const int signals[] = { SIGINT, SIGTERM };

	(void)state;
	assert_int_equal(native_ops.interrupted(), 0);
	for (unsigned int i = 0; i < 2; i++) {
		start(work, M_PROCESS);
		raise(signals[i]);
		assert_int_equal(native_ops.advance(rig.run, native_ops.now() + LONG_NS,
						    &rig.error),
				 M_INTERRUPTED);
		assert_int_equal(native_ops.interrupted(), signals[i]);
		expect_no_child();
	}
	/* One that comes while nobody waits is seen as well. */
	raise(SIGINT);
	assert_int_equal(native_ops.interrupted(), SIGINT);
	assert_int_equal(native_ops.interrupted(), SIGINT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		rig_test(test_a_task_fails),
		rig_test(test_a_task_fails_while_others_are_waited_for),
		rig_test(test_timeout),
		rig_test(test_grace),
		rig_test(test_close_at_any_point),
		rig_test(test_tasks_die_with_the_conductor),
		rig_test(test_interrupts),
	};

	rig_init();
	return cmocka_run_group_tests_name("native_fails", tests, NULL, NULL);
}

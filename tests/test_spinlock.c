// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_spinlock.c - the queued spinlock on real tasks: exclusion, the order of the queue, what it
 * accounts, and that waiters sleep where CPUs are scarce.
 */
#include <sched.h>

#include "machine/spinlock.h"
#include "tests/rig.h"

#define SITE 3
#define MANY_CPUS 1000 /* told to the machine so that no waiter sleeps */
#define WAITERS 6

struct shared {
	struct spinlock lock;
	M_LINE_APART m_word turn; /* 1 + the slot that may queue now */
	m_word order[WAITERS];	  /* slots in the order in which they got the lock */
	m_word done;
	M_LINE_APART m_word owner;
	m_word violations;
	/* Kept by the lock alone, so that the thread sanitizer sees what it orders. */
	int64_t counted;
};

static struct shared *shared;

static void open_shared(const struct rig_args *args)
{
	shared = m_alloc(rig_open(args), sizeof(*shared), M_LINE_PAIR_BYTES);
}

static void enter(struct task *t)
{
	spin_lock(&shared->lock, SITE);
	if (m_load(&shared->owner) != 0)
		m_add(&shared->violations, 1);
	m_store(&shared->owner, t->slot + 1);
	shared->counted++;
	if (m_load(&shared->owner) != (int64_t)t->slot + 1)
		m_add(&shared->violations, 1);
	m_store(&shared->owner, 0);
	spin_unlock(&shared->lock);
}

static void enter_again_and_again(struct task *t)
{
	while (task_running(t)) {
		enter(t);
		t->ops++;
	}
}

static struct site_stats stats_of_all(unsigned int site)
{
	struct site_stats sum = { 0 };

	for (unsigned int slot = 0; slot < rig.run->block_count; slot++) {
		const struct site_stats *stats = &m_task_of(rig.run, slot)->sites[site];

		assert_true(stats->contended <= stats->acquisitions);
		assert_int_equal(stats->wait_ns != 0, stats->contended != 0);
		sum.acquisitions += stats->acquisitions;
		sum.contended += stats->contended;
		sum.wait_ns += stats->wait_ns;
	}
	return sum;
}

/* While the tasks run: only whether any had to wait. */
static bool was_contended(void)
{
	uint64_t contended = 0;

	for (unsigned int slot = 0; slot < rig.run->setup.tasks; slot++)
		contended += m_task_of(rig.run, slot)->sites[SITE].contended;
	return contended > 0;
}

static void expect_unlocked(void)
{
	assert_int_equal(m_load(&shared->lock.locked), 0);
	assert_int_equal(m_load(&shared->lock.tail), 0);
	assert_int_equal(m_load(&native_run_of(rig.run)->sleepers), 0);
}

/* However many tasks there are: each gets the lock, one at a time, and every taking is counted. */
static void exclude(unsigned int tasks, enum m_mode mode)
{
	struct site_stats stats;
	int64_t from, elapsed;

	open_shared(
		&(struct rig_args){ .tasks = tasks, .mode = mode, .body = enter_again_and_again });
	from = native_ops.now();
	rig_go(NULL);
	for (unsigned int slot = 0; slot < tasks; slot++)
		while (m_task_of(rig.run, slot)->ops == 0)
			rig_advance(MS);
	do {
		rig_advance(20 * MS);
	} while (!was_contended());
	rig_stop();
	elapsed = native_ops.now() - from;
	assert_int_equal(m_load(&shared->violations), 0);
	assert_int_equal(shared->counted, rig_ops());
	stats = stats_of_all(SITE);
	assert_int_equal(stats.acquisitions, rig_ops());
	assert_true(stats.wait_ns < tasks * (uint64_t)elapsed);
	for (unsigned int site = 0; site < M_SITES; site++)
		if (site != SITE)
			assert_int_equal(stats_of_all(site).acquisitions, 0);
	expect_unlocked();
}

static void test_exclusion(void **state)
{
	(void)state;
	exclude(2, M_PROCESS);
	exclude(2, M_THREAD);
	exclude(16, M_PROCESS);
	exclude(16, M_THREAD);
	exclude(50, M_PROCESS);
}

/* Nobody else is there: nothing is contended, no clock is read. */
static void test_alone(void **state)
{
	(void)state;
	open_shared(&(struct rig_args){ .tasks = 2 });
	rig_act_as(1);
	for (unsigned int i = 0; i < 1000; i++) {
		enter(native_self);
		assert_int_equal(native_self->sites[SITE].acquisitions, i + 1);
	}
	assert_int_equal(native_self->sites[SITE].contended, 0);
	assert_int_equal(native_self->sites[SITE].wait_ns, 0);
	assert_int_equal(m_task_of(rig.run, 0)->sites[SITE].acquisitions, 0);
	assert_int_equal(m_load(&shared->violations), 0);
	expect_unlocked();
	rig_conductor();
}

/* Takes the lock once, when it is told to, and says when it was served. */
static void queue_once(struct task *t)
{
	bool queued = false;

	while (task_running(t)) {
		if (!queued && m_load_acquire(&shared->turn) == (int64_t)t->slot + 1) {
			queued = true;
			spin_lock(&shared->lock, SITE);
			m_store(&shared->order[m_add(&shared->done, 1)], t->slot);
			spin_unlock(&shared->lock);
			t->ops++;
		}
		sched_yield();
	}
}

static void queue_up(unsigned int slot)
{
	m_store_release(&shared->turn, slot + 1);
	rig_await(&shared->lock.tail, slot + 1);
}

/* While the lock is held tasks queue in a known order: in that order they must get it. */
static void serve_in_order(enum m_mode mode, unsigned int cpus)
{
	static const unsigned int order[WAITERS] = { 4, 0, 3, 5, 1, 2 };
	int64_t queued[WAITERS], before[WAITERS], released, done;

	open_shared(&(struct rig_args){
		.tasks = WAITERS, .mode = mode, .cpus = cpus, .body = queue_once });
	rig_go(NULL);
	spin_lock(&shared->lock, SITE);
	for (unsigned int i = 0; i < WAITERS; i++) {
		before[i] = native_ops.now();
		queue_up(order[i]);
		queued[i] = native_ops.now();
	}
	rig_advance(5 * MS);
	assert_int_equal(m_load(&shared->done), 0);
	released = native_ops.now();
	spin_unlock(&shared->lock);
	rig_await(&shared->done, WAITERS);
	rig_stop();
	done = native_ops.now();
	for (unsigned int i = 0; i < WAITERS; i++) {
		const struct site_stats *stats = &m_task_of(rig.run, order[i])->sites[SITE];

		assert_int_equal(m_load(&shared->order[i]), order[i]);
		assert_int_equal(stats->acquisitions, 1);
		assert_int_equal(stats->contended, 1);
		assert_in_range(stats->wait_ns, released - queued[i], done - before[i]);
	}
	/* The conductor's own taking was the only one that did not wait. */
	assert_int_equal(stats_of_all(SITE).acquisitions, WAITERS + 1);
	assert_int_equal(stats_of_all(SITE).contended, WAITERS);
	expect_unlocked();
}

static void test_order_of_the_queue(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < 5; i++) {
		serve_in_order(M_PROCESS, 1);
		serve_in_order(M_THREAD, 1);
	}
	serve_in_order(M_PROCESS, MANY_CPUS);
}

/* Who sees a queue goes behind it, though the lock itself is free at that moment. */
static void test_nobody_jumps_the_queue(void **state)
{
	struct task *first;

	(void)state;
	open_shared(&(struct rig_args){ .tasks = 2, .body = queue_once });
	rig_go(NULL);
	/* Slot 1 stands in the queue, by hand, as if it had not seen yet that the lock is free. */
	first = m_task_of(rig.run, 1);
	m_store_release(&shared->lock.tail, first->slot + 1);
	m_store_release(&shared->turn, 1);
	rig_await(&first->queue_next, 1 /* slot 0 */);
	rig_advance(5 * MS);
	assert_int_equal(m_load(&shared->done), 0);
	assert_int_equal(m_load(&shared->lock.locked), 0);
	m_hand_over(&m_task_of(rig.run, 0)->queue_go, 1);
	rig_await(&shared->done, 1);
	rig_stop();
	assert_int_equal(m_task_of(rig.run, 0)->sites[SITE].contended, 1);
	expect_unlocked();
}

/* All wait until all sleep; gives how long they took to come through then. */
static int64_t sleep_and_be_woken(void)
{
	int64_t released, took;

	open_shared(&(struct rig_args){ .tasks = WAITERS, .cpus = 2, .body = queue_once });
	rig_go(NULL);
	spin_lock(&shared->lock, SITE);
	for (unsigned int slot = 0; slot < WAITERS; slot++)
		queue_up(slot);
	rig_await(&native_run_of(rig.run)->sleepers, WAITERS);
	released = native_ops.now();
	spin_unlock(&shared->lock);
	rig_await(&shared->done, WAITERS);
	took = native_ops.now() - released;
	rig_stop();
	expect_unlocked();
	return took;
}

/* A sleeper that nobody wakes looks again by itself, but only after about a second. */
static void test_waiters_sleep_where_cpus_are_scarce(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < 5; i++)
		if (sleep_and_be_woken() < 500 * MS)
			return;
	fail_msg("releases do not wake who sleeps");
}

static void test_waiters_spin_where_cpus_are_plenty(void **state)
{
	(void)state;
	open_shared(&(struct rig_args){ .tasks = 2, .cpus = 2, .body = queue_once });
	rig_go(NULL);
	spin_lock(&shared->lock, SITE);
	queue_up(0);
	queue_up(1);
	for (unsigned int i = 0; i < 10; i++) {
		rig_advance(MS);
		assert_int_equal(m_load(&native_run_of(rig.run)->sleepers), 0);
	}
	spin_unlock(&shared->lock);
	rig_await(&shared->done, 2);
	rig_stop();
	expect_unlocked();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		rig_test(test_alone),
		rig_test(test_exclusion),
		rig_test(test_order_of_the_queue),
		rig_test(test_nobody_jumps_the_queue),
		rig_test(test_waiters_sleep_where_cpus_are_scarce),
		rig_test(test_waiters_spin_where_cpus_are_plenty),
	};

	rig_init();
	return cmocka_run_group_tests_name("spinlock", tests, NULL, NULL);
}

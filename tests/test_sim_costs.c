// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_sim_costs.c - what single accesses and small closed cases cost on the simulated machine, to
 * the picosecond, against the model's rules by hand.
 */
#include "machine/spinlock.h"
#include "tests/sim_rig.h"

#define ROUNDS 50

/* The other PU, and the latency between it and PU 0. */
static const struct {
	unsigned int pu;
	int64_t latency;
} others[] = { { 1, PS(10) }, { 2, PS(40) }, { 4, PS(60) }, { 8, PS(100) }, { 16, PS(200) } };

#define each_other(i) for (unsigned int i = 0; i < sizeof(others) / sizeof(others[0]); i++)

static m_word *word(unsigned int line)
{
	return &shared->line[line].word[0];
}

/* Task 0 writes the line, task 1 then does one thing with it; what it costs is left in the part. */
static int64_t took;
static enum sim_kind deed;

static void touch_then_other(struct task *t)
{
	int64_t from;

	if (t->slot == 0) {
		m_store(word(0), 7);
		return;
	}
	pass_ns(t, 1000);
	from = sim_self->now;
	if (deed == SIM_LOAD)
		assert_int_equal(m_load(word(0)), 7);
	else if (deed == SIM_STORE)
		m_store(word(0), 9);
	else if (deed == SIM_ADD)
		assert_int_equal(m_add(word(0), 1), 7);
	else
		assert_true(m_cas_acquire(word(0), 7, 9));
	took = sim_self->now - from;
}

static void test_one_access_at_each_level(void **state)
{
	(void)state;
	each_other(i)
	{
		for (deed = SIM_LOAD; deed <= SIM_CAS; deed++) {
			rig_on(2, (unsigned int[]){ 0, others[i].pu }, touch_then_other);
			rig_finish();
			/* A store is posted: its CPU goes on at once. */
			assert_int_equal(took, deed == SIM_STORE ? HIT : others[i].latency);
			assert_int_equal(stats_of(word(0)).moves, 1);
			assert_int_equal(stats_of(word(0)).wait_ps, others[i].latency);
			assert_int_equal(word(0)->opaque, deed == SIM_LOAD  ? 7
							  : deed == SIM_ADD ? 8
									    : 9);
		}
	}
}

static void hits(struct task *t)
{
	(void)t;
	for (int i = 0; i < 10; i++)
		m_load(word(0));
	for (int i = 0; i < 10; i++)
		m_store(word(0), i);
	for (int i = 0; i < 10; i++)
		m_add(word(0), 1);
	assert_false(m_cas_relaxed(word(0), 3, 4));
	assert_int_equal(m_swap_acq_rel(word(0), 3), 19);
}

static void test_hits(void **state)
{
	(void)state;
	rig_on(1, (unsigned int[]){ 0 }, hits);
	rig_finish();
	assert_int_equal(clock_of(0), 20 * HIT + 12 * ATOMIC);
	assert_int_equal(stats_of(word(0)).moves, 0);
}

/*
 * Each waits for the other's CAS by trying its own. The line leaves who has just succeeded once an
 * atomic operation has had its time, and then comes.
 */
static void ping_pong(struct task *t)
{
	for (int64_t i = t->slot; i < 2 * ROUNDS; i += 2)
		while (!m_cas_relaxed(word(0), i, i + 1))
			;
}

static void test_ping_pong_at_each_level(void **state)
{
	(void)state;
	each_other(i)
	{
		int64_t hop = ATOMIC + COMING(others[i].latency);
		int64_t first;

		rig_on(2, (unsigned int[]){ 0, others[i].pu }, ping_pong);
		rig_finish();
		assert_int_equal(word(0)->opaque, 2 * ROUNDS);
		/* The first hop is of a line that task 0 touched at time 0; each other is alike. */
		first = clock_of(1) - (2 * ROUNDS - 2) * hop;
		assert_in_range(first, others[i].latency, others[i].latency + ATOMIC);
		assert_int_equal(stats_of(word(0)).moves, 2 * ROUNDS - 1);
	}
}

static unsigned int apart; /* words between what two tasks write */

static void add_to_own(struct task *t)
{
	m_word *own = word(0) + t->slot * apart;

	for (int i = 0; i < 2 * ROUNDS; i++)
		m_add(own, 1);
}

/* Words of one line cost two tasks what one word would; a line apart they cost nothing. */
static void test_false_sharing(void **state)
{
	int64_t hop = ATOMIC + COMING(PS(40));

	(void)state;
	apart = WORDS;
	rig_on(2, (unsigned int[]){ 0, 2 }, add_to_own);
	rig_finish();
	assert_int_equal(clock_of(0), 2 * ROUNDS * ATOMIC);
	assert_int_equal(clock_of(1), 2 * ROUNDS * ATOMIC);
	apart = 1;
	rig_on(2, (unsigned int[]){ 0, 2 }, add_to_own);
	rig_finish();
	/* Two adds each time the line comes: what it came for, and one more before it leaves. */
	assert_in_range(stats_of(word(0)).moves, 2 * ROUNDS - 4, 2 * ROUNDS);
	assert_in_range(clock_of(1), (2 * ROUNDS - 4) * hop, 2 * ROUNDS * hop);
}

#define READERS 6

/* One writes a word that many wait for: they are served one by one, the first from its cache. */
static void write_or_read(struct task *t)
{
	if (t->slot > 0) {
		m_wait_until(word(0), -1, 1);
		return;
	}
	pass_ns(t, 1000);
	m_hand_over(word(0), 1);
}

static void test_one_writer_many_readers(void **state)
{
	/* No two on a core, all on one cache: PUs of a machine that is one package. */
	static const unsigned int pus[READERS + 1] = { 0, 2, 4, 6, 8, 10, 12 };
	int64_t changed;

	(void)state;
	rig_on(2, (unsigned int[]){ 0, 2 }, write_or_read);
	rig_finish();
	/* Task 1 has touched the line: the store comes for it, then it reads it back. */
	changed = PS(1000) + PS(40);
	assert_int_equal(clock_of(1), changed + PS(40));

	rig_on(READERS + 1, pus, write_or_read);
	rig_finish();
	/*
	 * The line was shared by all in both packages: the store asks the farthest. Then PU 2 reads
	 * it from the writer; PU 4 finds it in its package, the others in the next one; each copy is
	 * handed out READ_BUSY after the one before.
	 */
	changed = PS(1000) + PS(100);
	assert_int_equal(clock_of(1), changed + PS(40));
	assert_int_equal(stats_of(word(0)).reads, 2 * READERS - 3);
	for (unsigned int slot = 2; slot <= READERS; slot++)
		assert_true(clock_of(slot) >= changed + PS(40) + READ + (slot - 2) * READ_BUSY);
}

/* All ask for one word at the same time. */
static void add_once(struct task *t)
{
	if (t->slot == 0)
		m_store(word(0), 0);
	else
		pass_ns(t, 1000);
	if (t->slot > 0)
		m_add(word(0), 1);
}

static void test_queued_adds(void **state)
{
	int64_t d = PS(60);

	(void)state;
	rig_on(2, (unsigned int[]){ 0, 2 }, add_once);
	rig_finish();
	assert_int_equal(clock_of(1), PS(1000) + PS(40));
	/* By turns of two caches, so that each is as far from the one before it. */
	rig_on(4, (unsigned int[]){ 6, 0, 4, 2 }, add_once);
	rig_finish();
	assert_int_equal(word(0)->opaque, 3);
	for (unsigned int slot = 1; slot <= 3; slot++)
		assert_int_equal(clock_of(slot), PS(1000) + d + (slot - 1) * (ATOMIC + COMING(d)));
}

static unsigned int served[16], served_count;

static void add_and_note(struct task *t)
{
	if (t->slot == 0) {
		m_store(word(0), 0);
		return;
	}
	/* In the order of their numbers, while the line is under way to the first. */
	for (unsigned int i = 0; i < 1000 + t->slot; i++)
		m_load(word(1 + t->slot));
	m_add(word(0), 1);
	served[served_count++] = t->slot;
}

/* near_grants is 3: of those that wait, three of the package, then the oldest from elsewhere. */
static void test_near_ones_first_but_not_for_ever(void **state)
{
	/* Tasks 1, 3 to 9 in package 0; 2 in package 1; 10 in package 2. */
	static const unsigned int pus[] = { 6, 0, 8, 1, 2, 3, 4, 5, 7, 9, 16 };
	static const unsigned int order[] = { 1, 3, 4, 5, 2, 9, 6, 7, 8, 10 };

	(void)state;
	served_count = 0;
	rig_on(11, pus, add_and_note);
	rig_finish();
	assert_int_equal(served_count, 10);
	for (unsigned int i = 0; i < 10; i++)
		if (served[i] != order[i])
			fail_msg("%u was served as number %u, not %u", served[i], i, order[i]);
}

/* Stores are posted up to the buffer's size, and an atomic operation waits for all of them. */
static void post_stores(struct task *t)
{
	int64_t from;

	if (t->slot == 0) {
		for (unsigned int i = 0; i < 5; i++)
			m_store(word(i), 1);
		return;
	}
	pass_ns(t, 1000);
	from = sim_self->now;
	for (unsigned int i = 0; i < 4; i++)
		m_store(word(i), 2);
	assert_int_equal(sim_self->now - from, 4 * HIT);
	assert_int_equal(m_load(word(3)), 2); /* its own */
	assert_int_equal(word(3)->opaque, 1); /* nobody else's yet */
	m_store(word(4), 2);
	/* The fifth waited for the first to make room. */
	assert_int_equal(sim_self->now - from, PS(40) + HIT);
	m_add(word(5), 1);
	assert_int_equal(sim_self->now - from, 5 * PS(40) + ATOMIC);
	assert_int_equal(word(3)->opaque, 2);
}

static void test_store_buffer(void **state)
{
	(void)state;
	rig_on(2, (unsigned int[]){ 0, 2 }, post_stores);
	rig_finish();
}

static void on_a_path(struct task *t)
{
	m_area area = m_sys_map(t, 4096);

	m_sys_unmap(t, area, 4096);
}

/* Siblings slow each other down, others do not. */
static void test_paths(void **state)
{
	(void)state;
	rig_on(2, (unsigned int[]){ 0, 2 }, on_a_path);
	rig_finish();
	assert_int_equal(clock_of(0), PS(1500));
	assert_int_equal(clock_of(1), PS(1500));
	rig_on(2, (unsigned int[]){ 0, 1 }, on_a_path);
	rig_finish();
	assert_int_equal(clock_of(0), PS(2250));
	assert_int_equal(clock_of(1), PS(2250));
}

static void take_lock(struct task *t)
{
	struct spinlock *lock = (struct spinlock *)word(0);

	for (int i = 0; i < ROUNDS; i++) {
		spin_lock(lock, 0);
		m_store(word(0) + 4, t->slot);
		spin_unlock(lock);
	}
}

static int64_t hand_over_ps(unsigned int tasks, const unsigned int *pus)
{
	int64_t last = 0;

	rig_on(tasks, pus, take_lock);
	rig_finish();
	for (unsigned int slot = 0; slot < tasks; slot++) {
		last = sim_most(last, clock_of(slot));
		assert_int_equal(m_task_of(rig.run, slot)->sites[0].acquisitions, ROUNDS);
	}
	return last / (tasks * ROUNDS);
}

/* A queued lock is handed on in some transfers, all within the package or all across. */
static void test_lock_hand_over(void **state)
{
	int64_t near = hand_over_ps(4, (unsigned int[]){ 0, 2, 1, 3 });
	int64_t inside = hand_over_ps(4, (unsigned int[]){ 0, 4, 2, 6 });
	int64_t across = hand_over_ps(4, (unsigned int[]){ 0, 16, 8, 24 });

	(void)state;
	assert_in_range(inside, 3 * PS(60), 6 * PS(60));
	assert_in_range(across, 3 * PS(100), 6 * PS(200));
	assert_true(near < inside && 2 * inside < across);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		rig_test(test_hits),
		rig_test(test_one_access_at_each_level),
		rig_test(test_ping_pong_at_each_level),
		rig_test(test_false_sharing),
		rig_test(test_one_writer_many_readers),
		rig_test(test_queued_adds),
		rig_test(test_near_ones_first_but_not_for_ever),
		rig_test(test_store_buffer),
		rig_test(test_paths),
		rig_test(test_lock_hand_over),
	};

	rig_init();
	return cmocka_run_group_tests_name("sim costs", tests, NULL, NULL);
}

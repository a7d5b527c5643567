// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_sim_explore.c - the search finds what is wrong within few seeds, finds nothing where nothing
 * is, and a seed alone shows it again.
 */
#include "machine/sim/explore.h"
#include "machine/spinlock.h"
#include "tests/sim_rig.h"

#define SEEDS 300

/* Of the test, in the arena. */
static struct {
	struct spinlock lock;
	M_LINE_APART m_word flag[2];
	M_LINE_APART m_word other[2];
	M_LINE_APART m_word inside, violations;
} * arena;

static void open_seed(uint64_t seed, unsigned int tasks, void (*body)(struct task *))
{
	rig_close();
	sim_explore_begin(
		&(struct sim_explore){ .seed = seed, .one_in = 8, .longest_ps = PS(400) });
	rig_open(&(struct rig_args){ .tasks = tasks, .body = body, .seed = seed });
	arena = m_alloc(rig.run, sizeof(*arena), M_LINE_PAIR_BYTES);
	m_name(rig.run, &arena->lock.locked, 1, "the.lock");
	m_name(rig.run, &arena->flag[0], 1, "first");
	m_name(rig.run, &arena->flag[1], 1, "second");
}

static enum m_event run_seed(uint64_t seed, unsigned int tasks, void (*body)(struct task *))
{
	enum m_event event;

	open_seed(seed, tasks, body);
	rig_go(NULL);
	event = rig_machine.advance(rig.run, 20000, &rig.error);
	if (event == M_OK)
		event = rig_machine.stop(rig.run, &rig.error);
	if (event == M_OK && m_load(&arena->violations)) {
		error_set(&rig.error, "both inside");
		event = M_FAILED;
	}
	sim_explore_end();
	return event;
}

/* The first seed that fails, 0: none. */
static uint64_t search(unsigned int tasks, void (*body)(struct task *))
{
	for (uint64_t seed = 1; seed <= SEEDS; seed++)
		if (run_seed(seed, tasks, body) != M_OK)
			return seed;
	return 0;
}

static void be_inside(void)
{
	if (m_add(&arena->inside, 1) != 0)
		m_add(&arena->violations, 1);
	m_add(&arena->inside, -1);
}

/* A lock that looks and then takes, in two steps. */
static void look_then_take(struct task *t)
{
	while (task_running(t)) {
		m_wait_until(&arena->lock.locked, 1, 0);
		m_store(&arena->lock.locked, 1);
		m_lock_taken(&arena->lock.locked);
		m_add(&arena->inside, 1);
		m_lock_released(&arena->lock.locked);
		m_hand_over(&arena->lock.locked, 0);
	}
}

static void test_two_owners(void **state)
{
	uint64_t seed = search(2, look_then_take);
	char told[sizeof(rig.error.text)];

	(void)state;
	assert_in_range(seed, 1, SEEDS);
	assert_non_null(strstr(rig.error.text, "two owners of the.lock at "));
	assert_non_null(strstr(rig.error.text, " has it, and task "));
	/* That seed alone, and the same once more. */
	snprintf(told, sizeof(told), "%s", rig.error.text);
	assert_int_equal(run_seed(seed, 2, look_then_take), M_FAILED);
	assert_string_equal(rig.error.text, told);
}

static void lock_well(struct task *t)
{
	while (task_running(t)) {
		spin_lock(&arena->lock, 0);
		be_inside();
		spin_unlock(&arena->lock);
		t->ops++;
	}
}

static void test_the_spinlock_has_one_owner(void **state)
{
	(void)state;
	assert_int_equal(search(2, lock_well), 0);
	assert_int_equal(search(4, lock_well), 0);
	assert_true(rig_ops() > 4);
}

/*
 * Dekker's entry: each says that it comes and looks whether the other does. It is right only where
 * the store is out before the look: a store buffer breaks it, an atomic operation does not.
 */
static bool says_so_at_once;

static void enter_by_flags(struct task *t)
{
	m_word *mine = t->slot ? &arena->other[0] : &arena->flag[0];
	m_word *others = t->slot ? &arena->flag[0] : &arena->other[0];

	/* Both lines are clean in both caches: a look is a hit, a store must ask for the line. */
	m_load(mine);
	m_load(others);
	m_sys_getppid(t);
	if (says_so_at_once)
		m_swap_acq_rel(mine, 1);
	else
		m_store(mine, 1);
	if (m_load(others) == 0 && m_add(&arena->inside, 1) == 1)
		m_add(&arena->violations, 1);
}

static void test_store_buffers(void **state)
{
	(void)state;
	says_so_at_once = false;
	assert_in_range(search(2, enter_by_flags), 1, SEEDS);
	assert_string_equal(rig.error.text, "both inside");
	says_so_at_once = true;
	assert_int_equal(search(2, enter_by_flags), 0);
}

static void take(m_word *flag)
{
	do {
		m_wait_until(flag, 1, 0);
	} while (!m_cas_acquire(flag, 0, 1));
}

/* Two flags, taken in another order by each: now and then both have one. */
static void take_crosswise(struct task *t)
{
	while (task_running(t)) {
		take(&arena->flag[t->slot]);
		m_sys_getppid(t);
		take(&arena->flag[!t->slot]);
		m_hand_over(&arena->flag[!t->slot], 0);
		m_hand_over(&arena->flag[t->slot], 0);
	}
}

static void test_deadlock(void **state)
{
	(void)state;
	assert_in_range(search(2, take_crosswise), 1, SEEDS);
	assert_non_null(strstr(rig.error.text, "deadlock at "));
	assert_non_null(strstr(rig.error.text, "until first & 0x1 is 0 (now 0x1)"));
	assert_non_null(strstr(rig.error.text, "until second & 0x1 is 0 (now 0x1)"));
}

static void add_to_one(struct task *t)
{
	while (task_running(t)) {
		m_add(&arena->flag[0], 1);
		t->ops++;
	}
}

/* The order of what two tasks do at the same time is the seed's; without one, that of numbers. */
static void who_is_first(struct task *t)
{
	m_cas_acquire(&arena->flag[0], 0, t->slot + 1);
}

static void test_ties_are_the_seeds(void **state)
{
	unsigned int firsts[2] = { 0 };

	(void)state;
	for (uint64_t seed = 0; seed <= 100; seed++) {
		rig_open(&(struct rig_args){ .tasks = 2, .body = who_is_first, .seed = seed });
		arena = m_alloc(rig.run, sizeof(*arena), M_LINE_PAIR_BYTES);
		rig_go(NULL);
		rig_stop();
		if (seed == 0)
			assert_int_equal(m_load(&arena->flag[0]), 1);
		else
			firsts[m_load(&arena->flag[0]) - 1]++;
	}
	assert_int_equal(firsts[0] + firsts[1], 100);
	assert_in_range(firsts[0], 30, 70);
}

static void test_a_seed_is_a_schedule(void **state)
{
	uint64_t points[3], ops[3];
	const uint64_t seeds[3] = { 5, 6, 5 };

	(void)state;
	for (unsigned int i = 0; i < 3; i++) {
		assert_int_equal(run_seed(seeds[i], 3, add_to_one), M_OK);
		points[i] = sim_explore_points();
		ops[i] = rig_ops();
		assert_int_equal(m_load(&arena->flag[0]), ops[i]);
	}
	assert_int_equal(points[0], points[2]);
	assert_int_equal(ops[0], ops[2]);
	assert_true(points[0] != points[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		rig_test(test_two_owners),	   rig_test(test_the_spinlock_has_one_owner),
		rig_test(test_store_buffers),	   rig_test(test_deadlock),
		rig_test(test_ties_are_the_seeds), rig_test(test_a_seed_is_a_schedule),
	};

	rig_init();
	return cmocka_run_group_tests_name("explore", tests, NULL, NULL);
}

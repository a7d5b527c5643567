// SPDX-License-Identifier: GPL-2.0-or-later
/* test_overcommit.c - the kernel's rules for committed memory: batch, limit, what is admitted. */
#define COUNTER_FILE "counters/commit/percpu_counter.h"
#include "counters/account.h"
#include "tests/rig.h"

#define PAGES_OF_GIB(gib) ((int64_t)(gib) << 18)
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Worked out by hand from max(min(memory / CPUs / 256 * multiple, INT_MAX), max(2 * CPUs, 32)). */
static const struct {
	int64_t pages;
	unsigned int cpus;
	int64_t at_1x, at_16x, at_64x;
} machines[] = {
	{ PAGES_OF_GIB(24), 2, 12288, 196608, 786432 },
	{ PAGES_OF_GIB(32), 16, 2048, 32768, 131072 },
	{ PAGES_OF_GIB(64), 16, 4096, 65536, 262144 },
	{ PAGES_OF_GIB(192), 96, 2048, 32768, 131072 },
	{ PAGES_OF_GIB(192), 104, 1890, 30247, 120989 },
	{ PAGES_OF_GIB(126), 88, 1466, 23458, 93835 },
	{ PAGES_OF_GIB(512), 144, 3640, 58254, 233016 },
	{ PAGES_OF_GIB(64), 144, 455, 7281, 29127 },
	/* the floor: 2 pages a CPU, 32 at least */
	{ PAGES_OF_GIB(4), 144, 288, 455, 1820 },
	{ PAGES_OF_GIB(1) / 8, 4, 32, 512, 2048 },
	{ 0, 1, 32, 32, 32 },
	{ 0, 17, 34, 34, 34 },
	{ PAGES_OF_GIB(24 << 10), 8192, 16384, 49152, 196608 },
	/* the kernel's batch is an s32 */
	{ PAGES_OF_GIB(16 << 10), 1, 16777216, 268435456, 1073741824 },
	{ PAGES_OF_GIB(32 << 10) - 4, 1, 33554431, 536870911, INT32_MAX },
	{ PAGES_OF_GIB(32 << 10), 1, 33554432, 536870912, INT32_MAX },
	{ INT64_MAX, 1, INT32_MAX, INT32_MAX, INT32_MAX },
};

static void test_batch(void **state)
{
	(void)state;
	for (unsigned int i = 0; i < COUNT(machines); i++) {
		int64_t pages = machines[i].pages;
		unsigned int cpus = machines[i].cpus;

		assert_int_equal(overcommit_batch(pages, cpus, 1), machines[i].at_1x);
		assert_int_equal(overcommit_batch(pages, cpus, 16), machines[i].at_16x);
		assert_int_equal(overcommit_batch(pages, cpus, 64), machines[i].at_64x);
	}
	assert_int_equal(overcommit_batch(PAGES_OF_GIB(24), 2, INT64_MAX), INT32_MAX);
}

/* The kernel's own rules, R / CPUs / 256 and R / CPUs / 4, in their order of divisions. */
static void test_batch_is_the_kernels(void **state)
{
	(void)state;
	assert_int_equal(overcommit_multiple(OVERCOMMIT_NEVER), 1);
	assert_int_equal(overcommit_multiple(OVERCOMMIT_GUESS), 64);
	assert_int_equal(overcommit_multiple(OVERCOMMIT_ALWAYS), 64);
	for (int64_t pages = 1 << 22; pages < 1 << 23; pages += 4099)
		for (unsigned int cpus = 1; cpus < 1000; cpus += 37) {
			int64_t floor = cpus > 16 ? 2 * cpus : 32;
			int64_t precise = pages / cpus / 256, loose = pages / cpus / 4;

			assert_int_equal(overcommit_batch(pages, cpus, 1),
					 precise > floor ? precise : floor);
			assert_int_equal(overcommit_batch(pages, cpus, 64),
					 loose > floor ? loose : floor);
		}
}

static void test_limit(void **state)
{
	(void)state;
	assert_int_equal(overcommit_limit(1000, 0, 50, 0), 500);
	assert_int_equal(overcommit_limit(1001, 0, 50, 0), 500);
	assert_int_equal(overcommit_limit(1000, 300, 50, 0), 800);
	assert_int_equal(overcommit_limit(1000, 300, 0, 0), 300);
	assert_int_equal(overcommit_limit(1000, 300, 100, 0), 1300);
	assert_int_equal(overcommit_limit(1000, 300, 1000, 0), 10300);
	/* KiB take the ratio's place, and swap still adds to it. */
	assert_int_equal(overcommit_limit(1000, 300, 50, 4), 301);
	assert_int_equal(overcommit_limit(1000, 0, 50, 4096), 1024);
	assert_int_equal(overcommit_limit(1000, 0, 50, 4099), 1024);
	assert_int_equal(overcommit_limit(1000, 0, 50, 3), 0);
	assert_int_equal(overcommit_limit(1LL << 40, 1LL << 40, 150, 0), 5LL << 39);
	assert_int_equal(overcommit_limit(0, 0, 50, 1LL << 40), 1LL << 38);
}

static void test_allowed(void **state)
{
	struct overcommit_limits limits = { .commit_limit = 100000,
					    .admin_reserve = 2048,
					    .user_reserve = 32768 };

	(void)state;
	assert_int_equal(overcommit_allowed(&limits, 0), 97952);
	assert_int_equal(overcommit_allowed(&limits, 31), 97952);
	assert_int_equal(overcommit_allowed(&limits, 32), 97951);
	assert_int_equal(overcommit_allowed(&limits, 320000), 87952);
	assert_int_equal(overcommit_allowed(&limits, 32 * 32768 - 1), 97952 - 32767);
	assert_int_equal(overcommit_allowed(&limits, 32 * 32768), 97952 - 32768);
	assert_int_equal(overcommit_allowed(&limits, 1LL << 40), 97952 - 32768);
	limits.cap_sys_admin = true;
	assert_int_equal(overcommit_allowed(&limits, 0), 100000);
	assert_int_equal(overcommit_allowed(&limits, 1LL << 40), 100000 - 32768);
	limits.commit_limit = 10;
	assert_int_equal(overcommit_allowed(&limits, 640), -10);
}

static struct account *account;
static struct task *me;

/* Two slots with a batch that leaves the cheap read behind by up to 9 pages each. */
static void open_account(enum overcommit_policy policy, int64_t batch)
{
	assert_true(counter_info.has_batch);
	account = m_alloc(rig_open(&(struct rig_args){ .tasks = 2 }), sizeof(*account),
			  M_LINE_PAIR_BYTES);
	commit_init(&account->commit, rig.run, batch);
	m_store(&account->policy, policy);
	account->limits = (struct overcommit_limits){ .memory = 1000, .swap = 100 };
	account->limits.commit_limit = 600;
	for (unsigned int slot = 0; slot < 2; slot++)
		m_task_of(rig.run, slot)->counter = account;
	me = rig_act_as(0);
}

/* One request, and what is left behind by it. */
static void request(int64_t pages, bool admitted, int64_t committed)
{
	uint64_t refused = me->refused, charges = me->charges;

	assert_int_equal(vm_enough_memory(me, pages), admitted);
	assert_int_equal(commit_sum(&account->commit), committed);
	assert_int_equal(me->added, committed);
	assert_int_equal(me->refused - refused, admitted ? 0 : 1);
	/* Accounted first: a refusal has charged, and taken it back. */
	assert_int_equal(me->charges - charges, admitted ? 1 : 2);
}

static void test_guess(void **state)
{
	(void)state;
	open_account(OVERCOMMIT_GUESS, 1);
	request(1100, true, 1100);
	/* Each request alone is looked at: the total may be anything. */
	request(1100, true, 2200);
	request(1101, false, 2200);
	request(1LL << 40, false, 2200);
	account->limits.memory = 1LL << 40;
	request(1LL << 40, true, 2200 + (1LL << 40));
	request((1LL << 40) + 101, false, 2200 + (1LL << 40));
}

static void test_always(void **state)
{
	(void)state;
	open_account(OVERCOMMIT_ALWAYS, 1);
	request(1LL << 50, true, 1LL << 50);
	request(1, true, (1LL << 50) + 1);
}

/* The committed sum, with the request in it, must stay below what is allowed. */
static void test_never(void **state)
{
	(void)state;
	open_account(OVERCOMMIT_NEVER, 1);
	request(599, true, 599);
	request(1, false, 599);
	request(-10, true, 589);
	request(11, false, 589);
	request(10, true, 599);
	account->limits.admin_reserve = 1;
	request(0, false, 599);
	account->limits.cap_sys_admin = true;
	request(0, true, 599);
	account->limits.user_reserve = 5;
	me->mapped = 32;
	request(0, false, 599);
	request(-1, true, 598);
	/* Other slots' pages count as well. */
	rig_act_as(1);
	commit_add(&account->commit, 1, SITE_CHARGE);
	rig_act_as(0);
	assert_false(vm_enough_memory(me, 0));
	assert_int_equal(commit_sum(&account->commit), 599);
}

static void test_never_with_large_values(void **state)
{
	(void)state;
	open_account(OVERCOMMIT_NEVER, 1);
	account->limits.commit_limit = 1LL << 33;
	request((1LL << 33) - 1, true, (1LL << 33) - 1);
	request(1, false, (1LL << 33) - 1);
	request(1LL << 34, false, (1LL << 33) - 1);
	request(-(1LL << 33), true, -1);
	/* A count below zero, as one may be for a moment, is none. */
	account->limits.commit_limit = 0;
	request(0, false, -1);
	account->limits.commit_limit = 1;
	request(0, true, -1);
}

/* The check asks the cheap read: it may let in, or refuse, what the batch keeps from it. */
static void test_never_asks_the_cheap_read(void **state)
{
	(void)state;
	open_account(OVERCOMMIT_NEVER, 10);
	account->limits.commit_limit = 5;
	request(9, true, 9); /* all of it is in the part: read as 0 */
	request(-9, true, 0);
	request(10, false, 0); /* spilled: read as 10; taken back, which spills as well */
	assert_int_equal(me->sites[SITE_CHARGE].acquisitions, 1);
	assert_int_equal(me->sites[SITE_UNCHARGE].acquisitions, 1);
	assert_int_equal(me->sites[SITE_SUM].acquisitions, 3); /* the tests' own sums */
	assert_int_equal(me->spills, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_batch),
		cmocka_unit_test(test_batch_is_the_kernels),
		cmocka_unit_test(test_limit),
		cmocka_unit_test(test_allowed),
		rig_test(test_guess),
		rig_test(test_always),
		rig_test(test_never),
		rig_test(test_never_with_large_values),
		rig_test(test_never_asks_the_cheap_read),
	};

	rig_init();
	return cmocka_run_group_tests_name("overcommit", tests, NULL, NULL);
}

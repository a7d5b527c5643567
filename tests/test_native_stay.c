// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_native_stay.c - a task that is no longer where it was placed fails its run with the reason:
 * its CPU went offline, or its binding was taken from it.
 */
#include "tests/rig.h"

#include "machine/native/stay.h"
#include "tests/env_tree.h"

static void work(struct task *t)
{
	while (task_running(t))
		t->ops++;
}

static void online(void **state)
{
	(void)state;
	put(CPU "/online", "0-2,5\n");
	assert_true(native_is_online(root, 0) && native_is_online(root, 2));
	assert_true(native_is_online(root, 5));
	assert_false(native_is_online(root, 3) || native_is_online(root, 4));
	assert_false(native_is_online(root, 6));
	put(CPU "/online", "garbage\n");
	assert_true(native_is_online(root, 3)); /* nothing is made up */
	assert_true(native_is_online("/nonexistent", 3));
}

static void start(enum m_mode mode)
{
	rig_open(&(struct rig_args){ .tasks = 1, .mode = mode, .body = work });
	assert_int_equal(native_ops.start(rig.run, &rig.error), M_OK);
	native_ops.gate(rig.run);
}

static void offline(void **state)
{
	char text[80];

	start(M_PROCESS);
	assert_int_equal(make_clean_tree(state), 0);
	put(CPU "/online", "0-8191\n");
	assert_int_equal(native_check_places(rig.run, root, &rig.error), 0);
	put(CPU "/online", "8191\n");
	assert_int_equal(native_check_places(rig.run, root, &rig.error), -1);
	snprintf(text, sizeof(text), "CPU %d went offline while task 0 ran on it",
		 m_task_of(rig.run, 0)->place.pu);
	assert_string_equal(rig.error.text, text);
	assert_int_equal(remove_tree(state), 0);
	assert_int_equal(native_ops.stop(rig.run, &rig.error), M_OK);
}

/* Moved away as the kernel does it: the mask is another one from then on. */
static void moved(void **state)
{
	(void)state;
	for (enum m_mode mode = M_PROCESS; mode <= M_THREAD; mode++) {
		cpu_set_t all;

		if (topology_usable_pus(&rig.topology) < 2)
			return;
		start(mode);
		assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
		assert_int_equal(sched_setaffinity(m_task_of(rig.run, 0)->os_id, sizeof(all), &all),
				 0);
		assert_int_equal(native_ops.stop(rig.run, &rig.error), M_FAILED);
		assert_non_null(strstr(rig.error.text, "task 0 is no longer bound to CPU"));
		rig_close();
	}
}

static void unbound(void **state)
{
	(void)state;
	rig_open(&(struct rig_args){ .tasks = 2, .body = work, .placement = PLACEMENT_NONE });
	assert_int_equal(native_ops.start(rig.run, &rig.error), M_OK);
	native_ops.gate(rig.run);
	assert_int_equal(native_ops.stop(rig.run, &rig.error), M_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_TREE(online),
		rig_test(offline),
		rig_test(moved),
		rig_test(unbound),
	};

	rig_init();
	return cmocka_run_group_tests_name("native_stay", tests, NULL, NULL);
}

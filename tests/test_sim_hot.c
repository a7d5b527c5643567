// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * test_sim_hot.c - hot lines: what is noted of lines that move, to the last transfer, and what the
 * report makes of it.
 */
#include "machine/sim/hot_uses.h"
#include "machine/spinlock.h"
#include "tests/sim_rig.h"

#define ROUNDS 10
#define TURN_NS 1000 /* from one task's access to the other's: longer than any transfer */

static m_word *word_at(unsigned int line, unsigned int n)
{
	return &shared->line[line].word[n];
}

static void watch(bool on)
{
	if (on)
		rig_is_ok(sim_profiler.attach(rig.run, &rig.error) == 0 ? M_OK : M_FAILED);
	sim_profiler.window(rig.run, on);
}

/* All notes of one word and task; zeros where there is none. */
static struct sim_hot noted(const m_word *word, int32_t cpu)
{
	struct sim_hot_all all = sim_hot_take();

	for (uint32_t i = 0; i < all.count; i++)
		if ((const m_word *)sim->arena + all.list[i].word == word && all.list[i].cpu == cpu)
			return all.list[i];
	return (struct sim_hot){ 0 };
}

static void run_watched(unsigned int tasks, const unsigned int *pus, void (*body)(struct task *))
{
	rig_on(tasks, pus, body);
	m_name(rig.run, word_at(0, 0), 1, "left");
	m_name(rig.run, word_at(0, 1), 1, "right");
	watch(true);
	rig_finish();
	watch(false);
}

/* The two take turns, each with a word of its own: on one line, or on two. */
static unsigned int lines_apart;

static void add_by_turns(struct task *t)
{
	pass_ns(t, t->slot * TURN_NS);
	for (unsigned int n = 0; n < ROUNDS; n++) {
		m_add(word_at(t->slot * lines_apart, t->slot), 1);
		t->ops++;
		pass_ns(t, 2 * TURN_NS);
	}
}

static void test_two_words_of_one_line(void **state)
{
	struct sim_hot_all all;
	struct sim_hot left, right;
	struct hot_uses uses;
	char *text;

	(void)state;
	lines_apart = 0;
	run_watched(2, (unsigned int[]){ 0, 2 }, add_by_turns);
	left = noted(word_at(0, 0), 0);
	right = noted(word_at(0, 1), 1);
	/* Each add finds the line with the other, but for the very first. */
	assert_int_equal(left.writes, ROUNDS - 1);
	assert_int_equal(right.writes, ROUNDS);
	assert_int_equal(left.stall_ps, (ROUNDS - 1) * PS(40));
	assert_int_equal(right.stall_ps, ROUNDS * PS(40));
	assert_int_equal(left.dirty_reads + left.clean_reads + left.waits, 0);
	assert_int_equal(noted(word_at(0, 1), 0).writes, 0);
	all = sim_hot_take();
	assert_int_equal(all.count, 2);
	assert_int_equal(all.ops, 2 * ROUNDS);
	uses = hot_uses_by_line(&all);
	assert_int_equal(uses.count, 2);
	assert_string_equal(uses.list[0].field.name, "left");
	assert_string_equal(uses.list[1].field.name, "right");
	assert_true(uses.list[0].is_false && uses.list[1].is_false);
	free(uses.list);
	text = sim_hot_text(&all);
	assert_non_null(strstr(text, "  left "));
	assert_non_null(strstr(text, "false sharing"));
	assert_non_null(strstr(text, "1 task: 0"));
	free(text);
	text = sim_hot_rows(&all);
	assert_string_equal(text, "shared+0,left,1,9,0,0,360,0,0,1,0,0:9,\n"
				  "shared+0,right,1,10,0,0,400,0,0,1,0,1:10,\n");
	free(text);
}

static void test_two_lines(void **state)
{
	struct sim_hot_all all;
	char *text;

	(void)state;
	lines_apart = 1;
	run_watched(2, (unsigned int[]){ 0, 2 }, add_by_turns);
	all = sim_hot_take();
	assert_int_equal(all.count, 0);
	text = sim_hot_text(&all);
	assert_non_null(strstr(text, "no line left a CPU's own cache"));
	free(text);
}

/* Both use both words of the line: true sharing, which no padding would end. */
static void add_both(struct task *t)
{
	pass_ns(t, t->slot * TURN_NS);
	for (unsigned int n = 0; n < ROUNDS; n++) {
		m_add(word_at(0, n & 1), 1);
		pass_ns(t, 2 * TURN_NS);
	}
}

static void test_true_sharing_is_not_false(void **state)
{
	struct sim_hot_all all;
	struct hot_uses uses;

	(void)state;
	run_watched(2, (unsigned int[]){ 0, 2 }, add_both);
	all = sim_hot_take();
	uses = hot_uses_by_line(&all);
	assert_int_equal(uses.count, 2);
	assert_false(uses.list[0].is_false || uses.list[1].is_false);
	free(uses.list);
}

/* One writes, then all others read: the first takes it from the writer, the next are served. */
static void write_then_read(struct task *t)
{
	pass_ns(t, t->slot * TURN_NS);
	if (t->slot == 0)
		m_store(word_at(0, 0), 7);
	else
		assert_int_equal(m_load(word_at(0, 0)), 7);
}

static void test_readers(void **state)
{
	struct sim_hot_all all;
	char *text;

	(void)state;
	run_watched(4, (unsigned int[]){ 0, 2, 3, 4 }, write_then_read);
	assert_int_equal(noted(word_at(0, 0), 0).writes, 0);
	assert_int_equal(noted(word_at(0, 0), 1).dirty_reads, 1);
	assert_int_equal(noted(word_at(0, 0), 2).clean_reads, 1);
	assert_int_equal(noted(word_at(0, 0), 3).clean_reads, 1);
	assert_int_equal(noted(word_at(0, 0), 2).stall_ps, READ);
	all = sim_hot_take();
	text = sim_hot_rows(&all);
	assert_non_null(strstr(text, ",0,3,,1:1;2:1;3:1\n"));
	free(text);
}

/* Task 1 sleeps until task 0 hands the word over. */
static void wait_or_hand_over(struct task *t)
{
	if (t->slot == 1) {
		m_wait_until(word_at(0, 0), 1, 1);
		return;
	}
	pass_ns(t, 5 * TURN_NS);
	m_hand_over(word_at(0, 0), 1);
}

static void test_waits(void **state)
{
	struct sim_hot waiter;

	(void)state;
	run_watched(2, (unsigned int[]){ 0, 2 }, wait_or_hand_over);
	waiter = noted(word_at(0, 0), 1);
	assert_int_equal(waiter.waits, 1);
	/* From behind its first look, a hit, to when the store has come there: 40 ns. */
	assert_int_equal(waiter.wait_ps, PS(5 * TURN_NS) - HIT + PS(40));
	assert_int_equal(noted(word_at(0, 0), 0).writes, 1);
}

static void lock_again_and_again(struct task *t)
{
	struct spinlock *lock = (struct spinlock *)word_at(0, 0);

	while (task_running(t)) {
		spin_lock(lock, 0);
		spin_unlock(lock);
		t->ops++;
	}
}

/* Holds look at the counter while tasks run on to safe points: none of that is in the notes. */
static uint64_t noted_moves(unsigned int holds)
{
	struct sim_hot_all all;
	uint64_t moves = 0;

	rig_on(4, (unsigned int[]){ 0, 2, 4, 8 }, lock_again_and_again);
	watch(true);
	rig_go(NULL);
	for (unsigned int n = 0; n < 6; n++) {
		rig_advance(10000);
		if (n < holds) {
			rig_hold();
			rig_machine.release(rig.run);
		}
	}
	watch(false);
	all = sim_hot_take();
	for (uint32_t i = 0; i < all.count; i++)
		moves += all.list[i].writes + all.list[i].dirty_reads;
	rig_stop();
	return moves;
}

static void test_a_hold_is_not_noted(void **state)
{
	uint64_t moves = noted_moves(0);

	(void)state;
	assert_in_range(moves, 100, 100000);
	assert_int_equal(noted_moves(6), moves);
}

/* The notes are the lines' own statistics, by word and task. */
static void test_notes_and_lines_agree(void **state)
{
	struct sim_hot_all all;
	uint64_t moves = 0, reads = 0, wait_ps = 0;

	(void)state;
	rig_on(4, (unsigned int[]){ 0, 2, 4, 8 }, lock_again_and_again);
	watch(true);
	rig_go(NULL);
	rig_advance(50000);
	watch(false);
	all = sim_hot_take();
	for (uint32_t line = 0; line < sim->line_count; line++) {
		moves += sim->line_stats[line].moves;
		reads += sim->line_stats[line].reads;
		wait_ps += sim->line_stats[line].wait_ps;
	}
	for (uint32_t i = 0; i < all.count; i++) {
		moves -= all.list[i].writes + all.list[i].dirty_reads;
		reads -= all.list[i].clean_reads;
		wait_ps -= all.list[i].stall_ps;
	}
	assert_int_equal(moves, 0);
	assert_int_equal(reads, 0);
	assert_int_equal(wait_ps, 0);
	assert_int_equal(all.window_ps, PS(50000));
	rig_stop();
}

/* A slot's queue words are named by struct task, and slots are told apart. */
static void test_names_of_slots(void **state)
{
	struct sim_hot_all all;
	char *text;

	(void)state;
	noted_moves(0);
	all = sim_hot_take();
	text = sim_hot_rows(&all);
	assert_non_null(strstr(text, ",task[3].queue_go,"));
	free(text);
	text = sim_hot_text(&all);
	assert_non_null(strstr(text, "  task[*].queue_next "));
	assert_non_null(strstr(text, ", 4 lines"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		rig_test(test_two_words_of_one_line),
		rig_test(test_two_lines),
		rig_test(test_true_sharing_is_not_false),
		rig_test(test_readers),
		rig_test(test_waits),
		rig_test(test_a_hold_is_not_noted),
		rig_test(test_notes_and_lines_agree),
		rig_test(test_names_of_slots),
	};

	rig_init();
	return cmocka_run_group_tests_name("hot lines", tests, NULL, NULL);
}

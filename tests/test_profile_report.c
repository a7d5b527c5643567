// SPDX-License-Identifier: GPL-2.0-or-later
/* test_profile_report.c - from samples as perf prints them to shares, sites and counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "machine/native/profile_report.h"

#define K " ([kernel.kallsyms])\n"
#define MAP                                                                                       \
	"\tffffffff81000001 native_queued_spin_lock_slowpath" K                                   \
	"\tffffffff81000002 _raw_spin_lock_irqsave" K                                             \
	"\tffffffff81000003 percpu_counter_add_batch" K "\tffffffff81000004 __vm_enough_memory" K \
	"\tffffffff81000005 mmap_region" K "\tffffffff81000006 do_mmap" K                         \
	"\tffffffff81000007 do_syscall_64" K "\n"
#define UNMAP                                         \
	"\tffffffff81000002 _raw_spin_lock_irqsave" K \
	"\tffffffff81000003 percpu_counter_add_batch" K "\tffffffff81000008 __do_munmap" K "\n"
#define USER "\t    55555555a3f2 body:1 (/home/user/a b/runtest)\n\n"
#define NESTED "\tffffffff81000009 walk" K "\tffffffff81000009 walk" K "\n"

static const int tids[] = { 11, 12 };

static int read_text(const char *text, struct m_profile *profile, struct error *error)
{
	FILE *samples = fmemopen((void *)text, strlen(text), "r");
	int result;

	assert_non_null(samples);
	*profile = (struct m_profile){ .text = NULL };
	result = profile_read(samples, tids, 2, profile, error);
	fclose(samples);
	return result;
}

/* In weights: 50 at the map's lock, 30 at the unmap's, 15 in user space, 5 in a recursion. */
static void shape(void **state)
{
	static const char text[] =
		"   11/11       50 cycles: \n" MAP "   11/12       30 cycles: \n" UNMAP
		"   99/99     1000 cycles: \n" USER /* not a task: the runner */
		"   11/11       15 cycles: \n" USER "   11/11        5 cycles: \n" NESTED;
	static const char wanted[] =
		"  4 samples of cycles\n"
		"  children     self  object\n"
		"    80.00%   30.00%  [kernel.kallsyms]  [k] _raw_spin_lock_irqsave\n"
		"     50.00% _raw_spin_lock_irqsave;percpu_counter_add_batch;__vm_enough_memory;"
		"mmap_region;do_mmap;\n"
		"     30.00% _raw_spin_lock_irqsave;percpu_counter_add_batch;__do_munmap;\n"
		"    50.00%   50.00%  [kernel.kallsyms]  [k] native_queued_spin_lock_slowpath\n"
		"    15.00%   15.00%  runtest            [.] body:1\n"
		"     5.00%    5.00%  [kernel.kallsyms]  [k] walk\n";
	struct m_profile profile;
	struct error error;

	(void)state;
	assert_int_equal(read_text(text, &profile, &error), 0);
	assert_string_equal(profile.text, wanted);
	assert_string_equal(profile.event, "cycles");
	assert_string_equal(profile.shares, "native_queued_spin_lock_slowpath:50.00;"
					    "_raw_spin_lock_irqsave:30.00;body.1:15.00;walk:5.00");
	assert_string_equal(
		profile.sites,
		"_raw_spin_lock_irqsave<percpu_counter_add_batch<__vm_enough_memory<mmap_region<"
		"do_mmap:50.00;_raw_spin_lock_irqsave<percpu_counter_add_batch<__do_munmap:30.00");
	free(profile.text);
}

/* Cut off in the middle, a symbol that is not known, a line that is not perf's. */
static void odd_input(void **state)
{
	static const char text[] = "  11/11  1 cpu-clock: \n\t  0 [unknown] ([unknown])\n\n"
				   "nonsense\n(\n"
				   "  12/12  3 cpu-clock: \n\tffffffff81000009 walk" K;
	struct m_profile profile;
	struct error error;

	(void)state;
	assert_int_equal(read_text(text, &profile, &error), 0);
	assert_string_equal(profile.shares, "walk:75.00;[unknown]:25.00");
	assert_string_equal(profile.sites, "");
	free(profile.text);
}

static void none_of_ours(void **state)
{
	struct m_profile profile;
	struct error error;

	(void)state;
	assert_int_equal(read_text(" 99/99 5 cycles: \n" USER, &profile, &error), -1);
	assert_non_null(strstr(error.text, "no sample"));
	assert_null(profile.text);
}

/* Names longer than a column: what does not fit whole is left out. */
static void long_names(void **state)
{
	char text[8192] = "";
	struct m_profile profile;
	struct error error;

	(void)state;
	for (int i = 0; i < 8; i++)
		sprintf(text + strlen(text), " 11/11 %d cycles: \n\tff %0120d" K "\n", 20 - i, i);
	assert_int_equal(read_text(text, &profile, &error), 0);
	assert_in_range(strlen(profile.shares), 3 * 126, sizeof(profile.shares) - 1);
	assert_non_null(strstr(profile.shares, "2:"));
	assert_null(strstr(profile.shares, "3:"));
	free(profile.text);
}

static void counts(void **state)
{
	static const char text[] = "12345,,cache-misses,1000,100.00,,\n"
				   "67,,mem_load_l3_hit_retired.xsnp_hitm,1000,100.00,,\n";
	static const char without[] = "<not supported>,,cache-misses,0,100.00,,\n"
				      "<not counted>,,mem_load_l3_hit_retired.xsnp_hitm,0,0,,\n";
	struct m_profile profile = { .text = NULL };
	FILE *file = fmemopen((void *)text, strlen(text), "r");

	(void)state;
	profile_read_counts(file, &profile);
	fclose(file);
	assert_true(profile.has_cache_misses && profile.has_hitm);
	assert_int_equal(profile.cache_misses, 12345);
	assert_int_equal(profile.hitm, 67);
	profile = (struct m_profile){ .text = NULL };
	file = fmemopen((void *)without, strlen(without), "r");
	profile_read_counts(file, &profile);
	fclose(file);
	assert_false(profile.has_cache_misses || profile.has_hitm);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shape),	cmocka_unit_test(odd_input),
		cmocka_unit_test(none_of_ours), cmocka_unit_test(long_names),
		cmocka_unit_test(counts),
	};

	return cmocka_run_group_tests_name("profile_report", tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* test_units_tasks.c - lists of task counts: what is read, what is refused and in which words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runner/units.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define UNTOUCHED 77 /* what a refused text must leave in the length */

struct row {
	const char *text, *wanted;
};

/* On a machine of 144 CPUs with a limit of 300 tasks; the list written as it would be typed. */
static void read_well(void **state)
{
	static const struct row good[] = {
		{ "1", "1," },
		{ "300", "300," },
		{ "4,1,2,4", "1,2,4," },
		{ "all", "144," },
		{ "50%", "72," },
		{ "0.1%", "1," },
		{ "1.1%", "2," }, /* 1.584 */
		{ "200%", "288," },
		{ "1..4", "1,2,3,4," },
		{ "3..3", "3," },
		{ "1..20:8", "1,8,16,20," },
		{ "8..24:8", "8,16,24," },
		{ "140..all:3", "140,141,144," },
		{ "5..7:99999999999", "5,7," },
		{ "1..144:48,all,100%,2", "1,2,48,96,144," },
	};
	struct error error;

	(void)state;
	for (size_t i = 0; i < COUNT(good); i++) {
		char text[64] = "";
		unsigned int *list = NULL;
		size_t n = 0, at = 0;

		if (units_tasks(good[i].text, 144, 300, &list, &n, &error) != 0)
			fail_msg("%s", error.text);
		for (size_t j = 0; j < n && at < sizeof(text); j++)
			at += (size_t)snprintf(text + at, sizeof(text) - at, "%u,", list[j]);
		free(list);
		if (strcmp(text, good[i].wanted) != 0)
			fail_msg("'%s' gives %s instead of %s", good[i].text, text, good[i].wanted);
	}
}

#define EMPTY_ITEM "an item of the task list is empty: give counts as 1,2,4"
#define NOT_A_TASK_COUNT " is not a task count: give a number, 1..144:8, 50% or all"
#define NO_TASKS " asks for 0 tasks: give 1 to 300"
#define TOO_MANY " asks for more tasks than the limit: give 1 to 300"

static void refused(void **state)
{
	static const struct row bad[] = {
		{ "", EMPTY_ITEM },
		{ "1,,4", EMPTY_ITEM },
		{ "1,", EMPTY_ITEM },
		{ ",1", EMPTY_ITEM },
		{ "abc", "'abc'" NOT_A_TASK_COUNT },
		{ "-3", "'-3'" NOT_A_TASK_COUNT },
		{ "1, 2", "' 2'" NOT_A_TASK_COUNT },
		{ "1,1-8,2", "'1-8'" NOT_A_TASK_COUNT },
		{ "2x", "'2x'" NOT_A_TASK_COUNT },
		{ "1.5", "'1.5'" NOT_A_TASK_COUNT },
		{ "1..", "'1..'" NOT_A_TASK_COUNT },
		{ "1..,8", "'1..'" NOT_A_TASK_COUNT },
		{ "..8", "'..8'" NOT_A_TASK_COUNT },
		{ "1..8:", "'1..8:'" NOT_A_TASK_COUNT },
		{ "1..8:2:2", "'1..8:2:2'" NOT_A_TASK_COUNT },
		{ "1..50%", "'1..50%'" NOT_A_TASK_COUNT },
		{ "4:2", "'4:2'" NOT_A_TASK_COUNT },
		{ "alle", "'alle'" NOT_A_TASK_COUNT },
		{ "0x4", "'0x4'" NOT_A_TASK_COUNT },
		{ "1..8:0", "'1..8:0' has a step of 0: give 1 or more, as 1..144:8" },
		{ "8..1", "'8..1' runs backwards: give the smaller end first, as 1..8" },
		{ "0", "'0'" NO_TASKS },
		{ "0%", "'0%'" NO_TASKS },
		{ "0..4", "'0..4'" NO_TASKS },
		{ "301", "'301'" TOO_MANY },
		{ "209%", "'209%'" TOO_MANY },
		{ "1..301", "'1..301'" TOO_MANY },
		{ "4294967297", "'4294967297'" TOO_MANY },
		{ "18446744073709551617", "'18446744073709551617'" TOO_MANY },
		{ "99999999999999999999%", "'99999999999999999999%'" TOO_MANY },
	};
	struct error error;

	(void)state;
	for (size_t i = 0; i < COUNT(bad); i++) {
		unsigned int *list = NULL;
		size_t n = UNTOUCHED;

		assert_int_equal(units_tasks(bad[i].text, 144, 300, &list, &n, &error), -1);
		assert_null(list);
		assert_int_equal(n, UNTOUCHED);
		if (strcmp(error.text, bad[i].wanted) != 0)
			fail_msg("'%s' is refused with\n  %s\ninstead of\n  %s", bad[i].text,
				 error.text, bad[i].wanted);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(read_well),
		cmocka_unit_test(refused),
	};

	return cmocka_run_group_tests_name("units_tasks", tests, NULL, NULL);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* test_suggest.c - which name a mistyped word is taken for, and when none is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "runner/suggest.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *const names[] = {
	"mmap1", "mmap2", "brk1", "percpu_counter", "percpu_sum", NULL, "lru", "page_fault1",
};

static void check(const char *word, const char *wanted)
{
	const char *got = suggest(word, names, COUNT(names));

	if (got == wanted || (got && wanted && strcmp(got, wanted) == 0))
		return;
	fail_msg("'%s' suggests %s instead of %s", word, got ? got : "nothing",
		 wanted ? wanted : "nothing");
}

static void near(void **state)
{
	(void)state;
	check("mmpa1", "mmap1"); /* a swap */
	check("mmap", "mmap1");	 /* the first of two as near */
	check("mmap3", "mmap1");
	check("MMAP2", "mmap2");
	check("brk", "brk1");
	check("url", "lru");
	check("lur", "lru");
	check("percpu-counter", "percpu_counter");
	check("percpucountr", "percpu_counter");
	check("percpu_kauntr", "percpu_counter"); /* three edits of thirteen characters */
	check("percpu_s", "percpu_sum");
	check("page_fualt1", "page_fault1");
}

static void far(void **state)
{
	(void)state;
	check("", NULL);
	check("b", NULL);
	check("xy", NULL);
	check("nonsense", NULL);
	check("mmap1234", NULL);
	check("an_overlong_word_of_more_than_sixty_four_characters_is_never_near_1", NULL);
	assert_null(suggest("mmap1", NULL, 0));
	assert_null(suggest("a", (const char *const[]){ "b", "cd" }, 2));
}

/* A swap is one edit: plain Levenshtein distance would count two and take the other name. */
static void swap_is_one_edit(void **state)
{
	(void)state;
	assert_string_equal(suggest("acb", (const char *const[]){ "axy", "abc" }, 2), "abc");
	assert_string_equal(suggest("abcd12", (const char *const[]){ "xycd12", "badc12" }, 2),
			    "xycd12"); /* both two edits: the first */
	assert_string_equal(suggest("abcdef", (const char *const[]){ "abcdxy", "abcdfe" }, 2),
			    "abcdfe");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(near),
		cmocka_unit_test(far),
		cmocka_unit_test(swap_is_one_edit),
	};

	return cmocka_run_group_tests_name("suggest", tests, NULL, NULL);
}

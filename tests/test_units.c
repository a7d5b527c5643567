// SPDX-License-Identifier: GPL-2.0-or-later
/* test_units.c - numbers with units: what is read, what is refused and in which words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "runner/units.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define UNTOUCHED 77 /* what a refused text must leave in the value */

/* A text that is refused, and the whole message. */
struct bad {
	const char *text, *message;
};

static void check_message(const char *text, const char *got, const char *wanted)
{
	if (strcmp(got, wanted) != 0)
		fail_msg("'%s' is refused with\n  %s\ninstead of\n  %s", text, got, wanted);
	assert_null(strchr(got, '\n'));
}

#define NOT_A_SIZE " is not a size: give a whole number of bytes or of K, M, G or T, as 128M"
#define SIZE_TOO_LARGE " is more bytes than 64 bits can count: give less, as 64G"

static void size(void **state)
{
	static const struct {
		const char *text;
		uint64_t bytes;
	} good[] = {
		{ "0", 0 },
		{ "4096", 4096 },
		{ "4K", 4096 },
		{ "4k", 4096 },
		{ "007", 7 },
		{ "128M", 134217728 },
		{ "128MiB", 134217728 },
		{ "1KiB", 1024 },
		{ "64G", 68719476736 },
		{ "8589934593", 8589934593 },
		{ "5T", 5497558138880 },
		{ "3GiB", 3221225472 },
		{ "1TiB", 1099511627776 },
		{ "16777215T", 18446742974197923840u },
		{ "18446744073709551614", 18446744073709551614u },
	};
	static const struct bad bad[] = {
		{ "", "''" NOT_A_SIZE },
		{ "M", "'M'" NOT_A_SIZE },
		{ "-1", "'-1'" NOT_A_SIZE },
		{ "+1", "'+1'" NOT_A_SIZE },
		{ " 1", "' 1'" NOT_A_SIZE },
		{ "1 M", "'1 M'" NOT_A_SIZE },
		{ "1.5G", "'1.5G'" NOT_A_SIZE },
		{ "0x10", "'0x10'" NOT_A_SIZE },
		{ "128MB", "'128MB'" NOT_A_SIZE },
		{ "128Mib", "'128Mib'" NOT_A_SIZE },
		{ "1iB", "'1iB'" NOT_A_SIZE },
		{ "1P", "'1P'" NOT_A_SIZE },
		{ "4K\n", "'4K?'" NOT_A_SIZE },
		{ "16777216T", "'16777216T'" SIZE_TOO_LARGE },
		{ "18446744073709551616", "'18446744073709551616'" SIZE_TOO_LARGE },
		{ "99999999999999999999999K", "'99999999999999999999999K'" SIZE_TOO_LARGE },
		{ "a text that is far too long to be repeated whole in an error",
		  "'a text that is far too long to be repeated whole...'" NOT_A_SIZE },
	};
	struct error error;
	uint64_t bytes;

	(void)state;
	for (size_t i = 0; i < COUNT(good); i++) {
		if (units_size(good[i].text, &bytes, &error) != 0)
			fail_msg("%s", error.text);
		assert_int_equal(bytes, good[i].bytes);
	}
	for (size_t i = 0; i < COUNT(bad); i++) {
		bytes = UNTOUCHED;
		assert_int_equal(units_size(bad[i].text, &bytes, &error), -1);
		assert_int_equal(bytes, UNTOUCHED);
		check_message(bad[i].text, error.text, bad[i].message);
	}
}

#define NOT_A_DURATION                                                                          \
	" is not a duration: give seconds, or a number with ns, us, ms, s, m or h, as 1.5s or " \
	"20ms"
#define TOO_LONG " is longer than a day: give less, as 5s"

static void duration(void **state)
{
	static const struct {
		const char *text;
		uint64_t ns;
	} good[] = {
		{ "0", 0 },
		{ "0s", 0 },
		{ "5", 5000000000 },
		{ "5s", 5000000000 },
		{ "1.5s", 1500000000 },
		{ "0.1", 100000000 },
		{ "20ms", 20000000 },
		{ "100us", 100000 },
		{ "7ns", 7 },
		{ "0.6ns", 1 },
		{ "2m", 120000000000 },
		{ "1.123456789s", 1123456789 },
		{ "24h", 86400000000000 },
		{ "86400", 86400000000000 },
	};
	static const struct bad bad[] = {
		{ "", "''" NOT_A_DURATION },
		{ "s", "'s'" NOT_A_DURATION },
		{ "-5s", "'-5s'" NOT_A_DURATION },
		{ "+5s", "'+5s'" NOT_A_DURATION },
		{ "nan", "'nan'" NOT_A_DURATION },
		{ "inf", "'inf'" NOT_A_DURATION },
		{ "1e3", "'1e3'" NOT_A_DURATION },
		{ "0x5", "'0x5'" NOT_A_DURATION },
		{ ".5s", "'.5s'" NOT_A_DURATION },
		{ "5.s", "'5.s'" NOT_A_DURATION },
		{ "1,5s", "'1,5s'" NOT_A_DURATION },
		{ "5 s", "'5 s'" NOT_A_DURATION },
		{ "5sec", "'5sec'" NOT_A_DURATION },
		{ "5S", "'5S'" NOT_A_DURATION },
		{ "1.5.5", "'1.5.5'" NOT_A_DURATION },
		{ "86401", "'86401'" TOO_LONG },
		{ "25h", "'25h'" TOO_LONG },
		{ "99999999999999999999999999s", "'99999999999999999999999999s'" TOO_LONG },
	};
	struct error error;
	uint64_t ns;

	(void)state;
	for (size_t i = 0; i < COUNT(good); i++) {
		if (units_duration(good[i].text, &ns, &error) != 0)
			fail_msg("%s", error.text);
		assert_int_equal(ns, good[i].ns);
	}
	for (size_t i = 0; i < COUNT(bad); i++) {
		ns = UNTOUCHED;
		assert_int_equal(units_duration(bad[i].text, &ns, &error), -1);
		assert_int_equal(ns, UNTOUCHED);
		check_message(bad[i].text, error.text, bad[i].message);
	}
}

#define NOT_A_PERCENTAGE " is not a percentage: give a number with %, as 0.5%"

static void percent(void **state)
{
	static const struct {
		const char *text;
		double percent;
	} good[] = {
		{ "0%", 0 }, { "1%", 1 }, { "0.5%", 0.5 }, { "50%", 50 }, { "100%", 100 },
	};
	static const struct bad bad[] = {
		{ "", "''" NOT_A_PERCENTAGE },
		{ "%", "'%'" NOT_A_PERCENTAGE },
		{ "1", "'1'" NOT_A_PERCENTAGE },
		{ "1%%", "'1%%'" NOT_A_PERCENTAGE },
		{ "-1%", "'-1%'" NOT_A_PERCENTAGE },
		{ "nan%", "'nan%'" NOT_A_PERCENTAGE },
		{ "1 %", "'1 %'" NOT_A_PERCENTAGE },
		{ "100.1%", "'100.1%' is more than the whole: give 0% to 100%, as 50%" },
	};
	struct error error;
	double value;

	(void)state;
	for (size_t i = 0; i < COUNT(good); i++) {
		if (units_percent(good[i].text, &value, &error) != 0)
			fail_msg("%s", error.text);
		assert_true(value == good[i].percent);
	}
	for (size_t i = 0; i < COUNT(bad); i++) {
		value = UNTOUCHED;
		assert_int_equal(units_percent(bad[i].text, &value, &error), -1);
		assert_true(value == UNTOUCHED);
		check_message(bad[i].text, error.text, bad[i].message);
	}
}

static void count(void **state)
{
	static const struct bad bad[] = {
		{ "", "'' is not a count: give a whole number from 2 to 12, as 2" },
		{ "x", "'x' is not a count: give a whole number from 2 to 12, as 2" },
		{ "3x", "'3x' is not a count: give a whole number from 2 to 12, as 2" },
		{ "-3", "'-3' is not a count: give a whole number from 2 to 12, as 2" },
		{ "3.0", "'3.0' is not a count: give a whole number from 2 to 12, as 2" },
		{ "1", "'1' is too small: give a whole number from 2 to 12, as 2" },
		{ "13", "'13' is too large: give a whole number from 2 to 12, as 12" },
		{ "4294967299",
		  "'4294967299' is too large: give a whole number from 2 to 12, as 12" },
		{ "18446744073709551619",
		  "'18446744073709551619' is too large: give a whole number from 2 to 12, as 12" },
	};
	struct error error;
	unsigned int value;

	(void)state;
	assert_int_equal(units_count("2", 2, 12, &value, &error), 0);
	assert_int_equal(value, 2);
	assert_int_equal(units_count("12", 2, 12, &value, &error), 0);
	assert_int_equal(value, 12);
	assert_int_equal(units_count("4294967295", 0, UINT32_MAX, &value, &error), 0);
	assert_int_equal(value, UINT32_MAX);
	for (size_t i = 0; i < COUNT(bad); i++) {
		value = UNTOUCHED;
		assert_int_equal(units_count(bad[i].text, 2, 12, &value, &error), -1);
		assert_int_equal(value, UNTOUCHED);
		check_message(bad[i].text, error.text, bad[i].message);
	}
}

static void format(void **state)
{
	static const struct {
		uint64_t value;
		const char *size, *ns;
	} cases[] = {
		{ 0, "0", "0 ns" },
		{ 1, "1", "1 ns" },
		{ 950, "950", "950 ns" },
		{ 1000, "1000", "1 us" },
		{ 1234, "1234", "1.23 us" },
		{ 4096, "4K", "4.1 us" },
		{ 12345, "12345", "12.3 us" },
		{ 999499, "999499", "999 us" },
		{ 999500, "999500", "1 ms" },
		{ 9996000, "9996000", "10 ms" },
		{ 20000000, "20000000", "20 ms" },
		{ 134217728, "128M", "134 ms" },
		{ 1500000000, "1500000000", "1.5 s" },
		{ 68719476736, "64G", "68.7 s" },
		{ 68719476737, "68719476737", "68.7 s" },
		{ 1125899906842624, "1024T", "1125900 s" },
		{ UINT64_MAX, "18446744073709551615", "18446744074 s" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		char text[UNITS_TEXT];
		struct error error;
		uint64_t back;

		units_format_ns(cases[i].value, text, sizeof(text));
		assert_string_equal(text, cases[i].ns);
		units_format_size(cases[i].value, text, sizeof(text));
		assert_string_equal(text, cases[i].size);
		if (cases[i].value == UINT64_MAX)
			continue;
		assert_int_equal(units_size(text, &back, &error), 0);
		assert_int_equal(back, cases[i].value);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(size),	 cmocka_unit_test(duration), cmocka_unit_test(percent),
		cmocka_unit_test(count), cmocka_unit_test(format),
	};

	return cmocka_run_group_tests_name("units", tests, NULL, NULL);
}

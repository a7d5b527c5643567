/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * units_scan.h - what the parsers of units share: digits taken from a text, and the text shown in
 * an error. For units*.c alone.
 */
#ifndef RUNNER_UNITS_SCAN_H
#define RUNNER_UNITS_SCAN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN_MAX 48 /* of the user's text in an error */

struct shown {
	char text[SHOWN_MAX + 8];
};

/* The first `length` characters of a text for an error: in quotes, cut, and on one line. */
static inline struct shown shown(const char *text, size_t length)
{
	struct shown shown = { "'" };
	size_t at = 1;

	for (size_t i = 0; i < length && i < SHOWN_MAX; i++)
		shown.text[at++] = (unsigned char)text[i] < ' ' || text[i] == 127 ? '?' : text[i];
	snprintf(shown.text + at, sizeof(shown.text) - at, "%s", length > SHOWN_MAX ? "...'" : "'");
	return shown;
}

#define SHOWN(text) (shown(text, strlen(text)).text)

static inline bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/*
 * Reads the digits at *text and moves it behind them; false when there is none. A number beyond 64
 * bits becomes UINT64_MAX, which is above every limit here.
 */
static inline bool take_whole(const char **text, uint64_t *value)
{
	const char *at = *text;

	*value = 0;
	for (; is_digit(*at); at++) {
		if (__builtin_mul_overflow(*value, 10, value) ||
		    __builtin_add_overflow(*value, *at - '0', value)) {
			*value = UINT64_MAX;
			at += strspn(at, "0123456789");
			break;
		}
	}
	if (at == *text)
		return false;
	*text = at;
	return true;
}

/* The same for digits with or without a point among them; strtod alone takes too much. */
static inline bool take_decimal(const char **text, double *value)
{
	size_t length = strspn(*text, "0123456789");
	char *end;

	if (length == 0)
		return false;
	if ((*text)[length] == '.') {
		size_t places = strspn(*text + length + 1, "0123456789");

		if (places == 0)
			return false;
		length += 1 + places;
	}
	*value = strtod(*text, &end);
	if (end != *text + length) /* 1e5, 0x10 */
		return false;
	*text = end;
	return true;
}

#endif

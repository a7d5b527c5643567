/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * option.h - option rows: how a unit (a kind, a testcase) declares settings of its own. The runner
 * collects the rows for parsing, --help and the CSV's params column, and knows none by name.
 */
#ifndef MACHINE_OPTION_H
#define MACHINE_OPTION_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/error.h"

enum option_type {
	OPTION_NUMBER, /* a whole number in [low, high] */
	OPTION_SIZE,   /* bytes, with K, M, G or T, in [low, high] */
	OPTION_TIME,   /* ns, as 500ms or 1s, in [low, high]; off is 0 */
	OPTION_CHOICE, /* one of `choices`; the value is its index */
	OPTION_PARSED, /* what `parse` makes of it */
};

struct option_row {
	const char *name; /* --name=arg */
	const char *arg;
	const char *help;
	enum option_type type;
	int64_t low, high;
	const char *const *choices; /* NULL at the end */
	/* Fills *value or returns -1 with what would be right. */
	int (*parse)(const char *text, int64_t *value, struct error *error);
	/* Texts that a search runs with too, where the type does not tell; NULL at the end. */
	const char *const *tries;
	int64_t fallback; /* the value when the option is not given */
	bool is_column;	  /* has a CSV column of its own name, so it stays out of params */
	bool always;	  /* stands in params also when it was not given */
};

#define OPTION_END           \
	{                    \
		.name = NULL \
	}

/* One setting: its row, its value, and the text that was given (NULL: not given). */
struct setting {
	const struct option_row *row;
	int64_t value;
	const char *text;
};

struct settings {
	struct setting *list;
	unsigned int count;
};

/* The value of the option named, which must exist: a unit asks only for its own. */
int64_t setting_value(const struct settings *settings, const char *name);
bool setting_given(const struct settings *settings, const char *name);
/* Its text as it was given. NULL: it was not, or there is no such option. */
const char *setting_text(const struct settings *settings, const char *name);

/* An option's `parse`: a folder that is there and may be written to. The value is of no use. */
int option_parse_folder(const char *text, int64_t *value, struct error *error);

#endif

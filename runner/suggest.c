// SPDX-License-Identifier: GPL-2.0-or-later
/* suggest.c - the name that a mistyped word was meant to be. */
#include "runner/suggest.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#define LENGTH_MAX 64

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static bool same(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Edits from a to b: row i, column j hold those from the first i characters to the first j. */
static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
	size_t rows[3][LENGTH_MAX + 1];

	for (size_t j = 0; j <= b_length; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= a_length; i++) {
		size_t *row = rows[i % 3];
		const size_t *above = rows[(i + 2) % 3];
		const size_t *two_above = rows[(i + 1) % 3];

		row[0] = i;
		for (size_t j = 1; j <= b_length; j++) {
			row[j] = above[j - 1] + !same(a[i - 1], b[j - 1]);
			row[j] = least(row[j], least(above[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
				row[j] = least(row[j], two_above[j - 2] + 1);
		}
	}
	return rows[a_length % 3][b_length];
}

const char *suggest(const char *word, const char *const *names, size_t n)
{
	size_t length = strlen(word);
	size_t best = length / 3 > 2 ? length / 3 : 2;
	const char *nearest = NULL;

	if (length > LENGTH_MAX)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		size_t name_length = names[i] ? strlen(names[i]) : LENGTH_MAX + 1;
		size_t edits;

		if (name_length > LENGTH_MAX)
			continue;
		edits = distance(word, length, names[i], name_length);
		/* As many edits as characters: another word altogether, short as both may be. */
		if (edits >= length && edits >= name_length)
			continue;
		if (edits < best || (edits == best && !nearest)) {
			best = edits;
			nearest = names[i];
		}
	}
	return nearest;
}

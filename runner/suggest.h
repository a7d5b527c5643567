/* SPDX-License-Identifier: GPL-2.0-or-later */
/* suggest.h - the name that a mistyped word was meant to be: "mmpa1", did you mean mmap1? */
#ifndef RUNNER_SUGGEST_H
#define RUNNER_SUGGEST_H

#include <stddef.h>

/*
 * The nearest of n names, the first of equals, or NULL when none is near enough: further than 2
 * edits or a third of the word's length, whichever is more, or with no character in common. An edit
 * inserts, deletes or replaces a character, or swaps two neighbours (Damerau-Levenshtein distance,
 * no part edited twice); upper and lower case are the same. Words and names of more than 64
 * characters are never near. Entries that are NULL are passed over.
 */
const char *suggest(const char *word, const char *const *names, size_t n);

#endif

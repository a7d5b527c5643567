/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * units.h - numbers with units on the command line: sizes, durations, percents, counts and lists of
 * task counts, read strictly, and the way back.
 *
 * Every parser takes the whole text: no blanks, no sign, no hexadecimal, nothing left over. Each
 * returns 0, or -1 with one line in the error (what is wrong, what would be right) and the value
 * left alone. None is told the option's name: the caller puts it in front.
 */
#ifndef RUNNER_UNITS_H
#define RUNNER_UNITS_H

#include <stddef.h>
#include <stdint.h>

#include "machine/error.h"

#define UNITS_TEXT 32 /* enough for what the units_format functions write */

/*
 * Bytes: a whole number, alone or with K, M, G or T (of 1024, either case, or written KiB, MiB,
 * GiB, TiB): "4096", "128M". KB and MB are refused, since they mean 1000 to some. 0 is allowed.
 */
int units_size(const char *text, uint64_t *bytes, struct error *error);

/*
 * Nanoseconds: a number with or without a decimal point, alone (seconds) or with ns, us, ms, s, m
 * or h: "5", "1.5s", "20ms". Rounded to the nearest nanosecond; at most a day; 0 is allowed.
 */
int units_duration(const char *text, uint64_t *ns, struct error *error);

/* Percent, 0 to 100, with the sign: "0.5%" gives 0.5. */
int units_percent(const char *text, double *percent, struct error *error);

/* A whole number from min to max. */
int units_count(const char *text, unsigned int min, unsigned int max, unsigned int *count,
		struct error *error);

/*
 * Task counts, comma separated, each at least 1 and at most `max`:
 *   4           a number
 *   all         `all`, the number of usable CPUs
 *   50%         of `all`, rounded to the nearest, at least 1; more than 100% is allowed
 *   1..8        each from 1 to 8; `all` may stand for the last
 *   1..144:8    the first, the multiples of 8 between, and the last: 1, 8, 16, ..., 136, 144
 * `*tasks` becomes an allocated array of `*n` counts, ascending and each once; the caller frees it.
 * Time and memory grow with `max` (a byte for each count), which is at least 1 (CHECKed).
 */
int units_tasks(const char *text, unsigned int all, unsigned int max, unsigned int **tasks,
		size_t *n, struct error *error);

/* The shortest exact form that units_size reads: 134217728 is 128M, 1000 is 1000. */
void units_format_size(uint64_t bytes, char *text, size_t size);

/* For people, to three digits: "950 ns", "20 ms", "1.5 s"; seconds are the largest unit. */
void units_format_ns(uint64_t ns, char *text, size_t size);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * check.h - CHECK for programmer errors. Always compiled in, so its condition must have no side
 * effect: errors of the world (a file, a limit, a typo) are returned, never checked here.
 */
#ifndef MACHINE_CHECK_H
#define MACHINE_CHECK_H

#include <stdio.h>
#include <stdlib.h>

#define likely(condition) __builtin_expect(!!(condition), 1)
#define unlikely(condition) __builtin_expect(!!(condition), 0)

#define CHECK(condition)                                                                 \
	do {                                                                             \
		if (unlikely(!(condition))) {                                            \
			fprintf(stderr, "%s:%d: CHECK failed: %s\n", __FILE__, __LINE__, \
				#condition);                                             \
			abort();                                                         \
		}                                                                        \
	} while (0)

#endif

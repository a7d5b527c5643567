/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lru_options.h - the settings of the kind "lru"; the same for all its counters. */
#ifndef COUNTERS_LRU_OPTIONS_H
#define COUNTERS_LRU_OPTIONS_H

#include "counters/kind.h"

extern const struct option_row lru_options[];

/* The size of a vector, in pages: a number, or a multiple of the kernel's 15. */
int lru_parse_batch(const char *text, const struct kind_args *args, int64_t *batch,
		    struct error *error);
/* Between two drains of every CPU, in ns; 0: none. */
int64_t lru_drain_ns(const struct kind_args *args);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * plain_kind.h - the kind "plain": testcases without a counter. Their rows are the floor of the
 * harness and of the system calls.
 */
#ifndef COUNTERS_PLAIN_KIND_H
#define COUNTERS_PLAIN_KIND_H

#include "counters/counter.h"
#include "counters/kind.h"
#include "machine/machine.h"

COUNTER(.counts_nothing = true, .is_default = true)

static const struct kind_ops kind_ops = { .sites = (const char *const[]){ NULL } };

#endif

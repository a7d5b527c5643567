/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jitter.h - how evenly CPUs run: a bound thread on each reads the clock over and over, and every
 * gap between two readings is time in which something else ran there: an interrupt, another
 * program, the hypervisor.
 */
#ifndef MACHINE_NATIVE_JITTER_H
#define MACHINE_NATIVE_JITTER_H

#include <stdint.h>

#include "machine/error.h"

#define JITTER_GAP_NS 1000 /* a reading takes a twentieth of that, also in a virtual machine */

struct jitter {
	int cpu;
	double lost_pct; /* of the time, in gaps */
	int64_t longest_ns;
	unsigned int gaps;
};

/*
 * Measures `count` CPUs at once for `ns`; the caller has filled in their numbers. -1 with the error
 * set: a thread could not be made or bound.
 */
int jitter_measure(struct jitter *jitter, unsigned int count, int64_t ns, struct error *error);

#endif

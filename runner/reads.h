/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reads.h - what a cheap and an exact read of the counter cost, in ns, less the cost of reading the
 * clock. With readers (--readers) theirs are used: reads made while tasks write. Else single reads
 * at held safe points, where each finds the lines as the tasks left them.
 */
#ifndef RUNNER_READS_H
#define RUNNER_READS_H

#include <stdbool.h>

#include "counters/kind.h"
#include "machine/run.h"

#define READS_MAX 64

struct reads {
	double clock_ns;	 /* of the clock alone */
	double ns[2][READS_MAX]; /* cheap ones, exact ones */
	unsigned int count[2];
	bool exact_is_next;
	double seen_ns, seen_reads; /* of the readers, already taken */
	double by_readers;	    /* mean of the readers' own; NAN: there are none */
	bool by_readers_exact;
};

void reads_init(struct reads *reads, const struct m_ops *ops);
void reads_reset(struct reads *reads);
/*
 * Times one read, cheap and exact by turns, since each leaves the lines of the other at hand. The
 * same read of `twin`, an equal counter that nobody uses, comes first: what is to be told is the
 * cost of the counter's lines, not that of code long out of the caches.
 */
void reads_time(struct reads *reads, const struct kind_ops *kind, void *counter, void *twin,
		const struct m_ops *ops);
/* Takes what reader tasks have measured since the last call, if there are any. */
void reads_from_readers(struct reads *reads, const struct m_run *run);
/* NAN when none was made. */
double reads_median(const struct reads *reads, bool exact);

#endif

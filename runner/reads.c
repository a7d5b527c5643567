// SPDX-License-Identifier: GPL-2.0-or-later
/* reads.c - what a cheap and an exact read of the counter cost. */
#include "runner/reads.h"

#include <math.h>

#include "runner/stats.h"

#define CLOCK_READS 101

void reads_init(struct reads *reads, const struct m_ops *ops)
{
	double took[CLOCK_READS];

	for (unsigned int i = 0; i < CLOCK_READS; i++) {
		int64_t from = ops->now();

		took[i] = (double)(ops->now() - from);
	}
	*reads = (struct reads){ .clock_ns = stats_median(took, CLOCK_READS), .by_readers = NAN };
}

void reads_reset(struct reads *reads)
{
	reads->count[false] = 0;
	reads->count[true] = 0;
	reads->by_readers = NAN;
}

static double timed(int64_t (*read)(void *), void *counter, const struct m_ops *ops)
{
	int64_t from = ops->now();

	read(counter);
	return (double)(ops->now() - from);
}

void reads_time(struct reads *reads, const struct kind_ops *kind, void *counter, void *twin,
		const struct m_ops *ops)
{
	bool exact;

	/* A run may have one look only: both then, though the second finds the first's lines. */
	do {
		int64_t (*read)(void *);

		exact = reads->exact_is_next;
		read = exact ? kind->sum : kind->read;
		if (reads->count[exact] == READS_MAX)
			return;
		timed(read, twin, ops);
		reads->ns[exact][reads->count[exact]++] = timed(read, counter, ops);
		reads->exact_is_next = !exact;
	} while (reads->count[!exact] == 0);
}

void reads_from_readers(struct reads *reads, const struct m_run *run)
{
	double ns = 0, count = 0;

	for (unsigned int i = 0; i < run->setup.readers; i++) {
		const struct task *task = m_task_of(run, run->slots + i);

		ns += (double)task->read_ns;
		count += (double)task->reads;
		reads->by_readers_exact = task->reads_exact;
	}
	if (count > reads->seen_reads)
		reads->by_readers = (ns - reads->seen_ns) / (count - reads->seen_reads);
	reads->seen_ns = ns;
	reads->seen_reads = count;
}

double reads_median(const struct reads *reads, bool exact)
{
	double ns = stats_median(reads->ns[exact], reads->count[exact]);

	if (!isnan(reads->by_readers) && reads->by_readers_exact == exact)
		ns = reads->by_readers;
	ns -= reads->clock_ns;
	return ns < 0 ? 0 : ns;
}

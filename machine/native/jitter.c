// SPDX-License-Identifier: GPL-2.0-or-later
/* jitter.c - how evenly CPUs run: bound threads that read the clock and note the gaps. */
#include "machine/native/jitter.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "machine/native/native.h"
#include "machine/topology.h"

#define START_NS 20000000 /* for all threads to be where they belong */

struct spinner {
	pthread_t thread;
	struct jitter *jitter;
	int64_t from_ns, until_ns;
	int failure; /* errno */
};

static int bind_self(int cpu)
{
	unsigned long bits[TOPOLOGY_PU_MAX / (8 * sizeof(long))] = { 0 };
	cpu_set_t *set = (cpu_set_t *)bits;

	CPU_SET_S((size_t)cpu, sizeof(bits), set);
	return sched_setaffinity(0, sizeof(bits), set);
}

static void *spin(void *arg)
{
	struct spinner *spinner = arg;
	struct jitter *jitter = spinner->jitter;
	int64_t lost_ns = 0, before, now;

	if (bind_self(jitter->cpu) != 0) {
		spinner->failure = errno;
		return NULL;
	}
	do
		before = native_now();
	while (before < spinner->from_ns);
	while (before < spinner->until_ns) {
		now = native_now();
		if (now - before > JITTER_GAP_NS) {
			jitter->gaps++;
			lost_ns += now - before;
			if (now - before > jitter->longest_ns)
				jitter->longest_ns = now - before;
		}
		before = now;
	}
	jitter->lost_pct = 100.0 * (double)lost_ns / (double)(before - spinner->from_ns);
	return NULL;
}

int jitter_measure(struct jitter *jitter, unsigned int count, int64_t ns, struct error *error)
{
	struct spinner *spinners = calloc(count, sizeof(*spinners));
	int64_t from_ns = native_now() + START_NS;
	unsigned int started = 0;
	int result = 0;

	if (!spinners)
		return error_set(error, "no memory for %u threads", count);
	for (; started < count && result == 0; started++) {
		struct spinner *spinner = &spinners[started];

		*spinner = (struct spinner){ .jitter = &jitter[started],
					     .from_ns = from_ns,
					     .until_ns = from_ns + ns };
		*spinner->jitter = (struct jitter){ .cpu = jitter[started].cpu };
		errno = pthread_create(&spinner->thread, NULL, spin, spinner);
		if (errno != 0) {
			result = error_set(error, "cannot start a thread for CPU %d: %s",
					   jitter[started].cpu, strerror(errno));
			break;
		}
	}
	for (unsigned int i = 0; i < started; i++) {
		pthread_join(spinners[i].thread, NULL);
		if (spinners[i].failure && result == 0)
			result = error_set(error, "cannot bind a thread to CPU %d: %s",
					   jitter[i].cpu, strerror(spinners[i].failure));
	}
	free(spinners);
	return result;
}

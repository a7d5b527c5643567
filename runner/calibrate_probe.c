// SPDX-License-Identifier: GPL-2.0-or-later
/* calibrate_probe.c - running one probe on this host for a moment. */
#include "runner/calibrate_probe.h"

#include <stdio.h>

#include "machine/check.h"
#include "machine/machine.h"
#include "machine/native/ops.h"
#include "runner/stats.h"

#define STEP_NS 2000000
#define LONGEST_NS 400000000 /* on a host so busy, or with calls so long, that few chunks do */
#define CHUNKS_FEW 16
#define CHUNKS_SKIPPED 2 /* caches warm up */
#define TIMEOUT_NS 20000000000LL
#define GRACE_NS 5000000000LL

void spread_add(struct spread *spread, double value)
{
	CHECK(spread->count < sizeof(spread->value) / sizeof(spread->value[0]));
	spread->value[spread->count++] = value;
}

double spread_median(const struct spread *spread)
{
	return stats_median(spread->value, spread->count);
}

void spread_text(const struct spread *spread, char *text, size_t size)
{
	snprintf(text, size, "%u rounds, quartiles %.4g to %.4g", spread->count,
		 stats_quantile(spread->value, spread->count, 0.25),
		 stats_quantile(spread->value, spread->count, 0.75));
}

static int open_probe(struct m_run **opened, const struct config *config, probe_loop *loop,
		      const struct place *places, unsigned int tasks, struct error *error)
{
	struct m_setup setup = {
		.tasks = tasks,
		.slots = tasks,
		.nodes = 1,
		.mode = M_PROCESS,
		.topology = &config->topology,
		.places = places,
		.cpus = tasks,
		.settings = &config->settings,
		.seed = config->seed,
		.shared_bytes = sizeof(struct probe_shared) + M_LINE_PAIR_BYTES,
		.block_bytes = M_LINE_PAIR_BYTES,
		.timeout_ns = TIMEOUT_NS,
		.grace_ns = GRACE_NS,
	};
	struct m_run *run = native_ops.open(&setup, error);
	struct probe_shared *shared;

	*opened = run;
	if (!run)
		return -1;
	run->body = loop;
	shared = m_alloc(run, sizeof(*shared), M_LINE_PAIR_BYTES);
	m_percpu_alloc(run, &shared->part, 1);
	for (unsigned int slot = 0; slot < run->block_count; slot++)
		m_task_of(run, slot)->counter = shared;
	return 0;
}

static double first_part(const struct probe_chunk *chunk)
{
	double first = (double)(chunk->first_ns - chunk->clock_ns);
	double second = (double)(chunk->second_ns - chunk->clock_ns);

	return first > 0 && second > 0 ? first / (first + second) : 0;
}

static int take_result(const struct probe_shared *shared, struct probe_result *result,
		       struct error *error)
{
	unsigned int count = (unsigned int)m_load_acquire(&shared->count);
	double ns[PROBE_CHUNKS], first[PROBE_CHUNKS];

	if (count <= CHUNKS_SKIPPED)
		return error_set(error, "too slow here: no figure in %d ms", LONGEST_NS / 1000000);
	for (unsigned int i = CHUNKS_SKIPPED; i < count; i++) {
		ns[i] = (double)shared->chunk[i].ns / (double)shared->rounds;
		first[i] = first_part(&shared->chunk[i]);
	}
	result->ns = stats_median(ns + CHUNKS_SKIPPED, count - CHUNKS_SKIPPED);
	result->first = stats_median(first + CHUNKS_SKIPPED, count - CHUNKS_SKIPPED);
	return 0;
}

/* Until there are chunks enough, or some and no time left. */
static enum m_event gather(struct m_run *run, struct probe_shared *shared, struct error *error)
{
	int64_t began_ns = native_ops.now();
	enum m_event event = M_OK;
	int64_t count = 0, took_ns = 0;

	while (event == M_OK && count < PROBE_CHUNKS && took_ns < LONGEST_NS &&
	       (count < CHUNKS_FEW || took_ns < LONGEST_NS / 8)) {
		event = native_ops.advance(run, native_ops.now() + STEP_NS, error);
		count = m_load_acquire(&shared->count);
		took_ns = native_ops.now() - began_ns;
	}
	return event == M_OK ? native_ops.stop(run, error) : event;
}

enum m_event probe_run(const struct config *config, probe_loop *loop, const struct place *places,
		       unsigned int tasks, struct probe_result *result, struct error *error)
{
	struct m_run *run;
	enum m_event event;

	if (open_probe(&run, config, loop, places, tasks, error) != 0)
		return M_FAILED;
	event = native_ops.start(run, error);
	if (event == M_OK) {
		struct probe_shared *shared = m_task_of(run, 0)->counter;

		native_ops.gate(run);
		event = gather(run, shared, error);
		if (event == M_OK && take_result(shared, result, error) != 0)
			event = M_FAILED;
	}
	native_ops.close(run);
	return event;
}

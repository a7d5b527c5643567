// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * calibrate_measure.c - measuring this host for a profile. All is measured in rounds, each once a
 * round, so that a slow moment of the host does not fall on one number alone; of the rounds a
 * number is the median.
 */
#include "runner/calibrate_measure.h"

#include <stdio.h>
#include <string.h>

#include "machine/check.h"
#include "machine/native/ops.h"
#include "runner/calibrate_pairs.h"
#include "runner/calibrate_probe.h"

#define LATENCY_LIMIT_NS \
	20000000000LL /* for all pairs; rounds that would come later are not made */
#define LOOPS_MOST 32
#define BAR 20

/* A loop with one task, and what it gave in each round. */
struct loop {
	probe_loop *run;
	double ns[PROBE_ROUNDS], first[PROBE_ROUNDS];
	struct error why; /* it does not run here; empty: it does */
};

struct calibration {
	const struct config *config;
	struct figures *figures;
	struct place place; /* of what runs alone */
	struct pair_class classes[SIM_LEVELS];
	struct spread latency[SIM_LEVELS];
	struct spread smt;
	struct error pair_why[SIM_LEVELS], smt_why;
	struct loop loops[LOOPS_MOST];
	unsigned int loop_count;
	bool shown;
	unsigned int done, steps;
};

static void show(struct calibration *c, const char *what)
{
	if (!c->shown)
		return;
	fprintf(stderr, "\r\033[K[");
	for (unsigned int i = 0; i < BAR; i++)
		fputc(i * c->steps < c->done * BAR ? '#' : '.', stderr);
	fprintf(stderr, "] %u/%u  %s", c->done, c->steps, what);
	fflush(stderr);
	c->done++;
}

static struct loop *loop_of(struct calibration *c, probe_loop *run)
{
	for (unsigned int i = 0; i < c->loop_count; i++)
		if (c->loops[i].run == run)
			return &c->loops[i];
	CHECK(c->loop_count < LOOPS_MOST);
	c->loops[c->loop_count].run = run;
	return &c->loops[c->loop_count++];
}

/* Each loop that some number needs, once. */
static void find_loops(struct calibration *c)
{
	loop_of(c, probe_empty);
	loop_of(c, probe_add);
	loop_of(c, probe_atomic);
	if (probe_chain)
		loop_of(c, probe_chain);
	for (int path = 0; path < SIM_PATH_COUNT; path++) {
		if (!probes[path].loop)
			continue;
		loop_of(c, probes[path].loop);
		loop_of(c, probes[path].bare);
		if (probes[path].timed)
			loop_of(c, probes[path].timed);
	}
}

static enum m_event run_loops(struct calibration *c, unsigned int round)
{
	for (unsigned int i = 0; i < c->loop_count; i++) {
		struct loop *loop = &c->loops[i];
		struct probe_result result = { 0, 0 };
		enum m_event event;

		show(c, "primitives and system calls");
		if (loop->why.text[0])
			continue;
		event = probe_run(c->config, loop->run, &c->place, 1, &result, &loop->why);
		if (event == M_INTERRUPTED)
			return event;
		loop->ns[round] = result.ns;
		loop->first[round] = result.first;
	}
	return M_OK;
}

static enum m_event run_pairs(struct calibration *c, int64_t until_ns)
{
	for (int level = 0; level < SIM_LEVELS; level++) {
		for (unsigned int i = 0; i < c->classes[level].count; i++) {
			struct probe_result result;
			enum m_event event;

			show(c, "core to core");
			if (native_ops.now() > until_ns || c->pair_why[level].text[0])
				continue;
			event = probe_run(c->config, probe_ping_pong,
					  c->classes[level].pair[i].place, 2, &result,
					  &c->pair_why[level]);
			if (event == M_INTERRUPTED)
				return event;
			/* In a round the line goes there and back. */
			if (event == M_OK)
				spread_add(&c->latency[level], result.ns / 2);
		}
	}
	return M_OK;
}

/* Two threads of a core, each on the longest path there is, against one alone. */
static enum m_event run_siblings(struct calibration *c, unsigned int round)
{
	struct probe_result result;
	double alone = loop_of(c, probe_map_unmap)->ns[round];
	enum m_event event;

	show(c, "two threads of a core");
	if (c->classes[SIM_CORE].count == 0 || c->smt_why.text[0] || alone <= 0)
		return M_OK;
	event = probe_run(c->config, probe_map_unmap, c->classes[SIM_CORE].pair[0].place, 2,
			  &result, &c->smt_why);
	if (event == M_OK)
		spread_add(&c->smt, 100 * result.ns / alone);
	return event == M_INTERRUPTED ? event : M_OK;
}

static void take_latency(struct calibration *c, int level)
{
	const struct spread *spread = &c->latency[level];
	const char *key = sim_latency_keys[level];
	char text[100];

	if (spread->count > 0) {
		spread_text(spread, text, sizeof(text));
		figure_measured(c->figures, key, spread_median(spread),
				"measured: CAS ping-pong, pairs of CPUs: %u; %s",
				c->classes[level].count, text);
	} else if (c->classes[level].count > 0) {
		figure_lacks(c->figures, key,
			     c->pair_why[level].text[0] ? c->pair_why[level].text : "no time left");
	} else {
		snprintf(text, sizeof(text), "no such pair among the CPUs that may be used: %u",
			 c->config->usable_cpus);
		figure_lacks(c->figures, key, text);
	}
}

/* What a loop's round takes more than `bare`, times `scale`, as that figure. */
static void take_loop(struct calibration *c, const char *key, probe_loop *run, probe_loop *bare,
		      double scale, const char *how)
{
	const struct loop *loop = loop_of(c, run);
	const struct loop *less = bare ? loop_of(c, bare) : NULL;
	struct spread spread = { .count = 0 };
	char text[100];

	if (loop->why.text[0] || (less && less->why.text[0])) {
		figure_lacks(c->figures, key, loop->why.text[0] ? loop->why.text : less->why.text);
		return;
	}
	for (unsigned int round = 0; round < PROBE_ROUNDS; round++)
		spread_add(&spread, (loop->ns[round] - (less ? less->ns[round] : 0)) * scale);
	spread_text(&spread, text, sizeof(text));
	figure_measured(c->figures, key, spread_median(&spread), "measured: %s; %s", how, text);
}

static void take_path(struct calibration *c, enum sim_path path)
{
	const struct probe *probe = &probes[path];
	const struct loop *timed = probe->timed ? loop_of(c, probe->timed) : NULL;
	struct spread parts = { .count = 0 };
	double part;
	char key[64];

	snprintf(key, sizeof(key), "path.%s_ns", sim_path_names[path]);
	if (!probe->loop) {
		figure_without(c->figures, key, "natively nothing is done there");
		return;
	}
	if (!timed) {
		take_loop(c, key, probe->loop, probe->bare, 1.0 / probe->calls, probe->how);
		return;
	}
	if (timed->why.text[0]) {
		figure_lacks(c->figures, key, timed->why.text);
		return;
	}
	for (unsigned int round = 0; round < PROBE_ROUNDS; round++)
		spread_add(&parts, timed->first[round]);
	part = spread_median(&parts);
	if (part <= 0)
		part = 0.5;
	take_loop(c, key, probe->loop, probe->bare, probe->take == PROBE_FIRST ? part : 1 - part,
		  probe->how);
}

static void take_clock(struct calibration *c)
{
	const struct loop *loop = probe_chain ? loop_of(c, probe_chain) : NULL;
	struct spread spread = { .count = 0 };
	char text[100];

	if (!loop || loop->why.text[0]) {
		figure_lacks(c->figures, "machine.clock_mhz",
			     loop ? loop->why.text : "no loop for this processor");
		return;
	}
	for (unsigned int round = 0; round < PROBE_ROUNDS; round++)
		spread_add(&spread, PROBE_CHAIN * 1e3 / loop->ns[round]);
	spread_text(&spread, text, sizeof(text));
	figure_measured(c->figures, "machine.clock_mhz", spread_median(&spread),
			"measured: dependent additions, one a cycle; %s", text);
}

static void take_all(struct calibration *c)
{
	char text[100];

	for (int level = 0; level < SIM_LEVELS; level++)
		take_latency(c, level);
	take_clock(c);
	take_loop(c, "latency.hit_ns", probe_add, NULL, 1.0 / PROBE_ADD_PRIMITIVES,
		  "a per-CPU add, of 5 primitives");
	take_loop(c, "latency.atomic_ns", probe_atomic, probe_empty, 1,
		  "fetch-add to a line of one's own");
	for (int path = 0; path < SIM_PATH_COUNT; path++)
		take_path(c, (enum sim_path)path);
	if (c->smt.count > 0) {
		spread_text(&c->smt, text, sizeof(text));
		figure_measured(c->figures, "path.smt_pct", spread_median(&c->smt),
				"measured: mmap on two threads of a core against one; %s", text);
	} else {
		figure_lacks(c->figures, "path.smt_pct",
			     c->smt_why.text[0] ? c->smt_why.text
						: "no two threads of a core may be used");
	}
}

enum m_event calibrate_measure(const struct config *config, struct figures *figures, bool shown,
			       struct error *error)
{
	struct calibration c = { .config = config, .figures = figures, .shown = shown };
	enum m_event event = M_OK;
	int64_t until_ns;

	if (placement_make(&config->topology, PLACEMENT_CORE, config->cpus, 1, &c.place, error) ||
	    pairs_find(&config->topology, config->cpus, c.classes, error) != 0)
		return M_FAILED;
	find_loops(&c);
	for (int level = 0; level < SIM_LEVELS; level++)
		c.steps += c.classes[level].count;
	c.steps = PROBE_ROUNDS * (c.steps + c.loop_count + 1);
	until_ns = native_ops.now() + LATENCY_LIMIT_NS;
	for (unsigned int round = 0; round < PROBE_ROUNDS && event == M_OK; round++) {
		event = run_loops(&c, round);
		if (event == M_OK)
			event = run_pairs(&c, until_ns);
		if (event == M_OK)
			event = run_siblings(&c, round);
	}
	if (c.shown)
		fprintf(stderr, "\r\033[K");
	if (event == M_OK)
		take_all(&c);
	return event;
}

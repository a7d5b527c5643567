/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rig.h - a run of real tasks for the C tests: opened, driven and always closed again. One a
 * program; rig_setup and rig_teardown go around every cmocka test, so that one that fails leaves
 * nothing to the next.
 */
#ifndef TESTS_RIG_H
#define TESTS_RIG_H

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "machine/machine.h"
#include "machine/placement.h"
#include "machine/topology.h"

#ifdef MACHINE_SIM
#include "machine/sim/ops.h"
#include "machine/sim/sim.h"
#ifndef RIG_PROFILE
#define RIG_PROFILE "8c16t"
#endif
#define rig_machine sim_ops
#define rig_self sim_task
#define MS 20000LL /* simulated time is dear: enough of it for what natively takes 1 ms */
#else
#include "machine/native/native.h"
#include "machine/native/ops.h"
#define rig_machine native_ops
#define rig_self native_self
#define MS 1000000LL
#endif

#define RIG_SHARED_BYTES 65536
#define RIG_BLOCK_BYTES 4096
#define RIG_WATCHDOG_S 120 /* a test that hangs ends its program */
#define RIG_TIMEOUT_NS 60000000000LL

/* What a test leaves out is: no reader, a slot a task, one NUMA node, the host's CPUs, a minute. */
struct rig_args {
	unsigned int tasks, readers, slots, cpus, nodes;
	enum m_mode mode;
	void (*body)(struct task *task);
	void (*reader)(struct task *task);
	uint64_t seed;
	int64_t timeout_ns, grace_ns;
	enum placement placement;
	size_t shared_bytes, block_bytes; /* 0: RIG_SHARED_BYTES, RIG_BLOCK_BYTES */
};

struct rig {
	struct topology topology;
	struct sim_profile *profile; /* NULL natively */
	struct place *places;
	struct m_run *run;
	struct error error;
};

static struct rig rig;

/* Once, before the first test. */
static inline void rig_init(void)
{
	int opened;
#ifdef MACHINE_SIM
	static struct sim_profile profile;

	rig.profile = &profile;
	opened = sim_profile_open(RIG_PROFILE, &profile, &rig.topology, &rig.error);
#else
	opened = topology_open(&rig.topology, NULL, &rig.error);
#endif
	rig_machine.init();
	alarm(RIG_WATCHDOG_S);
	if (opened != 0) {
		fprintf(stderr, "%s\n", rig.error.text);
		exit(1);
	}
}

static inline int rig_setup(void **state)
{
	(void)state;
	rig.error.text[0] = '\0';
	return 0;
}

static inline void rig_close(void)
{
	if (rig.run)
		rig_machine.close(rig.run);
	free(rig.places);
	rig.run = NULL;
	rig.places = NULL;
}

static inline int rig_teardown(void **state)
{
	(void)state;
	rig_close();
	return 0;
}

#define rig_test(function) cmocka_unit_test_setup_teardown(function, rig_setup, rig_teardown)

/*
 * cmocka makes of a crash a jump back into the test; a task that inherits this would go on as a
 * second test program.
 */
static inline void rig_leave_crashes(void)
{
	static const int crashes[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGSYS };

	for (unsigned int i = 0; i < sizeof(crashes) / sizeof(crashes[0]); i++)
		signal(crashes[i], SIG_DFL);
}

static inline struct m_run *rig_open(const struct rig_args *args)
{
	struct m_setup setup = {
		.tasks = args->tasks,
		.readers = args->readers,
		.slots = args->slots > args->tasks ? args->slots : args->tasks,
		.nodes = args->nodes ? args->nodes : 1,
		.mode = args->mode ? args->mode : M_PROCESS,
		.topology = &rig.topology,
		.shared_bytes = args->shared_bytes ? args->shared_bytes : RIG_SHARED_BYTES,
		.block_bytes = args->block_bytes ? args->block_bytes : RIG_BLOCK_BYTES,
		.cpus = args->cpus ? args->cpus : topology_usable_pus(&rig.topology),
		.seed = args->seed,
		.profile = rig.profile,
		.timeout_ns = args->timeout_ns ? args->timeout_ns : RIG_TIMEOUT_NS,
		.grace_ns = args->grace_ns ? args->grace_ns : RIG_TIMEOUT_NS / 2,
	};

	rig_close();
	rig_leave_crashes();
	rig.places = calloc(setup.slots + setup.readers, sizeof(*rig.places));
	assert_non_null(rig.places);
	if (placement_make(&rig.topology, args->placement, NULL, setup.slots + setup.readers,
			   rig.places, &rig.error) != 0)
		fail_msg("%s", rig.error.text);
	for (unsigned int slot = 0; slot < setup.slots + setup.readers; slot++)
		rig.places[slot].node_index = (int)(slot % setup.nodes);
	setup.places = rig.places;
	rig.run = rig_machine.open(&setup, &rig.error);
	if (!rig.run)
		fail_msg("%s", rig.error.text);
	rig.run->body = args->body;
	rig.run->reader = args->reader;
	return rig.run;
}

static inline void rig_is_ok(enum m_event event)
{
	if (event != M_OK)
		fail_msg("event %d: %s", event, rig.error.text);
}

/* Every task is given `counter`, made and let go. */
static inline void rig_go(void *counter)
{
	for (unsigned int slot = 0; slot < rig.run->block_count; slot++)
		m_task_of(rig.run, slot)->counter = counter;
	rig_is_ok(rig_machine.start(rig.run, &rig.error));
	rig_machine.gate(rig.run);
}

static inline void rig_advance(int64_t ns)
{
	rig_is_ok(rig_machine.advance(rig.run, rig_machine.now() + ns, &rig.error));
}

static inline void rig_hold(void)
{
	rig_is_ok(rig_machine.hold(rig.run, &rig.error));
}

static inline void rig_each(void (*fn)(void *), void *arg)
{
	rig_is_ok(rig_machine.on_each_slot(rig.run, fn, arg, &rig.error));
}

static inline void rig_stop(void)
{
	rig_is_ok(rig_machine.stop(rig.run, &rig.error));
}

/* Lets the tasks run until *word has come to `value`; the watchdog ends what never does. */
static inline void rig_await(m_word *word, int64_t value)
{
	while (m_load_acquire(word) != value)
		rig_advance(MS / 10);
}

/*
 * Whether a test goes on to its n-th round of `rounds`: two it needs, the others only while half a
 * second has not passed, since beside other programs each may take many slices of the scheduler.
 */
static inline bool rig_goes_on(unsigned int n, unsigned int rounds, int64_t since_ns)
{
	return n < 2 || (n < rounds && rig_machine.now() - since_ns < 500 * MS);
}

/* From here on the caller acts as that slot; the conductor's own is the last. */
static inline struct task *rig_act_as(unsigned int slot)
{
	rig_self = m_task_of(rig.run, slot);
	return rig_self;
}

static inline struct task *rig_conductor(void)
{
	return rig_act_as(rig.run->block_count - 1);
}

static inline uint64_t rig_ops(void)
{
	uint64_t ops = 0;

	for (unsigned int slot = 0; slot < rig.run->slots; slot++)
		ops += m_task_of(rig.run, slot)->ops;
	return ops;
}

#endif

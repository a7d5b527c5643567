// SPDX-License-Identifier: GPL-2.0-or-later
/* host.c - the deadline of a simulated point, and the user's Ctrl-C. */
#include "machine/sim/host.h"

#include <signal.h>
#include <time.h>

#include "machine/sim/sim.h"

#define TURNS 8192 /* a millisecond or so */

unsigned int sim_host_turns = TURNS;
static int64_t deadline_ns, allowed_ns;
static int interrupted;

static int64_t host_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void ending_signals(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
}

void sim_host_init(void)
{
	sigset_t ends;

	ending_signals(&ends);
	sigprocmask(SIG_BLOCK, &ends, NULL);
}

int sim_host_interrupted(void)
{
	const struct timespec at_once = { 0 };
	sigset_t ends;
	int signal;

	ending_signals(&ends);
	signal = sigtimedwait(&ends, NULL, &at_once);
	if (signal > 0)
		interrupted = signal;
	return interrupted;
}

void sim_host_deadline(int64_t timeout_ns)
{
	allowed_ns = timeout_ns;
	deadline_ns = host_ns() + timeout_ns;
	sim_host_turns = TURNS;
}

void sim_host_really_look(void)
{
	sim_host_turns = TURNS;
	if (sim_host_interrupted())
		sim_fail(M_INTERRUPTED, "interrupted");
	else if (host_ns() > deadline_ns)
		sim_fail(M_FAILED, "timeout: not done within %.3g s of this host (--timeout)",
			 (double)allowed_ns / 1e9);
}

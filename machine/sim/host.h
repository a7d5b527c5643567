/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * host.h - what a simulated run still has to do with the host: its time, for the deadline of a
 * point, and the user who wants to stop. Nothing of it enters a figure.
 */
#ifndef MACHINE_SIM_HOST_H
#define MACHINE_SIM_HOST_H

#include <stdint.h>

void sim_host_init(void);
int sim_host_interrupted(void);
/* From here on the run that is open may take so long; sim_host_look() fails it then. */
void sim_host_deadline(int64_t timeout_ns);
void sim_host_really_look(void);

extern unsigned int sim_host_turns; /* until the next real look */

/* Cheap enough for every event. */
static inline void sim_host_look(void)
{
	if (--sim_host_turns == 0)
		sim_host_really_look();
}

#endif

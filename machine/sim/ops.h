/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ops.h - the simulated machine's control plane, for the runner. */
#ifndef MACHINE_SIM_OPS_H
#define MACHINE_SIM_OPS_H

#include "machine/run.h"

extern const struct m_ops sim_ops;

#endif

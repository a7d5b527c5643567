/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ops.h - the native machine's control plane, for the runner. */
#ifndef MACHINE_NATIVE_OPS_H
#define MACHINE_NATIVE_OPS_H

#include "machine/run.h"

extern const struct m_ops native_ops;

#endif

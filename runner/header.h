/* SPDX-License-Identifier: GPL-2.0-or-later */
/* header.h - the results' header lines: what was built, what it ran on, what may disturb it. */
#ifndef RUNNER_HEADER_H
#define RUNNER_HEADER_H

#include "machine/native/env.h"
#include "runner/output.h"

void header_write(struct output *output, const struct config *config, const struct env *env);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* machines.h - the `machines` subcommand: what is simulated, with the source of every number. */
#ifndef RUNNER_MACHINES_H
#define RUNNER_MACHINES_H

#include <stdbool.h>

void machines_print(bool csv);

/* What the profile says of itself, or "" when it does not; `text` of at least 128 bytes. */
void machines_about(const char *profile_text, char *text, int size);

#endif

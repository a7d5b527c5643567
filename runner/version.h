/* SPDX-License-Identifier: GPL-2.0-or-later */
/* version.h - what this program was built from and with; the Makefile writes the values. */
#ifndef RUNNER_VERSION_H
#define RUNNER_VERSION_H

#define VERSION "0.1"

extern const char version_commit[];   /* as git describes it, or "unknown" */
extern const char version_compiler[]; /* compiler and flags */

#endif

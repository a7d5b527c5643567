/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cli.h - reading the command line into a config. */
#ifndef RUNNER_CLI_H
#define RUNNER_CLI_H

#include "runner/config.h"

/* Fills the config; -1 with the error set to one line. --help and --version print and exit. */
int cli_parse(struct config *config, int argc, char **argv, struct error *error);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* params.h - the params column: every setting without a column of its own, sorted key=value. */
#ifndef RUNNER_PARAMS_H
#define RUNNER_PARAMS_H

#include "runner/config.h"
#include "runner/plan.h"

/* "aslr=off;cpu_count=2;memory=24G;size=128M": with testcase to repeat the key of a row. */
void params_write(const struct config *config, const struct point *point, bool aslr_off, char *text,
		  size_t size);

#endif

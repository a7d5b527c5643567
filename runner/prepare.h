/* SPDX-License-Identifier: GPL-2.0-or-later */
/* prepare.h - everything a point needs before its tasks are made: places, arena, counter. */
#ifndef RUNNER_PREPARE_H
#define RUNNER_PREPARE_H

#include "machine/run.h"
#include "runner/config.h"
#include "runner/plan.h"

struct prepared {
	struct kind_args args;
	struct m_run *run;
	void *counter; /* NULL: the kind has none */
	void *twin;    /* a second one that nobody counts with: to warm the code of its reads */
	struct place *places;
};

/* What the machine is told of a point, without the places. */
struct m_setup prepare_setup(const struct config *config, const struct point *point,
			     const struct kind_args *args);

/* -1 with the error set; prepare_undo is right in any case, and ends every task. */
int prepare(struct prepared *prepared, const struct m_ops *ops, const struct config *config,
	    const struct point *point, struct error *error);
void prepare_undo(struct prepared *prepared, const struct m_ops *ops);

#endif

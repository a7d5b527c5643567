/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cell.h - a cell is one testcase with one counter on one machine, compiled together so that all
 * calls between them are inlined. The Makefile makes one object for each and the table of all.
 */
#ifndef TESTCASES_CELL_H
#define TESTCASES_CELL_H

#include "counters/counter.h"
#include "counters/kind.h"
#include "machine/run.h"
#include "testcases/testcase_info.h"

struct cell {
	const char *machine; /* native or sim */
	const char *kind;
	const char *testcase;
	const char *counter; /* empty: the kind has no counters */
	const struct testcase_info *info;
	const struct counter_info *counter_info;
	const struct kind_ops *kind_ops;
	void (*body)(struct task *task);
	void (*reader)(struct task *task);
	const struct m_host *host; /* NULL but for code that is not ours */
};

/* Made by the Makefile from the files it found; ends with NULL. */
extern const struct cell *const cells[];

#endif

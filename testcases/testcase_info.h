/* SPDX-License-Identifier: GPL-2.0-or-later */
/* testcase_info.h - what every testcase says of itself, as the runner reads it. */
#ifndef TESTCASES_TESTCASE_INFO_H
#define TESTCASES_TESTCASE_INFO_H

#include "machine/option.h"
#include "machine/run.h"

struct testcase_info {
	const char *about;	 /* one line for ./runtest list */
	int64_t size;		 /* default of --size in bytes; 0: has none */
	unsigned int modes;	 /* PROCESS | THREAD */
	const char *mode_reason; /* why a mode is missing, for the skipped row */
	unsigned int nodes;	 /* NUMA nodes with memory that it needs; 0: any */
	unsigned int charges;	 /* charges of the counter per operation; tests hold it to this */
	/* Of its own, read with setting_value(t->run->setup.settings, name) before the loop; ends
	 * with OPTION_END; NULL: none. */
	const struct option_row *options;
};

#endif

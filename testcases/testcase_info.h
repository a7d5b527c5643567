/* SPDX-License-Identifier: GPL-2.0-or-later */
/* testcase_info.h - what every testcase says of itself, as the runner reads it. */
#ifndef TESTCASES_TESTCASE_INFO_H
#define TESTCASES_TESTCASE_INFO_H

#include "counters/kind.h"
#include "machine/option.h"
#include "machine/run.h"

struct testcase_info {
	const char *about;	 /* one line for ./runtest list */
	int64_t size;		 /* default of --size in bytes; 0: has none */
	unsigned int modes;	 /* PROCESS | THREAD */
	const char *mode_reason; /* why a mode is missing, for the skipped row */
	/* Why it cannot run on this machine or with these settings; NULL (also itself): it can. */
	const char *(*cannot_run)(const struct kind_args *args);
	bool has_latency;     /* notes latencies by m_latency(): a histogram beside its rows */
	unsigned int charges; /* charges of the counter per operation; tests hold it to this */
	const char *param;    /* what a reader of its rows must know, as "pages=list"; or NULL */
	/* What a task takes of the host, for the look before a plan begins; see preflight.h. */
	bool maps_nothing;  /* `size` is only what it charges */
	bool touches_size;  /* it uses the memory of `size`, not the addresses alone */
	unsigned int files; /* that it has open at any one time */
	int64_t disk_bytes; /* of files that it makes */
	int64_t shm_bytes;  /* of those below /dev/shm */
	/* Of its own, read with setting_value(t->run->setup.settings, name) before the loop; ends
	 * with OPTION_END; NULL: none. */
	const struct option_row *options;
};

#endif

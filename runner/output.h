/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * output.h - the results file: header lines, then a row at a time, each on disk before the next
 * point begins. A file that cannot be written is named once; the run goes on for the table.
 */
#ifndef RUNNER_OUTPUT_H
#define RUNNER_OUTPUT_H

#include <stdio.h>

#include "runner/row.h"
#include "runner/wis/compat.h"

struct output {
	FILE *file;
	enum output_format format;
	char path[512]; /* "-" is standard output */
	bool failed;
	bool beside;	 /* not the rows' file, but one beside it */
	long good_bytes; /* length up to the last whole row */
	unsigned int rows;
	struct wis_rows wis; /* the line under way, of FORMAT_WIS */
};

/* Opens config->output, or a new file in results/ named after the testcases and the time. */
void output_open(struct output *output, const struct config *config);
/* Opens config->resume to append to its first bytes; its header is there. */
void output_append(struct output *output, const struct config *config, long keep_bytes);
void output_header(struct output *output, const char *key, const char *value);
/* Opens a file of another kind beside the rows' file: FILE.csv gives FILE and the suffix. */
void output_open_beside(struct output *output, const struct output *rows, const char *suffix);
/* All that was written must be on its way to the disk; what is not whole is cut off again. */
void output_flush(struct output *output);
/* Ends the header: the column names. */
void output_begin(struct output *output);
void output_row(struct output *output, const struct row *row);
/* 0, or -1 when not everything is in the file. */
int output_close(struct output *output);

/* One value, quoted as the format wants it. */
void output_csv_text(FILE *file, const char *text);
void output_json_text(FILE *file, const char *text);

#endif

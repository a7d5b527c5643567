/* SPDX-License-Identifier: GPL-2.0-or-later */
/* resume_file.h - a results file as text: its header lines, and its rows as fields. */
#ifndef RUNNER_RESUME_FILE_H
#define RUNNER_RESUME_FILE_H

#include <stddef.h>

#include "machine/error.h"

#define RECORD_FIELDS 80

/* One line of the table; fields are cut out of the file's text. */
struct record {
	char *field[RECORD_FIELDS];
	unsigned int count;
	size_t start, end; /* bytes into the file, from the first one to behind the line's end */
};

struct results_file {
	char *text;
	size_t bytes;
	size_t next; /* where the next record begins */
};

/* Reads the whole file. -1 with the error set. */
int results_read(struct results_file *file, const char *path, struct error *error);
void results_free(struct results_file *file);

/* The value of the header line `key`, into text; 0, or -1 when there is none. */
int results_header(const struct results_file *file, const char *key, char *text, size_t size);

/* Takes the next record, RFC 4180; 0, or -1 at the end or where the file is cut off. */
int results_next(struct results_file *file, struct record *record);

#endif

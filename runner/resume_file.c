// SPDX-License-Identifier: GPL-2.0-or-later
/* resume_file.c - reading a results file of our own making. */
#include "runner/resume_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "machine/check.h"

int results_read(struct results_file *file, const char *path, struct error *error)
{
	FILE *in = fopen(path, "r");
	struct stat status;

	*file = (struct results_file){ .text = NULL };
	if (!in)
		return error_set(error, "%s", strerror(errno));
	if (fstat(fileno(in), &status) != 0 || !S_ISREG(status.st_mode)) {
		fclose(in);
		return error_set(error, "not a file");
	}
	file->text = malloc((size_t)status.st_size + 1);
	CHECK(file->text);
	file->bytes = fread(file->text, 1, (size_t)status.st_size, in);
	file->text[file->bytes] = '\0';
	fclose(in);
	while (file->text[file->next] == '#') {
		size_t length = strcspn(file->text + file->next, "\n");

		if (!file->text[file->next + length])
			break;
		file->next += length + 1;
	}
	return 0;
}

void results_free(struct results_file *file)
{
	free(file->text);
}

int results_header(const struct results_file *file, const char *key, char *text, size_t size)
{
	const char *line = file->text;
	size_t length = strlen(key);

	while (line[0] == '#') {
		size_t end = strcspn(line, "\n");

		if (strncmp(line, "# ", 2) == 0 && strncmp(line + 2, key, length) == 0 &&
		    strncmp(line + 2 + length, ": ", 2) == 0) {
			snprintf(text, size, "%.*s", (int)(end - length - 4), line + length + 4);
			return 0;
		}
		if (!line[end])
			break;
		line += end + 1;
	}
	return -1;
}

/* Takes one field at *at, taking its quotes off in place; gives what ended it, 0 for cut off. */
static char take_field(char **at, char **field)
{
	char *from = *at, *to = *at;
	bool quoted = *from == '"';
	char end;

	*field = to;
	from += quoted;
	for (; *from; *to++ = *from++) {
		if (quoted && from[0] == '"' && from[1] == '"')
			from++;
		else if (quoted && *from == '"')
			break;
		else if (!quoted && (*from == ',' || *from == '\n'))
			break;
	}
	if (quoted && *from == '"')
		from++;
	end = *from;
	*at = end ? from + 1 : from;
	*to = '\0';
	return end == ',' || end == '\n' ? end : '\0';
}

int results_next(struct results_file *file, struct record *record)
{
	char *at = file->text + file->next;
	char end = ',';

	*record = (struct record){ .start = file->next };
	while (end == ',' && record->count < RECORD_FIELDS)
		end = take_field(&at, &record->field[record->count++]);
	if (end != '\n')
		return -1;
	record->end = file->next = (size_t)(at - file->text);
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* profile_file.c - the text of a profile's file, and its lines one by one for who shows them. */
#include "machine/sim/profile_file.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "machine/sim/profile.h"

#define FILE_MOST 65536

char *sim_profile_file(const char *path, struct error *error)
{
	struct stat status;
	size_t length;
	FILE *file;
	char *text;

	/* Before the open: that of a FIFO would wait for its writer for ever. */
	if (stat(path, &status) != 0) {
		error_set(error, "%.200s: %s", path, strerror(errno));
		return NULL;
	}
	if (!S_ISREG(status.st_mode) || status.st_size > FILE_MOST) {
		error_set(error,
			  "%.200s: is %s; right would be a profile as ./runtest machines "
			  "shows them",
			  path,
			  S_ISDIR(status.st_mode)    ? "a directory"
			  : !S_ISREG(status.st_mode) ? "not a regular file"
						     : "too large for a profile");
		return NULL;
	}
	file = fopen(path, "re");
	text = malloc(FILE_MOST + 1);
	if (!file || !text) {
		error_set(error, "%.200s: %s", path, strerror(errno));
		if (file)
			fclose(file);
		free(text);
		return NULL;
	}
	length = fread(text, 1, FILE_MOST, file);
	fclose(file);
	text[length] = '\0';
	for (size_t i = 0, line = 1; i < length; i++) {
		line += text[i] == '\n';
		if (isprint((unsigned char)text[i]) || isspace((unsigned char)text[i]))
			continue;
		error_set(error,
			  "%.200s:%zu: line: byte %#x is not plain ASCII; right would be a profile "
			  "without",
			  path, line, (unsigned char)text[i]);
		free(text);
		return NULL;
	}
	return text;
}

static char *trim(char *text)
{
	char *end = text + strlen(text);

	while (end > text && isspace((unsigned char)end[-1]))
		*--end = '\0';
	return text + strspn(text, " \t");
}

void sim_profile_each(const char *text,
		      void (*each)(void *arg, const char *key, const char *value,
				   const char *source),
		      void *arg)
{
	char section[64] = "", line[512], key[160];

	for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
		char *comment, *equals;

		snprintf(line, sizeof(line), "%.*s", (int)strcspn(text, "\n"), text);
		comment = strchr(line, ';');
		if (comment)
			*comment++ = '\0';
		equals = strchr(line, '=');
		if (line[0] == '[')
			snprintf(section, sizeof(section), "%.*s", (int)strcspn(line + 1, "]"),
				 line + 1);
		if (line[0] == '[' || !equals)
			continue;
		*equals++ = '\0';
		snprintf(key, sizeof(key), "%s.%s", section, trim(line));
		each(arg, key, trim(equals), comment ? trim(comment) : "");
	}
}

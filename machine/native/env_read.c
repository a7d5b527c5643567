// SPDX-License-Identifier: GPL-2.0-or-later
/* env_read.c - reads small files of /proc and /sys below a root. */
#include "machine/native/env_read.h"

#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

FILE *env_open(const char *root, const char *format, ...)
{
	char path[PATH_MAX];
	int used = snprintf(path, sizeof(path), "%s", root);
	int added;
	va_list args;

	if (used < 0 || (size_t)used >= sizeof(path))
		return NULL;
	va_start(args, format);
	added = vsnprintf(path + used, sizeof(path) - (size_t)used, format, args);
	va_end(args);
	if (added < 0 || (size_t)added >= sizeof(path) - (size_t)used)
		return NULL;
	return fopen(path, "re");
}

bool env_line(FILE *file, char *line, size_t size)
{
	bool read = file && fgets(line, (int)size, file);

	if (file)
		fclose(file);
	if (read)
		line[strcspn(line, "\n")] = '\0';
	else
		line[0] = '\0';
	return read;
}

bool env_has_word(const char *list, char separator, const char *word)
{
	size_t length = strlen(word);

	for (; list; list = strchr(list, separator)) {
		list += *list == separator;
		if (strncmp(list, word, length) == 0 &&
		    (list[length] == separator || list[length] == '\0'))
			return true;
	}
	return false;
}

unsigned int env_count_cpus(const char *list)
{
	unsigned int count = 0;

	while (*list) {
		unsigned int first, last;
		int ends = sscanf(list, "%u-%u", &first, &last);

		if (ends < 1 || (ends == 2 && last < first))
			return 0;
		count += ends == 2 ? last - first + 1 : 1;
		list += strcspn(list, ",");
		list += *list == ',';
	}
	return count;
}

static int is_process(const struct dirent *entry)
{
	return isdigit((unsigned char)entry->d_name[0]) != 0;
}

void env_processes(const char *root, void (*visit)(const char *pid, void *arg), void *arg)
{
	struct dirent **processes = NULL;
	char path[PATH_MAX];
	int n = -1;

	if (snprintf(path, sizeof(path), "%s/proc", root) < (int)sizeof(path))
		n = scandir(path, &processes, is_process, alphasort);
	for (int i = 0; i < n; i++) {
		visit(processes[i]->d_name, arg);
		free(processes[i]);
	}
	free(processes);
}

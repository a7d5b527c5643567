// SPDX-License-Identifier: GPL-2.0-or-later
/* preflight_parts.c - what the pre-flight checks share: reading limits, saying what is short. */
#include "machine/native/preflight_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "machine/native/env_read.h"

const char *preflight_bytes(uint64_t bytes, char *text, size_t size)
{
	static const char *const units[] = { "KiB", "MiB", "GiB", "TiB" };
	double value = (double)bytes / 1024;
	unsigned int unit = 0;

	for (; value >= 1024 && unit < 3; unit++)
		value /= 1024;
	snprintf(text, size, "%.1f %s", value, units[unit]);
	return text;
}

static const char *many(unsigned int tasks)
{
	return tasks == 1 ? " needs" : "s need";
}

int preflight_short(const struct needs *needs, enum need need, const char *what, uint64_t had,
		    const char *hint, struct error *error)
{
	char need_text[24], had_text[24];

	return error_set(error, "%u task%s %s of %s, and %s are left: %s", needs->tasks[need],
			 many(needs->tasks[need]),
			 preflight_bytes(needs->most[need], need_text, sizeof(need_text)), what,
			 preflight_bytes(had, had_text, sizeof(had_text)), hint);
}

int preflight_too_few(const struct needs *needs, enum need need, const char *what, uint64_t had,
		      const char *hint, struct error *error)
{
	return error_set(error, "%u task%s %" PRIu64 " %s, and %" PRIu64 " are left: %s",
			 needs->tasks[need], many(needs->tasks[need]), needs->most[need], what, had,
			 hint);
}

bool preflight_field(FILE *file, const char *key, uint64_t *value)
{
	size_t length = strlen(key);
	bool found = false;
	char line[160];

	while (file && !found && fgets(line, sizeof(line), file))
		found = strncmp(line, key, length) == 0 && strchr(": ", line[length]) &&
			sscanf(line + length + 1, "%" SCNu64, value) == 1;
	if (file)
		fclose(file);
	return found;
}

uint64_t preflight_limit(const char *root, const char *folder, const char *file)
{
	char line[40], *rest;
	uint64_t value;

	if (!env_line(env_open(root, "%s/%s", folder, file), line, sizeof(line)))
		return PREFLIGHT_UNLIMITED;
	value = strtoull(line, &rest, 10);
	return rest == line || value > INT64_MAX / 2 ? PREFLIGHT_UNLIMITED : value;
}

uint64_t preflight_left(uint64_t limit, uint64_t used)
{
	if (limit == PREFLIGHT_UNLIMITED)
		return PREFLIGHT_UNLIMITED;
	return limit > used ? limit - used : 0;
}

void preflight_keep(struct preflight_tightest *tightest, uint64_t left, const char *folder)
{
	if (left >= tightest->left)
		return;
	tightest->left = left;
	snprintf(tightest->folder, sizeof(tightest->folder), "%s", folder);
}

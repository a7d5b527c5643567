// SPDX-License-Identifier: GPL-2.0-or-later
/* option.c - looking up the settings that units declared. */
#include "machine/option.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "machine/check.h"

static const struct setting *find(const struct settings *settings, const char *name)
{
	for (unsigned int i = 0; settings && i < settings->count; i++)
		if (strcmp(settings->list[i].row->name, name) == 0)
			return &settings->list[i];
	return NULL;
}

int64_t setting_value(const struct settings *settings, const char *name)
{
	const struct setting *setting = find(settings, name);

	CHECK(setting);
	return setting->value;
}

bool setting_given(const struct settings *settings, const char *name)
{
	const struct setting *setting = find(settings, name);

	CHECK(setting);
	return setting->text != NULL;
}

const char *setting_text(const struct settings *settings, const char *name)
{
	const struct setting *setting = find(settings, name);

	return setting ? setting->text : NULL;
}

int option_parse_folder(const char *text, int64_t *value, struct error *error)
{
	struct stat found;

	*value = 1; /* not the fallback's, so that it stands in params */
	if (stat(text, &found) != 0)
		return error_set(error, "%s: give a folder that is there", strerror(errno));
	if (!S_ISDIR(found.st_mode))
		return error_set(error, "is no folder: give one, as /tmp");
	if (access(text, W_OK | X_OK) != 0)
		return error_set(error, "%s: give a folder that may be written to",
				 strerror(errno));
	return 0;
}

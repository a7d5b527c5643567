// SPDX-License-Identifier: GPL-2.0-or-later
/* option.c - looking up the settings that units declared. */
#include "machine/option.h"

#include <string.h>

#include "machine/check.h"

static const struct setting *find(const struct settings *settings, const char *name)
{
	for (unsigned int i = 0; i < settings->count; i++)
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

// SPDX-License-Identifier: GPL-2.0-or-later
/* machines.c - the `machines` subcommand. */
#include "runner/machines.h"

#include <stdio.h>
#include <string.h>

#include "machine/sim/profile.h"

struct about {
	char *text;
	int size;
};

static void find_about(void *arg, const char *key, const char *value, const char *source)
{
	struct about *about = arg;

	(void)source;
	if (strcmp(key, "machine.about") == 0)
		snprintf(about->text, (size_t)about->size, "%s", value);
}

void machines_about(const char *profile_text, char *text, int size)
{
	struct about about = { text, size };

	text[0] = '\0';
	sim_profile_each(profile_text, find_about, &about);
}

static void print_key(void *arg, const char *key, const char *value, const char *source)
{
	const char *machine = arg;

	if (machine)
		printf("%s,%s,\"%s\",\"%s\"\n", machine, key, value, source);
	else if (strcmp(key, "machine.about") != 0)
		printf("  %-24s %-10s %s%s\n", key, value, *source ? "; " : "", source);
}

/* A quote in a profile's comment would end the field. */
static void print_csv(const struct sim_profile_text *profile)
{
	char text[8192];

	snprintf(text, sizeof(text), "%s", profile->text);
	for (char *c = text; *c; c++)
		if (*c == '"')
			*c = '\'';
	sim_profile_each(text, print_key, (void *)profile->name);
}

void machines_print(bool csv)
{
	if (csv)
		printf("machine,key,value,source\n");
	for (const struct sim_profile_text *profile = sim_profile_texts; profile->name; profile++) {
		char about[128];

		if (csv) {
			print_csv(profile);
			continue;
		}
		machines_about(profile->text, about, sizeof(about));
		printf("%s%s: %s\n", profile == sim_profile_texts ? "" : "\n", profile->name,
		       about);
		sim_profile_each(profile->text, print_key, NULL);
	}
}

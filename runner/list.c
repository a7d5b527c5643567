// SPDX-License-Identifier: GPL-2.0-or-later
/* list.c - the `list` subcommand. */
#include "runner/list.h"

#include <stdio.h>
#include <string.h>

#include "machine/sim/profile.h"
#include "runner/machines.h"
#include "runner/registry.h"

static const char *modes_of(const struct testcase_info *info)
{
	if (info->modes == (M_PROCESS | M_THREAD))
		return "process, thread";
	return info->modes == M_PROCESS ? "process" : "thread";
}

static const struct cell *cell_of_counter(const char *kind, const char *counter)
{
	for (const struct cell *const *cell = cells; *cell; cell++)
		if (strcmp((*cell)->kind, kind) == 0 && strcmp((*cell)->counter, counter) == 0)
			return *cell;
	return NULL;
}

static void print_testcases(bool csv)
{
	struct names names;

	registry_testcases(&names);
	if (!csv)
		printf("Testcases:\n");
	for (unsigned int i = 0; i < names.count; i++) {
		const struct cell *cell = registry_find("native", names.name[i], NULL);

		if (csv)
			printf("testcase,%s,%s,\"%s\",,\"%s\"\n", cell->kind, cell->testcase,
			       modes_of(cell->info), cell->info->about);
		else
			printf("  %-16s %s (kind %s; %s)\n", cell->testcase, cell->info->about,
			       cell->kind, modes_of(cell->info));
	}
}

static void print_counters(const char *kind, bool csv)
{
	struct names names;

	registry_counters(&names, kind);
	if (!csv && names.count)
		printf("\nCounters of the kind %s:\n", kind);
	for (unsigned int i = 0; i < names.count; i++) {
		const struct counter_info *info =
			cell_of_counter(kind, names.name[i])->counter_info;

		if (csv)
			printf("counter,%s,%s,,%s,\"%s\"\n", kind, names.name[i],
			       info->is_default ? "default" : "", info->about);
		else
			printf("  %-16s %s%s%s\n", names.name[i], info->about,
			       info->has_batch ? "; takes --batch" : "",
			       info->is_default ? " (default)" : "");
	}
}

void list_print(bool csv)
{
	struct names kinds;

	if (csv)
		printf("what,kind,name,modes,default,about\n");
	print_testcases(csv);
	registry_kinds(&kinds);
	for (unsigned int i = 0; i < kinds.count; i++)
		print_counters(kinds.name[i], csv);
	printf(csv ? "machine,,native,,default,\"this host\"\n"
		   : "\nMachines:\n  native           this host (default)\n");
	for (const struct sim_profile_text *profile = sim_profile_texts; profile->name; profile++) {
		char about[128];

		machines_about(profile->text, about, sizeof(about));
		printf(csv ? "machine,,%s,,,\"%s\"\n" : "  %-16s %s (simulated)\n", profile->name,
		       about);
	}
}

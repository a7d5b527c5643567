// SPDX-License-Identifier: GPL-2.0-or-later
/* profiles.c - reports of --profile, kept until the table has been printed. */
#include "runner/profiles.h"

#include <stdlib.h>

#include "machine/check.h"
#include "runner/kernel.h"

void profiles_begin(struct profiles *profiles)
{
	profiles->kept = open_memstream(&profiles->text, &profiles->size);
	CHECK(profiles->kept);
}

void profiles_add(struct profiles *profiles, const struct point *point, struct result *result)
{
	char kernel[96];

	if (!result->profile.text)
		return;
	fprintf(profiles->kept, "\n%s", point->cell->testcase);
	if (point->cell->counter[0])
		fprintf(profiles->kept, " %s", point->cell->counter);
	if (point->batch[0])
		fprintf(profiles->kept, " %s", point->batch);
	kernel_describe(point, kernel, sizeof(kernel));
	fprintf(profiles->kept, " %s, %u task%s%s%s:\n%s", mode_names[point->mode], point->tasks,
		point->tasks == 1 ? "" : "s", kernel[0] ? ", kernel " : "", kernel,
		result->profile.text);
	free(result->profile.text);
	result->profile.text = NULL;
}

void profiles_end(struct profiles *profiles, FILE *out)
{
	fclose(profiles->kept);
	fputs(profiles->text, out);
	free(profiles->text);
}

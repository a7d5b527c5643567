// SPDX-License-Identifier: GPL-2.0-or-later
/* profiles.c - reports of --profile, and the file of their rows. */
#include "runner/profiles.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "machine/check.h"
#include "runner/kernel.h"

void profiles_begin(struct profiles *profiles)
{
	*profiles = (struct profiles){ .failed = false };
	profiles->kept = open_memstream(&profiles->text, &profiles->size);
	CHECK(profiles->kept);
}

static void failed(struct profiles *profiles, const char *what)
{
	if (!profiles->failed)
		fprintf(stderr, "runtest: %s %s: %s\n", what, profiles->path, strerror(errno));
	profiles->failed = true;
}

/* results/mmap1.csv has its lines in results/mmap1.lines.csv. */
static void open_rows(struct profiles *profiles, const struct config *config,
		      const struct output *output)
{
	const char *dot = strrchr(output->path, '.');
	const char *slash = strrchr(output->path, '/');
	int stem = (int)(dot && (!slash || dot > slash) ? (size_t)(dot - output->path)
							: strlen(output->path));

	snprintf(profiles->path, sizeof(profiles->path), "%.*s.%s.csv", stem, output->path,
		 config->ops->profiler->rows_name);
	profiles->rows = fopen(profiles->path, "w");
	if (!profiles->rows) {
		failed(profiles, "cannot write");
		return;
	}
	fprintf(profiles->rows, "machine,testcase,counter,batch,mode,tasks,repeat,%s\n",
		config->ops->profiler->row_columns);
}

/* Each of the profile's lines behind what says which point it is of. */
static void add_rows(struct profiles *profiles, const struct config *config,
		     const struct point *point, char *rows)
{
	char *rest = rows;

	for (char *row; (row = strsep(&rest, "\n")) && *row;)
		fprintf(profiles->rows, "%s,%s,%s,%s,%s,%u,%u,%s\n", config->machine_name,
			point->cell->testcase, point->cell->counter, point->batch,
			mode_names[point->mode], point->tasks, point->repeat, row);
	if (fflush(profiles->rows) != 0)
		failed(profiles, "cannot write to");
}

static void keep_text(struct profiles *profiles, const struct point *point, const char *text)
{
	char kernel[96];

	fprintf(profiles->kept, "\n%s", point->cell->testcase);
	if (point->cell->counter[0])
		fprintf(profiles->kept, " %s", point->cell->counter);
	if (point->batch[0])
		fprintf(profiles->kept, " %s", point->batch);
	kernel_describe(point, kernel, sizeof(kernel));
	fprintf(profiles->kept, " %s, %u task%s%s%s:\n%s", mode_names[point->mode], point->tasks,
		point->tasks == 1 ? "" : "s", kernel[0] ? ", kernel " : "", kernel, text);
}

void profiles_add(struct profiles *profiles, const struct config *config,
		  const struct output *output, const struct point *point, struct result *result)
{
	struct m_profile *profile = &result->profile;

	if (profile->text)
		keep_text(profiles, point, profile->text);
	if (profile->rows && strcmp(output->path, "-") != 0) {
		if (!profiles->rows && !profiles->failed)
			open_rows(profiles, config, output);
		if (profiles->rows)
			add_rows(profiles, config, point, profile->rows);
	}
	free(profile->text);
	free(profile->rows);
	profile->text = profile->rows = NULL;
}

int profiles_end(struct profiles *profiles, FILE *out)
{
	fclose(profiles->kept);
	fputs(profiles->text, out);
	free(profiles->text);
	if (profiles->rows && fclose(profiles->rows) != 0)
		failed(profiles, "cannot write to");
	if (profiles->rows && !profiles->failed)
		fprintf(out, "\nRows of the profile: %s\n", profiles->path);
	return profiles->failed ? -1 : 0;
}

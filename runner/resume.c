// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * resume.c - a point is known by the columns that make its key, as the file has them and as they
 * would be written for it now. A failed or skipped point is a finished one too.
 */
#include "runner/resume.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/check.h"
#include "runner/resume_file.h"
#include "runner/version.h"

#define LONGEST 1200 /* a header line's value */

static const char *const key_columns[] = { "machine", "testcase", "counter",   "kind",
					   "batch",   "mode",	  "placement", "tasks",
					   "repeat",  "seed",	  "params",    NULL };

struct job {
	const struct row_context *context;
	struct results_file file;
	struct record *rows;
	size_t count;
	bool *used;
	struct error *error;
};

static unsigned int column_of(const char *name)
{
	unsigned int i = 0;

	while (columns[i].name && strcmp(columns[i].name, name) != 0)
		i++;
	CHECK(columns[i].name);
	return i;
}

static int refuse(struct job *job, const char *what)
{
	return error_set(job->error, "--resume=%s: %s", job->context->config->resume, what);
}

/* Whether the word is the option, in full or shortened ("--out=x", "--out"). */
static bool is_option(const char *word, size_t length, const char *option)
{
	const char *equals = memchr(word, '=', length);
	size_t name = equals ? (size_t)(equals - word) : length;

	return name > 2 && strncmp(word, "--", 2) == 0 && strncmp(word + 2, option, name - 2) == 0;
}

/* The command less the program's path and what does not change what is run. */
static void normalise(const char *command, char *text)
{
	static const char *const ignored[] = { "resume", "output", "progress" };
	const char *word = command + strcspn(command, " ");
	size_t used = 0;

	for (size_t length; *word; word += length) {
		bool drop;

		word += strspn(word, " ");
		length = strcspn(word, " ");
		drop = length >= 2 && strncmp(word, "-o", 2) == 0;
		for (unsigned int i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++)
			drop = drop || is_option(word, length, ignored[i]);
		if (drop && !memchr(word, '=', length) && (word[1] == '-' || length == 2)) {
			word += length;
			word += strspn(word, " ");
			length = strcspn(word, " ");
		}
		if (!drop)
			used += (size_t)snprintf(text + used, LONGEST - used, " %.*s", (int)length,
						 word);
	}
	text[used] = '\0';
}

static int check_header(struct job *job, const struct env *env)
{
	char topology[256], found[LONGEST], before[LONGEST] = "", now[LONGEST] = "";
	const struct {
		const char *key, *value, *what;
	} lines[] = { { "commit", version_commit, "another build of this program" },
		      { "kernel", env->kernel, "another kernel" },
		      { "cpu", env->cpu_model, "another machine" },
		      { "topology", topology, "another machine" } };
	char text[LONGEST + 100];

	topology_describe(&job->context->config->topology, topology, sizeof(topology));
	if (results_header(&job->file, "command", found, sizeof(found)) != 0)
		return refuse(job, "has no header line with its command: give a file that runtest "
				   "has written");
	normalise(found, before);
	normalise(job->context->config->command, now);
	if (strcmp(before, now) != 0) {
		snprintf(text, sizeof(text), "is of another command: %.300s", found);
		return refuse(job, text);
	}
	for (unsigned int i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		if (results_header(&job->file, lines[i].key, found, sizeof(found)) == 0 &&
		    strcmp(found, lines[i].value) == 0)
			continue;
		snprintf(text, sizeof(text), "is of %s (%s: %.100s)", lines[i].what, lines[i].key,
			 found);
		return refuse(job, text);
	}
	return 0;
}

static int check_columns(struct job *job)
{
	struct record names;
	unsigned int i = 0;

	if (results_next(&job->file, &names) != 0)
		return refuse(job, "has no line of column names");
	while (i < names.count && columns[i].name && strcmp(columns[i].name, names.field[i]) == 0)
		i++;
	if (columns[i].name || i != names.count)
		return refuse(job, "has other columns: it is of another schema");
	return 0;
}

static int read_rows(struct job *job)
{
	unsigned int host = column_of("host"), schema = column_of("schema");
	struct record row;
	char number[12];
	unsigned int width = 0;

	while (columns[width].name)
		width++;
	snprintf(number, sizeof(number), "%d", ROW_SCHEMA);
	while (results_next(&job->file, &row) == 0) {
		if (row.count != width)
			return refuse(job, "has a line with too few or too many fields");
		if (strcmp(row.field[schema], number) != 0)
			return refuse(job, "has rows of another schema");
		if (strcmp(row.field[host], job->context->host) != 0)
			return refuse(job, "has rows of another machine");
		if ((job->count & (job->count - 1)) == 0) {
			job->rows = reallocarray(job->rows, job->count ? job->count * 2 : 1,
						 sizeof(row));
			CHECK(job->rows);
		}
		job->rows[job->count++] = row;
	}
	return 0;
}

static bool same_key(const struct record *record, const struct row *row)
{
	char text[ROW_VALUE];

	for (unsigned int i = 0; key_columns[i]; i++) {
		unsigned int column = column_of(key_columns[i]);

		columns[column].write(row, text, sizeof(text));
		if (strcmp(record->field[column], text) != 0)
			return false;
	}
	return true;
}

/* The first row of the point in the file, `*found` how many there are; NULL when none is. */
static const struct record *rows_of(struct job *job, const struct point *point, unsigned int *found)
{
	struct result result = { .status = STATUS_OK };
	struct row row = { .context = job->context,
			   .point = point,
			   .result = &result,
			   .phase = &result.phase[0] };
	const struct record *first = NULL;

	*found = 0;
	for (size_t i = 0; i < job->count; i++) {
		if (job->used[i] || !same_key(&job->rows[i], &row))
			continue;
		first = first ? first : &job->rows[i];
		job->used[i] = true;
		++*found;
	}
	return first;
}

static unsigned int rows_expected(const struct job *job, const struct point *point,
				  const struct record *row)
{
	const struct kind_ops *kind = point->cell->kind_ops;
	struct kind_args args = plan_kind_args(job->context->config, point);

	if (strcmp(row->field[column_of("status")], "ok") != 0 || !kind->phases)
		return 1;
	return kind->phases(&args);
}

static void add_baselines(struct baselines *baselines, const struct point *point,
			  const struct record *row, unsigned int phases)
{
	unsigned int rate = column_of("ops_per_sec"), status = column_of("status");

	for (unsigned int i = 0; i < phases && point->tasks == 1; i++)
		if (strcmp(row[i].field[status], "ok") == 0)
			baselines_add(baselines, point, i, strtod(row[i].field[rate], NULL));
}

/* Moves the points that are in the file behind the others, where they stay for the baselines. */
static void take_out(struct job *job, struct resume *resume, struct plan *plan,
		     struct baselines *baselines)
{
	size_t missing = 0;
	struct point *order = calloc(plan->count + 1, sizeof(*order));
	const struct record **row = calloc(plan->count + 1, sizeof(*row));
	unsigned int *phases = calloc(plan->count + 1, sizeof(*phases));

	CHECK(order && row && phases);
	for (size_t i = 0; i < plan->count; i++) {
		const struct point *point = &plan->points[i];
		unsigned int found;
		const struct record *first = rows_of(job, point, &found);

		if (first && found >= rows_expected(job, point, first)) {
			size_t place = plan->count - ++resume->kept;

			order[place] = *point;
			row[place] = first;
			phases[place] = found;
			continue;
		}
		/* Half of a point, which only the last that was written can be. */
		if (first && first + found == job->rows + job->count)
			resume->keep_bytes = (long)first->start;
		order[missing++] = *point;
	}
	memcpy(plan->points, order, plan->count * sizeof(*order));
	for (size_t i = missing; i < plan->count; i++)
		add_baselines(baselines, &plan->points[i], row[i], phases[i]);
	plan->count = missing;
	free(order);
	free(row);
	free(phases);
}

int resume_read(struct resume *resume, const struct row_context *context, const struct env *env,
		struct plan *plan, struct baselines *baselines, struct error *error)
{
	struct job job = { .context = context, .error = error };
	struct error cause;
	int result;

	*resume = (struct resume){ .kept = 0 };
	if (results_read(&job.file, context->config->resume, &cause) != 0)
		return refuse(&job, cause.text);
	result = check_header(&job, env);
	if (result == 0)
		result = check_columns(&job);
	resume->keep_bytes = (long)job.file.next;
	if (result == 0)
		result = read_rows(&job);
	if (result == 0) {
		resume->keep_bytes = (long)job.file.next;
		job.used = calloc(job.count + 1, sizeof(*job.used));
		CHECK(job.used);
		take_out(&job, resume, plan, baselines);
	}
	free(job.used);
	free(job.rows);
	results_free(&job.file);
	return result;
}

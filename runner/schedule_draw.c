// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * schedule_draw.c - what a seed makes of a point. Faults show at edges, so the numbers are those
 * where edges are near: batches of 1 to 200 against operations of as many pages, little memory, and
 * each setting that has few values. What the command line says stays.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counters/overcommit.h"
#include "machine/check.h"
#include "runner/schedule.h"
#include "runner/units.h"

#define LOOKS_LEAST 3
#define LOOKS_MORE 12
#define PATH_PS 30000 /* a system call takes no longer here: what it delays, hold-ups delay too */
#define BATCH_MOST 50000 /* schedules are too short for a default beyond */
#define BATCH_INSTEAD "200"
#define FEW 100 /* a range of so many numbers is tried through */
#define SMALL_MEMORY (64ULL << 20)
#define BLOCK_MOST (256UL << 10) /* of a slot: each schedule makes it, each look copies it */

unsigned int schedule_below(struct schedule *s, unsigned int count)
{
	return (unsigned int)((plan_random(&s->random) >> 32) * count >> 32);
}

/* From seldom and long to often and short, at one of three paces. */
static void draw_hold_ups(struct schedule *s, uint64_t seed)
{
	static const int64_t paces_ps[] = { 4000, 16000, 64000 };

	s->how.seed = seed;
	s->how.one_in = 2U << schedule_below(s, 9);
	s->how.longest_ps = s->how.one_in * paces_ps[schedule_below(s, 3)];
	s->looks = LOOKS_LEAST + schedule_below(s, LOOKS_MORE);
}

static void draw_batch(struct schedule *s)
{
	static const char *const batches[] = { "1", "1", "2", "3", "7", "32", "200", "default" };
	const char *batch = batches[schedule_below(s, sizeof(batches) / sizeof(*batches))];
	struct kind_args args = plan_kind_args(&s->config, &s->point);
	struct error ignored;

	if (s->config.batches.count || !s->point.cell->counter_info->has_batch)
		return;
	if (s->point.cell->kind_ops->batch(batch, &args, &args.batch, &ignored) != 0)
		return;
	s->point.batch = args.batch <= BATCH_MOST ? batch : BATCH_INSTEAD;
}

/* Whether a testcase runs with this size, and a schedule of it is short. */
static bool size_fits(const struct schedule *s, uint64_t size)
{
	const struct cell *cell = s->point.cell;
	struct kind_args args = plan_kind_args(&s->config, &s->point);

	args.size = (int64_t)size;
	if (cell->info->cannot_run && cell->info->cannot_run(&args))
		return false;
	return !cell->kind_ops->block_bytes || cell->kind_ops->block_bytes(&args) <= BLOCK_MOST;
}

/* One of those that fit, each as likely; the testcase's own where none does. */
static void draw_size(struct schedule *s, const struct config *config)
{
	/* The last but one is a terabyte: a few of it leave 32 bits. */
	static const uint64_t pages[] = { 1, 1, 2, 3, 40, 200, 512, 1 << 28, 0 };
	uint64_t own = s->point.cell->info->size;
	unsigned int fitting = 0;

	if (config->size || !own)
		return;
	for (unsigned int i = 0; i < sizeof(pages) / sizeof(*pages); i++) {
		uint64_t size = pages[i] * PAGE_BYTES;

		if (size_fits(s, size ? size : own) && schedule_below(s, ++fitting) == 0)
			s->config.size = size;
	}
}

static bool has_row(const struct option_row *rows, const struct option_row *row)
{
	for (; rows && rows->name; rows++)
		if (strcmp(rows->name, row->name) == 0)
			return true;
	return false;
}

static bool is_own(const struct schedule *s, const struct option_row *row)
{
	return has_row(s->point.cell->kind_ops->options, row) ||
	       has_row(s->point.cell->info->options, row);
}

static void draw_setting(struct schedule *s, struct setting *setting)
{
	const struct option_row *row = setting->row;
	unsigned int count = 0;
	struct error ignored;

	if (setting->text || !is_own(s, row) || schedule_below(s, 2))
		return;
	if (row->tries) {
		while (row->tries[count])
			count++;
		setting->text = row->tries[schedule_below(s, count)];
		CHECK(row->parse(setting->text, &setting->value, &ignored) == 0);
	} else if (row->type == OPTION_CHOICE) {
		while (row->choices[count])
			count++;
		setting->value = schedule_below(s, count);
	} else if (row->type == OPTION_TIME) {
		setting->value = row->low; /* off or on: a schedule has its own times */
	} else if (row->type == OPTION_NUMBER && row->high - row->low <= FEW) {
		setting->value =
			row->low + schedule_below(s, (unsigned int)(row->high - row->low) + 1);
	}
}

static void draw_settings(struct schedule *s, const struct config *config)
{
	struct settings *settings = &s->config.settings;

	settings->list = calloc(settings->count + 1, sizeof(*settings->list));
	CHECK(settings->list);
	memcpy(settings->list, config->settings.list, settings->count * sizeof(*settings->list));
	for (unsigned int i = 0; i < settings->count; i++)
		draw_setting(s, &settings->list[i]);
}

/* A testcase may refuse what was drawn; then it gets what was given. */
static void undo_if_refused(struct schedule *s, const struct config *config)
{
	const struct testcase_info *info = s->point.cell->info;
	struct kind_args args = plan_kind_args(&s->config, &s->point);

	if (!info->cannot_run || !info->cannot_run(&args))
		return;
	s->config.nodes = config->nodes;
	memcpy(s->config.settings.list, config->settings.list,
	       config->settings.count * sizeof(*config->settings.list));
}

void schedule_draw(struct schedule *s, const struct config *config, uint64_t seed)
{
	s->config = *config;
	s->config.seed = seed;
	draw_hold_ups(s, seed);
	if (!config->nodes_given) {
		s->config.nodes = 1 + schedule_below(s, 2);
		s->config.nodes_given = true;
	}
	if (!config->memory_given && schedule_below(s, 2))
		s->config.memory_bytes = SMALL_MEMORY;
	if (!config->readers && s->point.cell->kind_ops->read &&
	    s->point.tasks < config->usable_cpus && schedule_below(s, 3) == 0) {
		s->config.readers = 1;
		s->config.read_exact = config->read_exact || schedule_below(s, 2);
	}
	draw_settings(s, config);
	undo_if_refused(s, config);
	draw_size(s, config);
	draw_batch(s);
	for (unsigned int path = 0; path < SIM_PATH_COUNT; path++) {
		int64_t *ps = &s->config.profile.path_ps[path];

		/* One that the profile lacks too: what it costs is no matter here. */
		if (*ps == SIM_ABSENT || *ps > PATH_PS)
			*ps = PATH_PS;
	}
}

void schedule_free(struct schedule *s)
{
	free(s->config.settings.list);
	s->config.settings.list = NULL;
}

static void describe_setting(const struct schedule *s, const struct setting *setting, FILE *out)
{
	const struct option_row *row = setting->row;

	if (!is_own(s, row) || (setting->value == row->fallback && !setting->text))
		return;
	if (setting->text)
		fprintf(out, " %s=%s", row->name, setting->text);
	else if (row->type == OPTION_CHOICE)
		fprintf(out, " %s=%s", row->name, row->choices[setting->value]);
	else
		fprintf(out, " %s=%lld", row->name, (long long)setting->value);
}

void schedule_describe(const struct schedule *s, char *text, size_t size)
{
	struct kind_args args = plan_kind_args(&s->config, &s->point);
	char amount[UNITS_TEXT];
	FILE *out = fmemopen(text, size, "w");

	CHECK(out);
	fprintf(out, "tasks=%u", s->point.tasks);
	if (s->point.batch[0])
		fprintf(out, " batch=%s", s->point.batch);
	if (args.size) {
		units_format_size((uint64_t)args.size, amount, sizeof(amount));
		fprintf(out, " size=%s", amount);
	}
	units_format_size((uint64_t)args.memory_bytes, amount, sizeof(amount));
	fprintf(out, " memory=%s nodes=%u", amount, args.nodes);
	if (s->config.readers)
		fprintf(out, " readers=%u read=%s", s->config.readers,
			s->config.read_exact ? "exact" : "approx");
	for (unsigned int i = 0; i < s->config.settings.count; i++)
		describe_setting(s, &s->config.settings.list[i], out);
	fclose(out);
	text[size - 1] = '\0';
}

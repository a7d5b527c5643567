// SPDX-License-Identifier: GPL-2.0-or-later
/* params.c - the params column. */
#include "runner/params.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/units.h"
#include "runner/wis/wis.h"

#define PARAMS_MAX 64
#define PARAM_TEXT 80

struct params {
	char text[PARAMS_MAX][PARAM_TEXT];
	unsigned int count;
};

static void add(struct params *params, const char *key, const char *value)
{
	if (params->count < PARAMS_MAX)
		snprintf(params->text[params->count++], PARAM_TEXT, "%s=%s", key, value);
}

static void add_count(struct params *params, const char *key, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)value);
	add(params, key, text);
}

static void add_size(struct params *params, const char *key, uint64_t bytes)
{
	char text[UNITS_TEXT];

	units_format_size(bytes, text, sizeof(text));
	add(params, key, text);
}

static void add_pair(struct params *params, const char *pair)
{
	if (params->count < PARAMS_MAX)
		snprintf(params->text[params->count++], PARAM_TEXT, "%s", pair);
}

static void add_hash(struct params *params, uint64_t hash)
{
	char text[24];

	snprintf(text, sizeof(text), "%016llx", (unsigned long long)hash);
	add(params, "profile", text);
}

static bool declares(const struct option_row *rows, const struct option_row *row)
{
	for (; rows && rows->name; rows++)
		if (strcmp(rows->name, row->name) == 0)
			return true;
	return false;
}

/* A setting as it was given, or what it is by itself. */
static void add_setting(struct params *params, const struct setting *setting)
{
	const struct option_row *row = setting->row;

	if (setting->text)
		add(params, row->name, setting->text);
	else if (row->type == OPTION_CHOICE)
		add(params, row->name, row->choices[setting->value]);
	else if (row->type == OPTION_SIZE)
		add_size(params, row->name, (uint64_t)setting->value);
	else
		add_count(params, row->name, (uint64_t)setting->value);
}

/* Settings of the point's own units that differ from what they are by themselves. */
static void add_settings(struct params *params, const struct config *config,
			 const struct cell *cell)
{
	for (unsigned int i = 0; i < config->settings.count; i++) {
		const struct setting *setting = &config->settings.list[i];
		const struct option_row *row = setting->row;

		if (row->is_column || (setting->value == row->fallback && !row->always))
			continue;
		if (declares(cell->kind_ops->options, row) || declares(cell->info->options, row))
			add_setting(params, setting);
	}
}

static int by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* "kernel_policy=never": the option's name as a key. */
static void add_knobs(struct params *params, const struct point *point)
{
	for (int id = 0; id < KNOBS; id++) {
		char key[40];

		if (!point->knob[id])
			continue;
		snprintf(key, sizeof(key), "%s", knobs[id].option);
		for (char *c = key; *c; c++)
			if (*c == '-')
				*c = '_';
		add(params, key, point->knob[id]);
	}
}

void params_write(const struct config *config, const struct point *point, bool aslr_off, char *text,
		  size_t size)
{
	struct params params = { .count = 0 };
	size_t used = 0;

	if (config_is_virtual(config))
		add_hash(&params, config->profile.hash);
	else
		add(&params, "aslr", aslr_off ? "off" : "on");
	if (config->cpus_text)
		add(&params, "cpus", config->cpus_text);
	if (point->cell->info->size)
		add_size(&params, "size",
			 config->size ? config->size : (uint64_t)point->cell->info->size);
	if (point->cell->kind_ops->setup) {
		add_size(&params, "memory", config->memory_bytes);
		add_count(&params, "cpu_count", config->cpu_count);
		if (config->nodes_given)
			add_count(&params, "nodes", config->nodes);
	}
	if (config->readers) {
		add_count(&params, "readers", config->readers);
		add(&params, "read", config->read_exact ? "exact" : "approx");
	}
	if (point->cell->info->param)
		add_pair(&params, point->cell->info->param);
	add_knobs(&params, point);
	if (config->take_profile && !config_is_virtual(config))
		add(&params, "profiled", "on"); /* by perf, which disturbs what it looks at */
	if (wis_file_of(point->cell)) {
		char text[24];

		snprintf(text, sizeof(text), "%016" PRIx64, wis_file_of(point->cell)->hash);
		add(&params, "wis", text);
		if (config->tmpdir)
			add(&params, "tmpdir", config->tmpdir);
	}
	add_settings(&params, config, point->cell);

	qsort(params.text, params.count, PARAM_TEXT, by_text);
	text[0] = '\0';
	for (unsigned int i = 0; i < params.count && used < size; i++)
		used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ";" : "",
					 params.text[i]);
}

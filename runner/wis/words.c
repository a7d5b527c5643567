// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * words.c - runtest.py's arguments, which come by position: the testcase alone, as will-it-scale
 * has it, or with seconds, mode, no_affinity, smt and task counts behind it, as LKP calls it.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine/check.h"
#include "machine/run.h"
#include "runner/options.h"
#include "runner/registry.h"
#include "runner/units.h"
#include "runner/wis/binary.h"
#include "runner/wis/compat.h"

#define MOST_SECONDS 86400

enum { TESTCASE, SECONDS, MODE, NO_AFFINITY, SMT, TASKS };

static int wrong(const char *what, const char *word, const struct error *cause, struct error *error)
{
	return error_set(error, "runtest.py arguments: %s '%.40s': %s", what, word, cause->text);
}

static int take_flag(const char *what, const char *word, bool *value, struct error *error)
{
	*value = strcmp(word, "1") == 0 || strcmp(word, "true") == 0;
	if (!*value && strcmp(word, "0") != 0 && strcmp(word, "false") != 0)
		return error_set(error, "runtest.py arguments: %s '%.40s': give 0 or 1", what,
				 word);
	return 0;
}

static int take_mode(struct config *config, const char *word, struct error *error)
{
	static const char *const names[] = { "process", "thread", "both" };
	static const unsigned int modes[] = { M_PROCESS, M_THREAD, M_PROCESS | M_THREAD };

	for (unsigned int i = 0; i < 3; i++) {
		if (strcmp(word, names[i]) == 0) {
			config->modes = modes[i];
			return 0;
		}
	}
	return error_set(error, "runtest.py arguments: mode '%.40s': give process, thread or both",
			 word);
}

static int take_placement(struct config *config, bool no_affinity, bool smt, struct error *error)
{
	if (no_affinity && smt)
		return error_set(error, "runtest.py arguments: no_affinity and smt exclude each "
					"other");
	if (no_affinity)
		config->placement = PLACEMENT_NONE;
	else if (smt)
		config->placement = PLACEMENT_PU;
	return 0;
}

/* Task counts, each a word or several in one. */
static int take_tasks(struct config *config, struct error *error)
{
	const char *const *word = config->words.item;
	struct error cause;
	unsigned int count;
	size_t size = 1;
	static char *text; /* the configuration keeps it */

	for (unsigned int i = TASKS; i < config->words.count; i++) {
		if (units_count(word[i], 1, TASKS_LIMIT, &count, &cause) != 0)
			return wrong("task count", word[i], &cause, error);
		size += strlen(word[i]) + 1;
	}
	text = calloc(1, size);
	CHECK(text);
	for (unsigned int i = TASKS; i < config->words.count; i++)
		snprintf(text + strlen(text), size - strlen(text), "%s%s", i > TASKS ? "," : "",
			 word[i]);
	config->tasks_text = *text ? text : config->tasks_text;
	if (!*text)
		free(text);
	return 0;
}

static int take_arguments(struct config *config, struct error *error)
{
	struct list *words = &config->words;
	bool no_affinity = false, smt = false;
	unsigned int seconds;
	struct error cause;

	if (units_count(words->item[SECONDS], 1, MOST_SECONDS, &seconds, &cause) != 0)
		return wrong("seconds", words->item[SECONDS], &cause, error);
	config->duration_ns = seconds * 1000000000ULL;
	if (words->count > MODE && take_mode(config, words->item[MODE], error) != 0)
		return -1;
	if (words->count > NO_AFFINITY &&
	    take_flag("no_affinity", words->item[NO_AFFINITY], &no_affinity, error) != 0)
		return -1;
	if (words->count > SMT && take_flag("smt", words->item[SMT], &smt, error) != 0)
		return -1;
	if (take_placement(config, no_affinity, smt, error) != 0 || take_tasks(config, error) != 0)
		return -1;
	for (unsigned int i = SECONDS; i < words->count; i++)
		free((void *)words->item[i]);
	words->count = 1;
	return 0;
}

/* The name of the counter that counts nothing, where the testcase has counters at all. */
static const char *no_counter(const char *testcase)
{
	const struct cell *cell = registry_find("native", testcase, NULL);
	struct names names;

	if (!cell)
		return NULL;
	registry_counters(&names, cell->kind);
	for (unsigned int i = 0; i < names.count; i++) {
		cell = registry_find("native", testcase, names.name[i]);
		if (cell && cell->counter_info->counts_nothing)
			return names.name[i];
	}
	return NULL;
}

int wis_bare(struct config *config, const char *testcase, struct error *error)
{
	static char folder[PATH_MAX];
	char library[PATH_MAX + 300];
	const char *counter;
	ssize_t length = readlink("/proc/self/exe", folder, sizeof(folder) - 16);

	if (length > 0) {
		folder[length] = '\0';
		*strrchr(folder, '/') = '\0';
		strncat(folder, "/tests", 7);
		snprintf(library, sizeof(library), "%s/%.200s.so", folder, testcase);
		if (!config->wis && access(library, R_OK) == 0)
			config->wis = folder;
	}
	counter = config->wis || config->counters.count ? NULL : no_counter(testcase);
	return counter ? list_parse(&config->counters, counter, error) : 0;
}

int wis_take_words(struct config *config, const char *argv0, struct error *error)
{
	const char *name = strrchr(argv0, '/');
	bool is_script = strcmp(name ? name + 1 : argv0, "runtest.py") == 0;

	if (is_script) {
		config->format = FORMAT_WIS;
		config->format_given = true;
		config->output = config->output ? config->output : "-";
		config->progress = PROGRESS_NEVER;
	}
	if (config->format != FORMAT_WIS || config->words.count == 0)
		return 0;
	if (!config->modes_given)
		config->modes = M_PROCESS | M_THREAD;
	if (!config->tasks_text)
		config->tasks_text = "1..all";
	if (config->words.count > 1 && config->words.item[1][0] >= '0' &&
	    config->words.item[1][0] <= '9' && take_arguments(config, error) != 0)
		return -1;
	return is_script ? wis_bare(config, config->words.item[0], error) : 0;
}

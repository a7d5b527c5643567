// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cli.c - reading the command line with argp: its options are the runner's own table and the rows
 * that units declare. argp's own messages take two lines and exit 64, so it is kept silent and
 * what it would say is found out here.
 */
#include "runner/cli.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "machine/check.h"
#include "runner/options.h"
#include "runner/registry.h"
#include "runner/suggest.h"
#include "runner/version.h"

#define UNIT_KEY 1000 /* keys of units' options, by their index in the settings */

const char *argp_program_version = "will-it-batch " VERSION;

static const char help_args[] = "TESTCASE...\nlist\ntopo";
static const char help_text[] =
	"How much may a CPU keep to itself before it touches what all CPUs share? Runs testcases "
	"with counters of each batch on pinned tasks, prints a table and writes a CSV file."
	"\vExamples:\n"
	"  runtest mmap1 --batch=64x\n"
	"  runtest mmap1 --batch=1x,16x,64x --tasks=1,2,all --repeat=5\n"
	"  runtest brk1 --counter=percpu_counter,percpu_sum --policy=never\n"
	"Exit status: 0 all points good or skipped, 1 a point failed or nothing ran, 2 the command "
	"was "
	"wrong, 130 or 143 interrupted.";

struct parse {
	struct config *config;
	struct error *error;
};

static const struct flag *flag_of(int key)
{
	for (const struct flag *flag = flags; flag->name; flag++)
		if (flag->key == key)
			return flag;
	return NULL;
}

static int fail(struct parse *parse, const char *name, const char *arg, const struct error *cause)
{
	error_set(parse->error, "--%s=%s: %s", name, arg ? arg : "", cause->text);
	return EINVAL;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct parse *parse = state->input;
	struct config *config = parse->config;
	const struct flag *flag = flag_of(key);
	struct error cause;

	if (key == ARGP_KEY_ARG) {
		if (list_parse(&config->words, arg, &cause) != 0) {
			error_set(parse->error, "'%s': %s", arg, cause.text);
			return EINVAL;
		}
		return 0;
	}
	if (flag)
		return flag->apply(config, arg, &cause) ? fail(parse, flag->name, arg, &cause) : 0;
	if (key >= UNIT_KEY && key < UNIT_KEY + (int)config->settings.count) {
		struct setting *setting = &config->settings.list[key - UNIT_KEY];

		if (setting_parse(setting, arg, &cause) != 0)
			return fail(parse, setting->row->name, arg, &cause);
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

/* The table that argp wants: ours, then the units'. */
static struct argp_option *make_options(const struct settings *settings)
{
	unsigned int own = 0;
	struct argp_option *options;

	while (flags[own].name)
		own++;
	options = calloc(own + settings->count + 3, sizeof(*options));
	CHECK(options);
	for (unsigned int i = 0; i < own; i++)
		options[i] = (struct argp_option){ flags[i].name, flags[i].key,
						   flags[i].arg,  0,
						   flags[i].help, 0 };
	options[own] = (struct argp_option){ .doc = "Of units:", .group = 1 };
	for (unsigned int i = 0; i < settings->count; i++) {
		const struct option_row *row = settings->list[i].row;

		options[own + 1 + i] = (struct argp_option){ row->name, UNIT_KEY + (int)i, row->arg,
							     0,		row->help,	   1 };
	}
	return options;
}

/*
 * argp has refused an option without saying which. Names it: one that we do not have (with the
 * nearest one), one that is not unique, or one without its value.
 */
static int say_which(int argc, char **argv, const struct argp_option *options, struct error *error)
{
	const char *names[REGISTRY_NAMES];
	size_t count = 0;

	for (; options->name || options->doc; options++)
		if (options->name && count < REGISTRY_NAMES)
			names[count++] = options->name;
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		size_t length = strcspn(argv[i] + 2 * (strncmp(argv[i], "--", 2) == 0), "=");
		const char *name = argv[i] + 2;
		unsigned int matches = 0;
		bool exact = false;
		char word[80];

		if (strncmp(argv[i], "--", 2) != 0)
			continue;
		for (size_t n = 0; n < count; n++) {
			matches += strncmp(names[n], name, length) == 0;
			exact |= strncmp(names[n], name, length) == 0 && !names[n][length];
		}
		if (exact || matches == 1 || strncmp("help", name, length) == 0 ||
		    strncmp("usage", name, length) == 0 || strncmp("version", name, length) == 0)
			continue;
		snprintf(word, sizeof(word), "%.*s", (int)length, name);
		if (matches > 1)
			return error_set(error,
					 "option '--%s' is short for more than one; see --help",
					 word);
		name = suggest(word, names, count);
		return error_set(error, "unknown option '--%s'%s%s%s", word,
				 name ? ", did you mean --" : "; see --help", name ? name : "",
				 name ? "?" : "");
	}
	return error_set(error,
			 "an option is unknown or lacks its value (or has one too many); see "
			 "--help");
}

int cli_parse(struct config *config, int argc, char **argv, struct error *error)
{
	struct parse parse = { config, error };
	struct argp_option *options;
	char **words = calloc((size_t)argc + 1, sizeof(*words));
	struct argp argp = { NULL, parse_option, help_args, help_text, NULL, NULL, NULL };
	int result;

	/* argp moves the words behind the options: not in the caller's array. */
	CHECK(words);
	memcpy(words, argv, (size_t)argc * sizeof(*words));
	registry_settings(&config->settings);
	options = make_options(&config->settings);
	argp.options = options;
	error->text[0] = '\0';
	result = argp_parse(&argp, argc, words, ARGP_NO_ERRS, NULL, &parse);
	if (result != 0 && !error->text[0])
		say_which(argc, argv, options, error);
	free(options);
	free(words);
	return result == 0 ? 0 : -1;
}

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

#define KEY_HELP 'h'
#define KEY_VERSION 999
#define UNIT_KEY 1000 /* keys of units' options, by their index in the settings */

static const char help_args[] =
	"TESTCASE...\ntune TESTCASE\nexplore TESTCASE...\nlist\nmachines\ntopo\ncheck-host\n"
	"calibrate";
static const char help_text[] =
	"How much may a CPU keep to itself before it touches what all CPUs share? Runs testcases "
	"with counters of each batch on pinned tasks, prints a table and writes a CSV file."
	"\vExamples:\n"
	"  runtest mmap1 --batch=64x\n"
	"  runtest mmap1 --batch=1x,16x,64x --tasks=1,2,all --repeat=5\n"
	"  runtest brk1 --counter=percpu_counter,percpu_sum --policy=never\n"
	"  runtest mmap1 --batch=1x,16x,64x --machine=4s72c144t\n"
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
	/* Cut in the middle of a list, lest the list push its own fault out of the line. */
	error_set(parse->error, "--%s=%.60s%s: %s", name, arg ? arg : "",
		  arg && strlen(arg) > 60 ? "..." : "", cause->text);
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
			error_set(parse->error, "'%.60s': %s", arg, cause.text);
			return EINVAL;
		}
		return 0;
	}
	if (key == KEY_HELP) {
		argp_help(state->root_argp, stdout,
			  ARGP_HELP_SHORT_USAGE | ARGP_HELP_PRE_DOC | ARGP_HELP_LONG |
				  ARGP_HELP_POST_DOC,
			  state->name);
		exit(0);
	}
	if (key == KEY_VERSION) {
		puts("will-it-batch " VERSION);
		exit(0);
	}
	if (flag) {
		config->given |= 1ULL << (flag - flags);
		return flag->apply(config, arg, &cause) ? fail(parse, flag->name, arg, &cause) : 0;
	}
	if (key >= UNIT_KEY && key < UNIT_KEY + (int)config->settings.count) {
		struct setting *setting = &config->settings.list[key - UNIT_KEY];

		if (setting_parse(setting, arg, &cause) != 0)
			return fail(parse, setting->row->name, arg, &cause);
		return 0;
	}
	return ARGP_ERR_UNKNOWN;
}

/* The table that argp wants: ours, then the units', then the two that every program has. */
static struct argp_option *make_options(const struct settings *settings)
{
	struct argp_option *options = calloc(FLAGS_MAX + settings->count + 4, sizeof(*options));
	struct argp_option *next = options;

	CHECK(options);
	for (const struct flag *flag = flags; flag->name; flag++) {
		bool optional = flag->arg && flag->arg[0] == '?';

		*next++ = (struct argp_option){ .name = flag->name,
						.key = flag->key,
						.arg = flag->arg + optional,
						.flags = optional ? OPTION_ARG_OPTIONAL : 0,
						.doc = flag->help };
	}
	*next++ = (struct argp_option){ .doc = "Of units:", .group = 1 };
	for (unsigned int i = 0; i < settings->count; i++) {
		const struct option_row *row = settings->list[i].row;

		*next++ = (struct argp_option){ .name = row->name,
						.key = UNIT_KEY + (int)i,
						.arg = row->arg,
						.doc = row->help,
						.group = 1 };
	}
	*next++ = (struct argp_option){
		.name = "help", .key = KEY_HELP, .doc = "this list", .group = -1
	};
	*next++ = (struct argp_option){
		.name = "version", .key = KEY_VERSION, .doc = "the program's version", .group = -1
	};
	return options;
}

/* What is wrong with one long option ("name" or "name=value"); 0 when nothing is. */
static int check_long(const char *word, bool is_last, const struct argp_option *options,
		      struct error *error)
{
	const struct argp_option *found = NULL;
	const char *names[FLAGS_MAX + REGISTRY_NAMES];
	size_t length = strcspn(word, "=");
	size_t count = 0, matches = 0;
	const char *nearest;
	char name[80];

	for (; options->name || options->doc; options++) {
		if (!options->name)
			continue;
		names[count++] = options->name;
		if (strncmp(options->name, word, length) != 0 || (found && !found->name[length]))
			continue;
		matches++;
		if (!found || !options->name[length])
			found = options;
	}
	snprintf(name, sizeof(name), "%.*s", (int)length, word);
	nearest = suggest(name, names, count);
	if (matches == 0)
		return error_set(error, "unknown option '--%s'%s%s%s", name,
				 nearest ? ", did you mean --" : "; see --help",
				 nearest ? nearest : "", nearest ? "?" : "");
	if (matches > 1 && found->name[length])
		return error_set(error, "option '--%s' is short for more than one; see --help",
				 name);
	if (found->arg && !(found->flags & OPTION_ARG_OPTIONAL) && !word[length] && is_last)
		return error_set(error, "option '--%s' needs a value: --%s=%s", found->name,
				 found->name, found->arg);
	if (!found->arg && word[length])
		return error_set(error, "option '--%s' takes no value", found->name);
	return 0;
}

/* The same for a word of short options, "-c" or "-cVALUE". */
static int check_short(char letter, bool is_last, const struct argp_option *options,
		       struct error *error)
{
	for (; options->name || options->doc; options++)
		if (options->name && options->key == letter)
			return is_last && options->arg
				       ? error_set(error, "option '-%c' needs a value: --%s=%s",
						   letter, options->name, options->arg)
				       : 0;
	return error_set(error, "unknown option '-%c'; see --help", letter);
}

/* argp has refused an option without saying which or why: finds out. */
static int say_which(int argc, char **argv, const struct argp_option *options, struct error *error)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		bool is_last = i + 1 == argc;
		int wrong = 0;

		if (strncmp(argv[i], "--", 2) == 0)
			wrong = check_long(argv[i] + 2, is_last, options, error);
		else if (argv[i][0] == '-' && argv[i][1])
			wrong = check_short(argv[i][1], is_last && !argv[i][2], options, error);
		if (wrong)
			return -1;
	}
	return error_set(error, "an option is wrong; see --help");
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
	result = argp_parse(&argp, argc, words, ARGP_NO_ERRS | ARGP_NO_HELP, NULL, &parse);
	if (result != 0 && !error->text[0])
		say_which(argc, argv, options, error);
	free(options);
	free(words);
	return result == 0 ? 0 : -1;
}

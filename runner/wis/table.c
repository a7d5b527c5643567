// SPDX-License-Identifier: GPL-2.0-or-later
/* table.c - the files of the folder as cells. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counters/plain_kind.h"
#include "machine/check.h"
#include "runner/options.h"
#include "runner/registry.h"
#include "runner/wis/parts.h"

static struct {
	struct wis_file *list;
	const struct cell **cells; /* of each, and NULL */
	unsigned int count;
} files;

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), tail = strlen(end);

	return length > tail && strcmp(text + length - tail, end) == 0;
}

static int is_testcase(const struct dirent *entry)
{
	return entry->d_name[0] != '.' &&
	       (ends_with(entry->d_name, ".c") || ends_with(entry->d_name, ".so"));
}

/* One of the folder's entries: sorted, so NAME.c comes before NAME.so, which it makes needless. */
static void add(const char *folder, const char *entry)
{
	size_t length = strrchr(entry, '.') - entry;
	bool is_source = ends_with(entry, ".c");
	struct wis_file *file = &files.list[files.count];
	char *path;

	if (files.count && strlen(file[-1].name) == length &&
	    strncmp(file[-1].name, entry, length) == 0)
		return;
	*file = (struct wis_file){ .name = strndup(entry, length) };
	CHECK(file->name && asprintf(&path, "%s/%s", folder, entry) > 0);
	*(is_source ? &file->source : &file->library) = path;
	file->info = (struct testcase_info){ .about = "(not built yet)",
					     .modes = M_PROCESS | M_THREAD,
					     .maps_nothing = true };
	file->cell = (struct cell){ .machine = "native",
				    .kind = "plain",
				    .testcase = file->name,
				    .counter = "",
				    .info = &file->info,
				    .counter_info = &counter_info,
				    .kind_ops = &kind_ops,
				    .body = wis_body,
				    .host = &wis_host };
	files.cells[files.count++] = &file->cell;
}

static int read_folder(const char *folder, struct error *error)
{
	struct dirent **entry;
	int count = scandir(folder, &entry, is_testcase, alphasort);

	if (count < 0)
		return error_set(error, "--wis=%s: %s", folder, strerror(errno));
	if (count > REGISTRY_NAMES)
		error_set(error, "--wis=%s: more than %d files", folder, REGISTRY_NAMES);
	else if (count == 0)
		error_set(error, "--wis=%s: there is no testcase: give a folder with NAME.c in it",
			  folder);
	files.list = calloc((size_t)count + 1, sizeof(*files.list));
	files.cells = calloc((size_t)count + 1, sizeof(*files.cells));
	CHECK(files.list && files.cells);
	for (int i = 0; i < count; i++) {
		if (count <= REGISTRY_NAMES)
			add(folder, entry[i]->d_name);
		free(entry[i]);
	}
	free(entry);
	return files.count ? 0 : -1;
}

const struct wis_file *wis_file_of(const struct cell *cell)
{
	return cell->host == &wis_host ? (const struct wis_file *)cell : NULL;
}

static struct wis_file *find(const char *name)
{
	for (unsigned int i = 0; i < files.count; i++)
		if (strcmp(files.list[i].name, name) == 0)
			return &files.list[i];
	return NULL;
}

/* The word "all" stands for every file. */
static int expand(struct list *words, struct error *error)
{
	if (words->count != 1 || strcmp(words->item[0], "all") != 0)
		return 0;
	list_free(words);
	words->count = 0;
	for (unsigned int i = 0; i < files.count; i++)
		if (list_parse(words, files.list[i].name, error) != 0)
			return -1;
	return 0;
}

static int build(struct wis_file *file, struct error *error)
{
	return wis_build(file, error) != 0 || wis_describe(file, error) != 0 ? -1 : 0;
}

int wis_open(struct config *config, struct error *error)
{
	bool lists = config->words.count == 1 && strcmp(config->words.item[0], "list") == 0;

	if (strcmp(config->machine, "native") != 0)
		return error_set(error,
				 "--wis: such a testcase runs on this host only: give it "
				 "without --machine=%.60s",
				 config->machine);
	if (read_folder(config->wis, error) != 0 || wis_dir_init(config->tmpdir, error) != 0)
		return -1;
	registry_use(files.cells);
	if (expand(&config->words, error) != 0)
		return -1;
	for (unsigned int i = 0; i < config->words.count && !lists; i++)
		if (!find(config->words.item[i]))
			return 0; /* the plan says so, before anything is built */
	for (unsigned int i = 0; i < files.count && lists; i++)
		if (build(&files.list[i], error) != 0)
			return -1;
	for (unsigned int i = 0; i < config->words.count && !lists && !config->dry_run; i++)
		if (build(find(config->words.item[i]), error) != 0)
			return -1;
	return 0;
}

void wis_close(void)
{
	for (unsigned int i = 0; i < files.count; i++) {
		free(files.list[i].name);
		free(files.list[i].source);
		free(files.list[i].library);
		free(files.list[i].about);
	}
	free(files.list);
	free(files.cells);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * profile.c - reading a profile. The INI syntax is inih's; it numbers no lines, so its reader here
 * counts them. Numbers are read as decimals into picoseconds, never as floating point.
 */
#include "machine/sim/profile.h"

#include <ctype.h>
#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "machine/check.h"
#include "machine/sim/profile_file.h"
#include "machine/sim/profile_keys.h"

#define LINE_MOST 190 /* longer ones inih would cut in two without a word */

struct reading {
	const char *file;
	const char *text; /* what is left of it */
	unsigned int line;
	struct sim_profile *profile;
	unsigned int seen[SIM_KEYS_MAX]; /* line of each key, 0: not yet */
	struct error *error;
	bool failed;
};

static int refuse(struct reading *reading, unsigned int line, const char *key, const char *what)
{
	if (!reading->failed)
		error_set(reading->error, "%.160s:%u: %.60s: %.220s", reading->file, line, key,
			  what);
	reading->failed = true;
	return -1;
}

/* Digits with at most three behind a point, as thousandths; -1 when it is anything else. */
static int64_t thousandths(const char *text)
{
	int64_t value = 0;
	int decimals = 0;

	if (!isdigit((unsigned char)*text))
		return -1;
	for (; isdigit((unsigned char)*text); text++)
		if ((value = value * 10 + (*text - '0')) > SIM_KEY_MOST)
			return -1;
	if (*text == '.')
		for (text++; isdigit((unsigned char)*text) && decimals < 3; text++, decimals++)
			value = value * 10 + (*text - '0');
	for (; decimals < 3; decimals++)
		value *= 10;
	return *text ? -1 : value;
}

static int set_value(struct reading *reading, const struct sim_key *key, const char *name,
		     const char *text)
{
	void *target = (char *)reading->profile + key->offset;
	int64_t value = thousandths(text);
	char what[200];

	if (key->type == SIM_KEY_TEXT) {
		if (!*text || strlen(text) >= key->size)
			return refuse(reading, reading->line, name, "is empty or too long");
		snprintf(target, key->size, "%s", text);
		return 0;
	}
	if (key->type == SIM_KEY_COUNT)
		value = value % 1000 ? -1 : value / 1000;
	if (value < key->low || value > key->high) {
		double unit = key->type == SIM_KEY_NS ? 1000 : 1;

		snprintf(what, sizeof(what), "'%.40s' is not right: give a number from %g to %g%s",
			 text, (double)key->low / unit, (double)key->high / unit,
			 key->type == SIM_KEY_NS ? " with at most 3 decimals" : ", a whole one");
		return refuse(reading, reading->line, name, what);
	}
	*(int64_t *)target = value;
	return 0;
}

/* inih's handler: nonzero is success. */
static int take(void *user, const char *section, const char *key_name, const char *value)
{
	struct reading *reading = user;
	char name[100];

	snprintf(name, sizeof(name), "%.40s%s%.40s", section, *section ? "." : "", key_name);
	for (unsigned int i = 0; sim_keys[i].name; i++) {
		if (strcmp(sim_keys[i].name, name) != 0)
			continue;
		if (reading->seen[i])
			return refuse(reading, reading->line, name, "stands twice") == 0;
		reading->seen[i] = reading->line;
		return set_value(reading, &sim_keys[i], name, value) == 0;
	}
	refuse(reading, reading->line, name, "is no key of a profile; see ./runtest machines");
	return 0;
}

/* inih's reader, as fgets: one line of the text at a time. */
static char *next_line(char *line, int size, void *user)
{
	struct reading *reading = user;
	size_t length = strcspn(reading->text, "\n"), blanks;

	if (!*reading->text || reading->failed)
		return NULL;
	reading->line++;
	if (length > LINE_MOST || length + 2 > (size_t)size) {
		refuse(reading, reading->line, "line", "is longer than 190 characters");
		return NULL;
	}
	blanks = strspn(reading->text, " \t\r");
	if (blanks && blanks < length && reading->text[blanks] != ';') {
		refuse(reading, reading->line, "line",
		       "begins with a blank; right would be KEY = VALUE");
		return NULL;
	}
	memcpy(line, reading->text, length);
	line[length] = '\0';
	reading->text += length + (reading->text[length] == '\n');
	return line;
}

static int find_missing(struct reading *reading)
{
	for (unsigned int i = 0; sim_keys[i].name; i++)
		if (!reading->seen[i] && sim_keys[i].needed)
			return refuse(reading, reading->line ? reading->line : 1, sim_keys[i].name,
				      "is missing");
	if (reading->profile->line_bytes != 64 && reading->profile->line_bytes != 128)
		return refuse(reading, reading->seen[sim_key_of("machine.line_bytes")],
			      "machine.line_bytes", "must be 64 or 128");
	return 0;
}

static uint64_t hash_on(uint64_t hash, uint64_t value)
{
	for (unsigned int shift = 0; shift < 64; shift += 8)
		hash = (hash ^ (value >> shift & 0xff)) * 0x100000001b3ULL;
	return hash;
}

/*
 * FNV-1a over the values, so that a comment changes nothing, and over where each PU is, so that the
 * content of a topology's file counts and its name does not.
 */
static uint64_t hash_of(const struct sim_profile *profile, const struct topology *topology)
{
	hwloc_obj_t pu = NULL;
	uint64_t hash = 0xcbf29ce484222325ULL;

	while ((pu = hwloc_get_next_obj_by_type(topology->hwloc, HWLOC_OBJ_PU, pu))) {
		struct sim_where where;

		sim_where(topology, pu, &where);
		hash = hash_on(hash, (uint64_t)where.core);
		hash = hash_on(hash, (uint64_t)where.cache);
		hash = hash_on(hash, (uint64_t)where.package);
		hash = hash_on(hash, (uint64_t)where.group);
	}
	for (unsigned int i = 0; sim_keys[i].name; i++)
		if (sim_keys[i].type != SIM_KEY_TEXT)
			hash = hash_on(hash, *(const uint64_t *)((const char *)profile +
								 sim_keys[i].offset));
	return hash;
}

static int read_text(struct reading *reading)
{
	struct sim_profile *profile = reading->profile;
	int line;

	for (unsigned int i = 0; sim_keys[i].name; i++)
		if (sim_keys[i].type != SIM_KEY_TEXT)
			*(int64_t *)((char *)profile + sim_keys[i].offset) = SIM_ABSENT;
	line = ini_parse_stream(next_line, reading, take, reading);
	if (line > 0 && !reading->failed)
		return refuse(reading, (unsigned int)line, "line",
			      "is neither [SECTION] nor KEY = VALUE nor a ; comment");
	return reading->failed ? -1 : find_missing(reading);
}

static int check_latency(struct reading *reading, const struct sim_where *a,
			 const struct sim_where *b)
{
	enum sim_level level = sim_level_of(a, b);

	if (reading->profile->latency_ps[level] != SIM_ABSENT)
		return 0;
	return refuse(reading, reading->line, sim_latency_keys[level],
		      "is missing, and the topology has that level");
}

/* The levels from each PU to the next, and to the first, are all that the machine has. */
static int check_latencies(struct reading *reading, const struct topology *topology)
{
	struct sim_where first, last, where;
	hwloc_obj_t pu = hwloc_get_next_obj_by_type(topology->hwloc, HWLOC_OBJ_PU, NULL);

	sim_where(topology, pu, &first);
	last = first;
	while ((pu = hwloc_get_next_obj_by_type(topology->hwloc, HWLOC_OBJ_PU, pu))) {
		sim_where(topology, pu, &where);
		if (check_latency(reading, &last, &where) != 0 ||
		    check_latency(reading, &first, &where) != 0)
			return -1;
		last = where;
	}
	return 0;
}

static int open_topology(struct reading *reading, struct topology *topology)
{
	unsigned int line = reading->seen[sim_key_of("machine.topology")];
	const char *spec = reading->profile->topology;
	const char *folder = strrchr(reading->file, '/');
	char path[1024];
	struct error cause;

	/* An XML export lies beside its profile. */
	if (folder && *spec != '/' && strncmp(spec, "synthetic:", 10) != 0) {
		snprintf(path, sizeof(path), "%.*s%s", (int)(folder + 1 - reading->file),
			 reading->file, spec);
		spec = path;
	}
	if (strcmp(spec, "native") == 0)
		return refuse(reading, line, "machine.topology",
			      "native is no description: give a string or a file");
	if (topology_open(topology, spec, &cause) != 0)
		return refuse(reading, line, "machine.topology", cause.text);
	if (!hwloc_get_nbobjs_by_type(topology->hwloc, HWLOC_OBJ_CORE))
		return refuse(reading, line, "machine.topology",
			      "has no cores; right would be as in synthetic:package:2 core:4 pu:2");
	return check_latencies(reading, topology);
}

static const char *built_in(const char *name)
{
	for (const struct sim_profile_text *text = sim_profile_texts; text->name; text++)
		if (strcmp(text->name, name) == 0)
			return text->text;
	return NULL;
}

static bool is_file(const char *spec)
{
	size_t length = strlen(spec);

	return length > 4 && strcmp(spec + length - 4, ".ini") == 0;
}

bool sim_profile_is(const char *spec)
{
	return is_file(spec) || built_in(spec);
}

static void set_name(struct sim_profile *profile, const char *spec)
{
	const char *base = strrchr(spec, '/') ? strrchr(spec, '/') + 1 : spec;
	size_t length = strlen(base) - (is_file(spec) ? 4 : 0);

	snprintf(profile->name, sizeof(profile->name), "%.*s", (int)(length < 60 ? length : 60),
		 base);
	for (char *c = profile->name; *c; c++)
		if (!isgraph((unsigned char)*c) || *c == ',' || *c == '"')
			*c = '_';
}

int sim_profile_open(const char *spec, struct sim_profile *profile, struct topology *topology,
		     struct error *error)
{
	struct reading reading = { .file = spec, .profile = profile, .error = error };
	char *text = NULL;
	int result = -1;

	*profile = (struct sim_profile){ .name = "" };
	memset(topology, 0, sizeof(*topology));
	reading.text = is_file(spec) ? text = sim_profile_file(spec, error) : built_in(spec);
	if (!reading.text)
		return -1;
	set_name(profile, spec);
	if (read_text(&reading) == 0)
		result = open_topology(&reading, topology);
	if (result == 0)
		profile->hash = hash_of(profile, topology);
	else
		topology_close(topology);
	free(text);
	return result;
}

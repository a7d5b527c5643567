// SPDX-License-Identifier: GPL-2.0-or-later
/* calibrate_figures.c - the numbers of a calibrated profile, and writing them as one. */
#include "runner/calibrate_figures.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "runner/version.h"

/* Taken where this host cannot tell: each as in the profiles that are compiled in. */
static const struct {
	const char *key;
	double value;
	const char *source;
} defaults[] = {
	{ "machine.clock_mhz", 3000, "" },
	{ "machine.line_bytes", 64, "no prefetch in pairs" },
	{ "latency.hit_ns", 0.4, "a cycle" },
	{ "latency.atomic_ns", 6, "as 8c16t" },
	{ "latency.core_ns", 7, "as server processors" },
	{ "latency.cache_ns", 30, "as processors with some cores to a cache" },
	{ "latency.package_ns", 80, "between caches of a package" },
	{ "latency.group_ns", 130, "as two packages" },
	{ "latency.machine_ns", 130, "as two packages" },
	{ "latency.read_busy_ns", 8, "as 8c16t" },
	{ "coherence.request_pct", 15, "as every profile" },
	{ "coherence.near_grants", 10, "as every profile" },
	{ "coherence.stores", 56, "as 8c16t" },
	{ "path.smt_pct", 140, "as every profile" },
	{ "path.jitter_pct", 10, "as every profile" },
	{ "path.map_ns", 800, "as 8c16t" },
	{ "path.unmap_ns", 800, "as 8c16t" },
	{ "path.brk_ns", 380, "as 8c16t" },
	{ "path.protect_ns", 380, "as 8c16t" },
	{ "path.getppid_ns", 100, "as every profile" },
};

#define READ_PART 0.6 /* of the way to a shared cache, in the profiles from 0.53 to 0.68 */

static const char *const levels[] = { "latency.core_ns", "latency.cache_ns", "latency.package_ns",
				      "latency.group_ns", "latency.machine_ns" };

static struct figure *figure_of(struct figures *figures, const char *key)
{
	return &figures->of[sim_key_of(key)];
}

static void clean(char *text)
{
	for (char *c = text; *c; c++)
		if (!isprint((unsigned char)*c) || *c == '"')
			*c = ' ';
}

static double into_range(const char *name, double value)
{
	const struct sim_key *key = &sim_keys[sim_key_of(name)];
	double unit = key->type == SIM_KEY_NS ? 1000 : 1;

	value = fmax((double)key->low / unit, fmin((double)key->high / unit, value));
	return round(value * unit) / unit;
}

void figure_measured(struct figures *figures, const char *key, double value, const char *format,
		     ...)
{
	struct figure *figure = figure_of(figures, key);
	va_list arguments;

	figure->given = figure->measured = true;
	figure->value = into_range(key, value);
	va_start(arguments, format);
	vsnprintf(figure->source, sizeof(figure->source), format, arguments);
	va_end(arguments);
	clean(figure->source);
}

void figure_without(struct figures *figures, const char *key, const char *why)
{
	struct figure *figure = figure_of(figures, key);

	snprintf(figure->source, sizeof(figure->source), "%.120s", why);
	clean(figure->source);
}

void figure_lacks(struct figures *figures, const char *key, const char *why)
{
	figure_without(figures, key, why);
	figure_of(figures, key)->lacking = true;
}

static void take_default(struct figures *figures, const char *key, double value, const char *source)
{
	struct figure *figure = figure_of(figures, key);
	char why[FIGURE_SOURCE];

	if (figure->given)
		return;
	snprintf(why, sizeof(why), "%s", figure->source);
	figure->given = true;
	figure->value = into_range(key, value);
	snprintf(figure->source, sizeof(figure->source), "default: %.45s%s%.75s", source,
		 *source && *why ? "; " : "", why);
}

void figures_complete(struct figures *figures)
{
	const struct figure *cache = figure_of(figures, "latency.cache_ns");
	double nearer = 0;

	for (size_t i = 0; i < sizeof(defaults) / sizeof(defaults[0]); i++)
		take_default(figures, defaults[i].key, defaults[i].value, defaults[i].source);
	/* What is farther is not sooner there: a default gives way to what was measured nearer. */
	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
		struct figure *figure = figure_of(figures, levels[i]);

		if (!figure->measured && figure->value < nearer)
			figure->value = nearer;
		nearer = figure->value;
	}
	take_default(figures, "latency.read_ns", READ_PART * cache->value,
		     "0.6 of cache_ns, as the profiles have it");
}

void figures_tell_lacking(const struct figures *figures, FILE *out)
{
	for (unsigned int i = 0; sim_keys[i].name; i++) {
		const struct figure *figure = &figures->of[i];

		if (!figure->lacking)
			continue;
		fprintf(out, "not measured: %s: ", sim_keys[i].name);
		if (figure->given)
			fprintf(out, "%g is a %s\n", figure->value, figure->source);
		else
			fprintf(out, "left out: %s\n", figure->source);
	}
}

static void write_value(FILE *file, const struct sim_key *key, double value)
{
	char text[40];
	size_t length;

	if (key->type == SIM_KEY_COUNT) {
		fprintf(file, "%.0f", value);
		return;
	}
	length = (size_t)snprintf(text, sizeof(text), "%.3f", value);
	while (length && text[length - 1] == '0')
		text[--length] = '\0';
	if (length && text[length - 1] == '.')
		text[--length] = '\0';
	fprintf(file, "%s", text);
}

static void write_key(const struct figures *figures, unsigned int i, FILE *file)
{
	const struct sim_key *key = &sim_keys[i];
	const char *name = strchr(key->name, '.') + 1;
	const struct figure *figure = &figures->of[i];

	if (i == sim_key_of("machine.about")) {
		fprintf(file, "%s = %s\n", name, figures->about);
	} else if (i == sim_key_of("machine.topology")) {
		fprintf(file, "%s = %s ; %s\n", name, figures->topology, figures->topology_source);
	} else if (figure->given) {
		fprintf(file, "%s = ", name);
		write_value(file, key, figure->value);
		fprintf(file, " ; %s\n", figure->source);
	} else if (*figure->source) {
		fprintf(file, "; %s is left out: %s\n", name, figure->source);
	}
}

void figures_write(const struct figures *figures, FILE *file)
{
	size_t section = 0;

	fprintf(file, "; made by ./runtest calibrate, will-it-batch " VERSION "\n; %s\n",
		figures->host);
	for (unsigned int i = 0; sim_keys[i].name; i++) {
		size_t length = strcspn(sim_keys[i].name, ".");

		if (i == 0 || length != section ||
		    strncmp(sim_keys[i].name, sim_keys[i - 1].name, length + 1) != 0)
			fprintf(file, "%s[%.*s]\n", i ? "\n" : "", (int)length, sim_keys[i].name);
		section = length;
		write_key(figures, i, file);
	}
}

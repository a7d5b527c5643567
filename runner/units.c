// SPDX-License-Identifier: GPL-2.0-or-later
/* units.c - numbers with units on the command line, read strictly, and the way back. */
#include "runner/units.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "runner/units_scan.h"

#define DAY_NS 86400e9

int units_size(const char *text, uint64_t *bytes, struct error *error)
{
	static const char letters[] = "KMGT";
	const char *at = text, *letter;
	unsigned int shift = 0;
	uint64_t value;

	if (!take_whole(&at, &value))
		goto malformed;
	if (*at) {
		letter = strchr(letters, *at >= 'a' && *at <= 'z' ? *at - 'a' + 'A' : *at);
		if (!letter || (at[1] && strcmp(at + 1, "iB") != 0))
			goto malformed;
		shift = 10 * (unsigned int)(letter - letters + 1);
	}
	if (value > UINT64_MAX >> shift || value == UINT64_MAX)
		return error_set(error,
				 "%s is more bytes than 64 bits can count: give less, as 64G",
				 SHOWN(text));
	*bytes = value << shift;
	return 0;
malformed:
	return error_set(
		error, "%s is not a size: give a whole number of bytes or of K, M, G or T, as 128M",
		SHOWN(text));
}

int units_duration(const char *text, uint64_t *ns, struct error *error)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {
		{ "", 1e9 },  { "ns", 1 },   { "us", 1e3 },   { "ms", 1e6 },
		{ "s", 1e9 }, { "m", 60e9 }, { "h", 3600e9 },
	};
	const char *at = text;
	double value;

	if (!take_decimal(&at, &value))
		goto malformed;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(at, units[i].name) != 0)
			continue;
		if (value * units[i].ns > DAY_NS)
			return error_set(error, "%s is longer than a day: give less, as 5s",
					 SHOWN(text));
		*ns = (uint64_t)llround(value * units[i].ns);
		return 0;
	}
malformed:
	return error_set(error,
			 "%s is not a duration: give seconds, or a number with ns, us, ms, s, m or"
			 " h, as 1.5s or 20ms",
			 SHOWN(text));
}

int units_percent(const char *text, double *percent, struct error *error)
{
	const char *at = text;
	double value;

	if (!take_decimal(&at, &value) || strcmp(at, "%") != 0)
		return error_set(error, "%s is not a percentage: give a number with %%, as 0.5%%",
				 SHOWN(text));
	if (value > 100)
		return error_set(error, "%s is more than the whole: give 0%% to 100%%, as 50%%",
				 SHOWN(text));
	*percent = value;
	return 0;
}

int units_count(const char *text, unsigned int min, unsigned int max, unsigned int *count,
		struct error *error)
{
	const char *at = text;
	uint64_t value;

	if (!take_whole(&at, &value) || *at)
		return error_set(error,
				 "%s is not a count: give a whole number from %u to %u, as %u",
				 SHOWN(text), min, max, min);
	if (value < min || value > max)
		return error_set(error, "%s is too %s: give a whole number from %u to %u, as %u",
				 SHOWN(text), value < min ? "small" : "large", min, max,
				 value < min ? min : max);
	*count = (unsigned int)value;
	return 0;
}

void units_format_size(uint64_t bytes, char *text, size_t size)
{
	static const char letters[] = "KMGT";
	unsigned int unit = 0;

	while (unit < 4 && bytes && bytes % 1024 == 0) {
		bytes /= 1024;
		unit++;
	}
	if (unit)
		snprintf(text, size, "%" PRIu64 "%c", bytes, letters[unit - 1]);
	else
		snprintf(text, size, "%" PRIu64, bytes);
}

void units_format_ns(uint64_t ns, char *text, size_t size)
{
	static const char *const names[] = { "ns", "us", "ms", "s" };
	double value = (double)ns;
	unsigned int unit = 0;
	int places;

	/* 999.5 and more would be rounded to 1000. */
	for (; unit < 3 && value >= 999.5; unit++)
		value /= 1000;
	places = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
	value = round(value * pow(10, places)) / pow(10, places);
	snprintf(text, size, "%.15g %s", value, names[unit]);
}

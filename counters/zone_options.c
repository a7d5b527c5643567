// SPDX-License-Identifier: GPL-2.0-or-later
/* zone_options.c - the settings of the kind "zone" and what follows from them. */
#include "counters/zone_options.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "counters/batch.h"
#include "counters/zone_rules.h"

#define THRESHOLD_LIMIT INT32_MAX

/* When memory gets short, in percent of the run. */
#define PRESSURE_OFF 100
#define PRESSURE_ON 0

static int parse_pressure(const char *text, int64_t *value, struct error *error)
{
	char *end;

	if (strcmp(text, "off") == 0 || strcmp(text, "on") == 0) {
		*value = text[1] == 'n' ? PRESSURE_ON : PRESSURE_OFF;
		return 0;
	}
	if (strncmp(text, "on@", 3) == 0 && isdigit((unsigned char)text[3])) {
		*value = strtol(text + 3, &end, 10);
		if (*value >= 1 && *value <= 99 && strcmp(end, "%") == 0)
			return 0;
	}
	return error_set(error, "give on, off, or where in the run it begins, as on@50%%");
}

static const char *const pressures[] = { "on", "on@50%", NULL };

const struct option_row zone_options[] = {
	{ .name = "pressure",
	  .arg = "off|on|on@N%",
	  .help = "memory is short (from N% of the run on), which lowers the thresholds (off)",
	  .type = OPTION_PARSED,
	  .parse = parse_pressure,
	  .tries = pressures,
	  .fallback = PRESSURE_OFF },
	{ .name = "stat-interval",
	  .arg = "TIME|off",
	  .help = "how often every CPU's differences are folded in (1s)",
	  .type = OPTION_TIME,
	  .low = 1000000,
	  .high = 3600000000000,
	  .fallback = 1000000000 },
	OPTION_END,
};

int64_t zone_managed_bytes(const struct kind_args *args)
{
	return args->memory_bytes / args->nodes;
}

int zone_parse_batch(const char *text, const struct kind_args *args,
		     const struct counter_info *counter, int64_t *threshold, struct error *error)
{
	int64_t limit = counter->batch_limit ? counter->batch_limit : THRESHOLD_LIMIT;
	int64_t own = counter->batch_default;
	struct batch_spec spec;

	if (!own)
		own = zone_normal_threshold(zone_managed_bytes(args), args->cpus);
	if (batch_parse(text, limit, &spec, error) != 0)
		return -1;
	*threshold = spec.form == BATCH_NUMBER ? spec.value : own;
	if (spec.form != BATCH_MULTIPLE)
		return 0;
	if (spec.value > limit / own)
		return error_set(error,
				 "--batch=%.40s: %lld times the default of %lld is more than the "
				 "most that this counter holds, %lld",
				 text, (long long)spec.value, (long long)own, (long long)limit);
	*threshold = spec.value * own;
	return 0;
}

unsigned int zone_phases(const struct kind_args *args)
{
	int64_t begins = setting_value(args->settings, "pressure");

	return begins == PRESSURE_OFF || begins == PRESSURE_ON ? 1 : 2;
}

double zone_phase_start_pct(const struct kind_args *args, unsigned int phase)
{
	return phase == 0 ? 0 : (double)setting_value(args->settings, "pressure");
}

bool zone_is_short(const struct kind_args *args, unsigned int phase)
{
	return phase == 1 || setting_value(args->settings, "pressure") == PRESSURE_ON;
}

const char *zone_phase_name(const struct kind_args *args, unsigned int phase)
{
	return zone_is_short(args, phase) ? "pressure" : "normal";
}

int64_t zone_phase_threshold(const struct kind_args *args, unsigned int phase)
{
	if (!zone_is_short(args, phase))
		return args->batch;
	return zone_pressure_threshold(zone_managed_bytes(args), args->memory_bytes, args->cpus);
}

int64_t zone_stat_interval_ns(const struct kind_args *args)
{
	return setting_value(args->settings, "stat-interval");
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* lru_options.c - the settings of the kind "lru". */
#include "counters/lru_options.h"

#include "counters/batch.h"
#include "counters/lru_page.h"

const struct option_row lru_options[] = {
	{ .name = "drain-interval",
	  .arg = "TIME|off",
	  .help = "how often the vectors of all CPUs are drained, as lru_add_drain_all (off)",
	  .type = OPTION_TIME,
	  .low = 1000000,
	  .high = 3600000000000,
	  .fallback = 0 },
	OPTION_END,
};

int lru_parse_batch(const char *text, const struct kind_args *args, int64_t *batch,
		    struct error *error)
{
	struct batch_spec spec;

	(void)args;
	if (batch_parse(text, LRU_BATCH_LIMIT, &spec, error) != 0)
		return -1;
	if (spec.form == BATCH_DEFAULT)
		spec.value = LRU_BATCH_DEFAULT;
	else if (spec.form == BATCH_MULTIPLE)
		spec.value *= LRU_BATCH_DEFAULT;
	if (spec.value > LRU_BATCH_LIMIT)
		return error_set(error,
				 "--batch=%s: a vector of %lld pages is too large: at most %d, "
				 "which is %dx",
				 text, (long long)spec.value, LRU_BATCH_LIMIT,
				 LRU_BATCH_LIMIT / LRU_BATCH_DEFAULT);
	*batch = spec.value;
	return 0;
}

int64_t lru_drain_ns(const struct kind_args *args)
{
	return setting_value(args->settings, "drain-interval");
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* batch.c - parsing one item of --batch. */
#include "counters/batch.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

int batch_parse(const char *text, int64_t limit, struct batch_spec *spec, struct error *error)
{
	char *end;

	*spec = (struct batch_spec){ .form = BATCH_DEFAULT };
	if (strcmp(text, "default") == 0)
		return 0;
	if (!isdigit((unsigned char)text[0]))
		return error_set(error,
				 "--batch=%s: give a multiple as 64x, a number as 4096, or default",
				 text);
	errno = 0;
	spec->value = strtoll(text, &end, 10);
	spec->form = strcmp(end, "x") == 0 ? BATCH_MULTIPLE : BATCH_NUMBER;
	if (spec->form == BATCH_NUMBER && *end)
		return error_set(error,
				 "--batch=%s: '%s' is no unit: give a multiple as 64x, a number as "
				 "4096, or default",
				 text, end);
	if (spec->value < 1)
		return error_set(error, "--batch=%s: must be at least 1", text);
	if (errno == ERANGE || spec->value > limit)
		return error_set(error, "--batch=%s: must be at most %lld", text, (long long)limit);
	return 0;
}

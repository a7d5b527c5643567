// SPDX-License-Identifier: GPL-2.0-or-later
/* kernel.c - the running kernel's knobs over a plan. */
#include "runner/kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PREFIX_LENGTH (sizeof("kernel-") - 1)

bool kernel_is_wanted(const struct config *config)
{
	for (int id = 0; id < KNOBS; id++)
		if (config->knobs[id].count)
			return true;
	return false;
}

static void describe_all(const struct config *config, char *text, size_t size)
{
	size_t used = 0;

	for (int id = 0; id < KNOBS; id++)
		for (unsigned int i = 0; i < config->knobs[id].count && used < size; i++)
			used += (size_t)snprintf(text + used, size - used, "%s--%s=%s",
						 used ? " " : "", knobs[id].option,
						 config->knobs[id].item[i]);
}

static bool never_is_now(void)
{
	FILE *file = fopen("/proc/sys/vm/overcommit_memory", "re");
	bool never = file && fgetc(file) == '2';

	if (file)
		fclose(file);
	return never;
}

static bool wants_never(const struct config *config)
{
	const struct list *policies = &config->knobs[KNOB_POLICY];

	for (unsigned int i = 0; i < policies->count; i++)
		if (strcmp(policies->item[i], "never") == 0)
			return true;
	return policies->count == 0 && config->knobs[KNOB_RATIO].count > 0 && never_is_now();
}

/* Every ratio that NEVER will be tried with. */
static int check_never(const struct config *config, const struct needs *needs, struct error *error)
{
	const struct list *ratios = &config->knobs[KNOB_RATIO];

	if (!wants_never(config))
		return 0;
	if (ratios->count == 0)
		return preflight_check_commit("", needs, -1, error);
	for (unsigned int i = 0; i < ratios->count; i++)
		if (preflight_check_commit("", needs, strtol(ratios->item[i], NULL, 10), error) !=
		    0)
			return -1;
	return 0;
}

int kernel_open(struct kernel *kernel, const struct config *config, const struct needs *needs,
		struct error *error)
{
	struct knob_request request = { .root = "",
					.want = kernel->want,
					.command = config->command };

	*kernel = (struct kernel){ .guard = NULL };
	if (!kernel_is_wanted(config))
		return 0;
	if (check_never(config, needs, error) != 0)
		return -1;
	describe_all(config, kernel->want, sizeof(kernel->want));
	for (int id = 0; id < KNOBS; id++) {
		request.wanted[id] = config->knobs[id].count > 0;
		request.alone = request.alone || config->knobs[id].count > 1;
	}
	kernel->guard = knobs_open(&request, error);
	return kernel->guard ? 0 : -1;
}

static struct knob_values values_of(const struct point *point)
{
	struct knob_values values;

	memcpy(values.text, point->knob, sizeof(values.text));
	return values;
}

int kernel_set(const struct kernel *kernel, const struct point *point, struct error *error)
{
	struct knob_values values = values_of(point);

	return kernel->guard ? knobs_set(kernel->guard, &values, error) : 0;
}

int kernel_check(const struct kernel *kernel, const struct point *point, struct error *error)
{
	struct knob_values values = values_of(point);

	return kernel->guard ? knobs_check(kernel->guard, &values, error) : 0;
}

int kernel_close(struct kernel *kernel, struct error *error)
{
	struct knob_guard *guard = kernel->guard;

	kernel->guard = NULL;
	return guard ? knobs_close(guard, error) : 0;
}

void kernel_describe(const struct point *point, char *text, size_t size)
{
	size_t used = 0;

	text[0] = '\0';
	for (int id = 0; id < KNOBS; id++)
		if (point->knob[id] && used < size)
			used += (size_t)snprintf(text + used, size - used, "%s%s=%s",
						 used ? " " : "", knobs[id].option + PREFIX_LENGTH,
						 point->knob[id]);
}

/* Both are items of one list: the same text is the same item. */
bool kernel_is_same(const struct point *a, const struct point *b)
{
	for (int id = 0; id < KNOBS; id++)
		if (a->knob[id] != b->knob[id])
			return false;
	return true;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* commit_options.c - the settings of the kind "commit" and what follows from them. */
#include "counters/commit_options.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "counters/batch.h"

/* A switch as one number: the new policy, and above it the percent of the run where it happens. */
#define SWITCH_NONE (-1)
#define SWITCH_PERCENT 256

static int parse_switch(const char *text, int64_t *value, struct error *error)
{
	for (int policy = 0; policy < OVERCOMMIT_POLICIES; policy++) {
		size_t length = strlen(overcommit_policies[policy]);
		char *end;
		long percent;

		if (strncmp(text, overcommit_policies[policy], length) != 0 || text[length] != '@')
			continue;
		percent = strtol(text + length + 1, &end, 10);
		if (!isdigit((unsigned char)text[length + 1]) || percent < 1 || percent > 99 ||
		    strcmp(end, "%") != 0)
			break;
		*value = policy + percent * SWITCH_PERCENT;
		return 0;
	}
	return error_set(error, "give guess, always or never and where in the run, as never@50%%");
}

static const char *const switches[] = { "never@50%", "guess@50%", "always@50%", NULL };

const struct option_row commit_options[] = {
	{ .name = "policy",
	  .arg = "guess|always|never",
	  .help = "overcommit policy of the modelled accounting (guess)",
	  .type = OPTION_CHOICE,
	  .choices = overcommit_policies,
	  .fallback = OVERCOMMIT_GUESS,
	  .is_column = true },
	{ .name = "policy-switch",
	  .arg = "POLICY@N%",
	  .help = "change the policy while the run goes on, as never@50%: one row per phase",
	  .type = OPTION_PARSED,
	  .parse = parse_switch,
	  .tries = switches,
	  .fallback = SWITCH_NONE },
	{ .name = "overcommit-ratio",
	  .arg = "PERCENT",
	  .help = "share of memory that never may commit (50)",
	  .type = OPTION_NUMBER,
	  .low = 0,
	  .high = 1000,
	  .fallback = 50 },
	{ .name = "overcommit-kbytes",
	  .arg = "KIB",
	  .help = "the same as a number of KiB; 0: use the ratio (0)",
	  .type = OPTION_NUMBER,
	  .low = 0,
	  .high = INT64_MAX / 4096,
	  .fallback = 0 },
	{ .name = "swap",
	  .arg = "SIZE",
	  .help = "swap of the modelled machine (0)",
	  .type = OPTION_SIZE,
	  .low = 0,
	  .high = INT64_MAX / 4096,
	  .fallback = 0 },
	{ .name = "admin-reserve",
	  .arg = "SIZE",
	  .help = "kept from tasks without cap-sys-admin under never (8M)",
	  .type = OPTION_SIZE,
	  .low = 0,
	  .high = INT64_MAX / 4096,
	  .fallback = 8 << 20 },
	{ .name = "user-reserve",
	  .arg = "SIZE",
	  .help = "most that is kept from one process under never (128M)",
	  .type = OPTION_SIZE,
	  .low = 0,
	  .high = INT64_MAX / 4096,
	  .fallback = 128 << 20 },
	{ .name = "cap-sys-admin",
	  .arg = "0|1",
	  .help = "tasks have the capability, and so the admin reserve (0)",
	  .type = OPTION_NUMBER,
	  .low = 0,
	  .high = 1,
	  .fallback = 0 },
	OPTION_END,
};

int64_t commit_policy_batch(const struct kind_args *args, enum overcommit_policy policy)
{
	return overcommit_batch(args->memory_bytes / PAGE_BYTES, args->cpus,
				overcommit_multiple(policy));
}

int commit_parse_batch(const char *text, const struct kind_args *args, int64_t *batch,
		       struct error *error)
{
	struct batch_spec spec;

	if (batch_parse(text, COMMIT_BATCH_LIMIT, &spec, error) != 0)
		return -1;
	if (spec.form == BATCH_NUMBER)
		*batch = spec.value;
	else if (spec.form == BATCH_DEFAULT)
		*batch = commit_policy_batch(args, commit_policy(args, 0));
	else
		*batch = overcommit_batch(args->memory_bytes / PAGE_BYTES, args->cpus, spec.value);
	return 0;
}

unsigned int commit_phases(const struct kind_args *args)
{
	return setting_value(args->settings, "policy-switch") == SWITCH_NONE ? 1 : 2;
}

double commit_phase_start_pct(const struct kind_args *args, unsigned int phase)
{
	int64_t change = setting_value(args->settings, "policy-switch");

	return phase == 0 ? 0 : (double)(change / SWITCH_PERCENT);
}

enum overcommit_policy commit_policy(const struct kind_args *args, unsigned int phase)
{
	if (phase == 0)
		return (enum overcommit_policy)setting_value(args->settings, "policy");
	return (enum overcommit_policy)(setting_value(args->settings, "policy-switch") %
					SWITCH_PERCENT);
}

const char *commit_policy_name(const struct kind_args *args, unsigned int phase)
{
	return overcommit_policies[commit_policy(args, phase)];
}

struct overcommit_limits commit_limits(const struct kind_args *args)
{
	const struct settings *settings = args->settings;
	int64_t memory = args->memory_bytes / PAGE_BYTES;
	int64_t swap = setting_value(settings, "swap") / PAGE_BYTES;

	return (struct overcommit_limits){
		.memory = memory,
		.swap = swap,
		.commit_limit =
			overcommit_limit(memory, swap, setting_value(settings, "overcommit-ratio"),
					 setting_value(settings, "overcommit-kbytes")),
		.admin_reserve = setting_value(settings, "admin-reserve") / PAGE_BYTES,
		.user_reserve = setting_value(settings, "user-reserve") / PAGE_BYTES,
		.cap_sys_admin = setting_value(settings, "cap-sys-admin"),
	};
}

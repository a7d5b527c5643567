// SPDX-License-Identifier: GPL-2.0-or-later
/* options.c - the runner's own options. */
#include "runner/options.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "counters/overcommit.h"
#include "machine/run.h"
#include "runner/options_host.h"
#include "runner/units.h"

#define SIZE_MOST (1ULL << 40)	      /* a count of pages must not leave 64 bits unseen */
#define DURATION_LEAST_NS 10000	      /* simulated: an interval takes a whole number of ns */
#define ONLY_LONG (256 + __COUNTER__) /* a key of its own for what has no short form */

int list_parse(struct list *list, const char *text, struct error *error)
{
	for (;; text++) {
		size_t length = strcspn(text, ",");

		if (length == 0)
			return error_set(error, "an item of the list is empty: give a,b,c");
		if (list->count == LIST_ITEMS)
			return error_set(error, "more than %d items in the list", LIST_ITEMS);
		list->item[list->count] = strndup(text, length);
		if (!list->item[list->count])
			return error_set(error, "no memory");
		list->count++;
		text += length;
		if (!*text)
			return 0;
	}
}

void list_free(struct list *list)
{
	for (unsigned int i = 0; i < list->count; i++)
		free((void *)list->item[i]);
}

static int index_of(const char *const *names, const char *text, struct error *error)
{
	char all[160] = "";

	for (int i = 0; names[i]; i++) {
		size_t used = strlen(all);

		if (strcmp(names[i], text) == 0)
			return i;
		snprintf(all + used, sizeof(all) - used, "%s%s", i ? ", " : "", names[i]);
	}
	return error_set(error, "must be one of %s", all);
}

static int within(int64_t value, int64_t low, int64_t high, struct error *error)
{
	if (value < low || value > high)
		return error_set(error, "must be from %lld to %lld", (long long)low,
				 (long long)high);
	return 0;
}

static int within_time(int64_t ns, int64_t low, int64_t high, struct error *error)
{
	char least[UNITS_TEXT], most[UNITS_TEXT];

	if (ns >= low && ns <= high)
		return 0;
	units_format_ns((uint64_t)low, least, sizeof(least));
	units_format_ns((uint64_t)high, most, sizeof(most));
	return error_set(error, "must be off, or from %s to %s", least, most);
}

int setting_parse(struct setting *setting, const char *text, struct error *error)
{
	const struct option_row *row = setting->row;
	unsigned int count;
	uint64_t bytes; /* or ns */
	int choice;

	setting->text = text;
	switch (row->type) {
	case OPTION_NUMBER:
		if (units_count(text, 0, UINT_MAX, &count, error) != 0)
			return -1;
		setting->value = count;
		return within(setting->value, row->low, row->high, error);
	case OPTION_SIZE:
		if (units_size(text, &bytes, error) != 0)
			return -1;
		setting->value = bytes > INT64_MAX ? INT64_MAX : (int64_t)bytes;
		return within(setting->value, row->low, row->high, error);
	case OPTION_TIME:
		setting->value = 0;
		if (strcmp(text, "off") == 0)
			return 0;
		if (units_duration(text, &bytes, error) != 0)
			return -1;
		setting->value = bytes > INT64_MAX ? INT64_MAX : (int64_t)bytes;
		return within_time(setting->value, row->low, row->high, error);
	case OPTION_CHOICE:
		choice = index_of(row->choices, text, error);
		setting->value = choice;
		return choice < 0 ? -1 : 0;
	case OPTION_PARSED:
		return row->parse(text, &setting->value, error);
	}
	return 0;
}

static int set_counters(struct config *config, const char *arg, struct error *error)
{
	return list_parse(&config->counters, arg, error);
}

static int set_batches(struct config *config, const char *arg, struct error *error)
{
	return list_parse(&config->batches, arg, error);
}

static int set_tasks(struct config *config, const char *arg, struct error *error)
{
	(void)error;
	config->tasks_text = arg;
	return 0;
}

static int set_mode(struct config *config, const char *arg, struct error *error)
{
	static const char *const names[] = { "process", "thread", "both", NULL };
	static const unsigned int modes[] = { M_PROCESS, M_THREAD, M_PROCESS | M_THREAD };
	int index = index_of(names, arg, error);

	if (index < 0)
		return -1;
	config->modes = modes[index];
	config->modes_given = true;
	return 0;
}

static int set_size(struct config *config, const char *arg, struct error *error)
{
	if (units_size(arg, &config->size, error) != 0)
		return -1;
	if (config->size == 0 || config->size % PAGE_BYTES || config->size > SIZE_MOST)
		return error_set(error,
				 "must be a multiple of the page, %d bytes, up to 1T, as 128M",
				 PAGE_BYTES);
	return 0;
}

static int set_placement(struct config *config, const char *arg, struct error *error)
{
	const char *names[PLACEMENT_COUNT + 1] = { NULL };
	int index;

	memcpy(names, placement_names, sizeof(placement_names[0]) * PLACEMENT_COUNT);
	index = index_of(names, arg, error);
	if (index < 0)
		return -1;
	config->placement = (enum placement)index;
	return 0;
}

static int set_cpus(struct config *config, const char *arg, struct error *error)
{
	(void)error;
	config->cpus_text = arg;
	return 0;
}

static int set_machine(struct config *config, const char *arg, struct error *error)
{
	(void)error;
	config->machine = arg;
	return 0;
}

static int set_readers(struct config *config, const char *arg, struct error *error)
{
	return units_count(arg, 0, TASKS_LIMIT, &config->readers, error);
}

static int set_read(struct config *config, const char *arg, struct error *error)
{
	static const char *const names[] = { "approx", "exact", NULL };
	int index = index_of(names, arg, error);

	config->read_exact = index == 1;
	return index < 0 ? -1 : 0;
}

static int set_duration(struct config *config, const char *arg, struct error *error)
{
	if (units_duration(arg, &config->duration_ns, error) != 0)
		return -1;
	config->duration_given = true;
	if (config->duration_ns < DURATION_LEAST_NS)
		return error_set(error, "must be at least 10us, and 1ms natively");
	return 0;
}

static int set_warmup(struct config *config, const char *arg, struct error *error)
{
	config->warmup_auto = strcmp(arg, "auto") == 0;
	config->warmup_given = true;
	config->warmup_ns = 0;
	return config->warmup_auto ? 0 : units_duration(arg, &config->warmup_ns, error);
}

static int set_precision(struct config *config, const char *arg, struct error *error)
{
	if (units_percent(arg, &config->precision_pct, error) != 0)
		return -1;
	if (config->precision_pct <= 0)
		return error_set(error, "must be more than 0%%, as 1%%");
	return 0;
}

static int set_within(struct config *config, const char *arg, struct error *error)
{
	if (units_percent(arg, &config->within_pct, error) != 0)
		return -1;
	if (config->within_pct <= 0 || config->within_pct >= 100)
		return error_set(error, "must be more than 0%% and less than 100%%, as 5%%");
	return 0;
}

static int set_repeat(struct config *config, const char *arg, struct error *error)
{
	return units_count(arg, 1, 10000, &config->repeat, error);
}

static int set_seed(struct config *config, const char *arg, struct error *error)
{
	unsigned int seed;

	if (units_count(arg, 0, UINT_MAX, &seed, error) != 0)
		return -1;
	config->seed = seed;
	return 0;
}

static int set_seeds(struct config *config, const char *arg, struct error *error)
{
	return units_count(arg, 1, 1000000000, &config->seeds, error);
}

static int set_timeout(struct config *config, const char *arg, struct error *error)
{
	if (units_duration(arg, &config->timeout_ns, error) != 0)
		return -1;
	return config->timeout_ns ? 0 : error_set(error, "must be more than 0s, as 60s");
}

static int set_resume(struct config *config, const char *arg, struct error *error)
{
	config->resume = arg;
	return *arg ? 0 : error_set(error, "give the results file to go on with");
}

static int set_wis(struct config *config, const char *arg, struct error *error)
{
	config->wis = arg;
	return *arg ? 0 : error_set(error, "give a folder of testcases, as will-it-scale's tests");
}

static int set_tmpdir(struct config *config, const char *arg, struct error *error)
{
	config->tmpdir = arg;
	return *arg ? 0 : error_set(error, "give a folder that can be written");
}

static int set_output(struct config *config, const char *arg, struct error *error)
{
	config->output = arg;
	return *arg ? 0 : error_set(error, "give a file, or - for standard output");
}

static int set_format(struct config *config, const char *arg, struct error *error)
{
	int index = index_of(format_names, arg, error);

	if (index < 0)
		return -1;
	config->format = (enum output_format)index;
	config->format_given = true;
	return 0;
}

static int set_progress(struct config *config, const char *arg, struct error *error)
{
	static const char *const names[] = { "auto", "always", "never", NULL };
	int index = index_of(names, arg, error);

	if (index < 0)
		return -1;
	config->progress = (enum progress_when)index;
	return 0;
}

static int set_chart(struct config *config, const char *arg, struct error *error)
{
	config->chart = true;
	config->chart_dir = arg;
	return !arg || *arg ? 0 : error_set(error, "give a folder, or leave out the =");
}

static int set_aslr(struct config *config, const char *arg, struct error *error)
{
	static const char *const names[] = { "off", "on", NULL };
	int index = index_of(names, arg, error);

	config->aslr_on = index == 1;
	return index < 0 ? -1 : 0;
}

static int set_dry_run(struct config *config, const char *arg, struct error *error)
{
	(void)arg, (void)error;
	config->dry_run = true;
	return 0;
}

const struct flag flags[] = {
	{ "counter", 'c', "NAME,...|all",
	  "counters of the testcase's kind; none is the workload alone", set_counters },
	{ "batch", 'b', "64x,4096,default",
	  "multiples of the kind's rule, numbers, or the kernel's own", set_batches },
	{ "tasks", 't', "1,2|1..144:8|50%|all", "task counts (powers of two up to all, and all)",
	  set_tasks },
	{ "mode", 'm', "process|thread|both", "what a task is (process)", set_mode },
	{ "size", 's', "SIZE", "of a mapping, or of what is charged, where the testcase has one",
	  set_size },
	{ "placement", ONLY_LONG, "core|pu|spread|none", "how tasks are spread over CPUs (core)",
	  set_placement },
	{ "cpus", ONLY_LONG, "LIST", "only these CPUs, as 0-3,8", set_cpus },
	{ "machine", ONLY_LONG, "native|NAME|FILE.ini",
	  "this host, or one simulated by its profile; topo also takes FILE.xml and synthetic:...",
	  set_machine },
	{ "memory", ONLY_LONG, "SIZE", "compute batch and limits for this much memory",
	  set_memory },
	{ "cpu-count", ONLY_LONG, "N", "compute the batch for this many CPUs", set_cpu_count },
	{ "nodes", ONLY_LONG, "N", "count by this many NUMA nodes, tasks dealt evenly to them",
	  set_nodes },
	{ "readers", ONLY_LONG, "N", "extra tasks that read the counter (0)", set_readers },
	{ "read", ONLY_LONG, "approx|exact", "what they read (approx)", set_read },
	{ "duration", 'd', "TIME", "measured time of a point (5s; simulated 20ms)", set_duration },
	{ "warmup", ONLY_LONG, "auto|TIME", "before it; auto ends once rates have settled",
	  set_warmup },
	{ "precision", ONLY_LONG, "PERCENT", "stop early once the 95 % interval is that narrow",
	  set_precision },
	{ "within", ONLY_LONG, "PERCENT", "of the ceiling, where tune calls a batch enough (5%)",
	  set_within },
	{ "repeat", ONLY_LONG, "N", "runs of each point (1)", set_repeat },
	{ "seed", ONLY_LONG, "N", "of the order of points and of tasks' random numbers (1)",
	  set_seed },
	{ "seeds", ONLY_LONG, "N", "schedules that explore runs, from --seed on (1000)",
	  set_seeds },
	{ "timeout", ONLY_LONG, "TIME", "a point that takes longer fails", set_timeout },
	{ "resume", ONLY_LONG, "FILE",
	  "keep its rows, run what is missing of the same command, append it", set_resume },
	{ "wis", ONLY_LONG, "DIR",
	  "testcases in will-it-scale's form: DIR/NAME.c; all is every file", set_wis },
	{ "tmpdir", ONLY_LONG, "DIR", "where those make their files (TMPDIR, or /tmp)",
	  set_tmpdir },
	{ "output", 'o', "FILE|-", "where rows go (a new file in results/)", set_output },
	{ "format", ONLY_LONG, "csv|json|will-it-scale", "of the output, and of list (csv)",
	  set_format },
	{ "progress", ONLY_LONG, "auto|always|never", "a progress bar on standard error (auto)",
	  set_progress },
	{ "aslr", ONLY_LONG, "off|on", "address-space randomisation during the run (off)",
	  set_aslr },
	{ "chart", ONLY_LONG, "?DIR", "draw charts of the rows at the end (beside the file)",
	  set_chart },
	{ "kernel-policy", ONLY_LONG, "guess|always|never",
	  "the running kernel's own vm.overcommit_memory, a list for several (root)",
	  set_kernel_policy },
	{ "kernel-overcommit-ratio", ONLY_LONG, "N", "its vm.overcommit_ratio (root)",
	  set_kernel_ratio },
	{ "kernel-numa-stat", ONLY_LONG, "0|1", "its vm.numa_stat (root)", set_kernel_numa_stat },
	{ "profile", ONLY_LONG, NULL,
	  "where the measured time goes: by symbol and call site, simulated by line and field",
	  set_profile },
	{ "dry-run", ONLY_LONG, NULL, "print the plan and how long it will take", set_dry_run },
	{ NULL, 0, NULL, NULL, NULL },
};

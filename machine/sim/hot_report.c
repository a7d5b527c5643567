// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * hot_report.c - hot lines by field, the most expensive first: for people with the slots' blocks
 * taken together, and as rows with each line by itself.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/sim/hot_uses.h"
#include "machine/sim/sim.h"

#define TOP_LINES 12 /* told to people */

const char sim_hot_columns[] = "line,field,false_sharing,writes,dirty_reads,clean_reads,stall_ns,"
			       "waits,wait_ns,writers,readers,top_writers,top_readers";

/* Neighbours in the order of uses: a line, or the lines at the same place of all blocks. */
struct group {
	const struct hot_use *first, *end;
	struct sim_hot sum;
};

static bool same_group(const struct hot_use *a, const struct hot_use *b)
{
	return a->is_block == b->is_block && a->place == b->place;
}

static uint64_t cost(const struct sim_hot *sum)
{
	return sum->stall_ps + sum->wait_ps;
}

static int dearest_first(const void *left, const void *right)
{
	const struct group *a = left, *b = right;

	if (cost(&a->sum) != cost(&b->sum))
		return cost(&a->sum) > cost(&b->sum) ? -1 : 1;
	return (a->first > b->first) - (a->first < b->first);
}

static struct group *make_groups(const struct hot_uses *uses, uint32_t *count)
{
	struct group *groups = calloc(uses->count + 1, sizeof(*groups));

	*count = 0;
	for (uint32_t i = 0; i < uses->count && groups; i++) {
		const struct hot_use *use = &uses->list[i];

		if (*count == 0 || !same_group(groups[*count - 1].first, use))
			groups[(*count)++].first = use;
		groups[*count - 1].end = use + 1;
		hot_add(&groups[*count - 1].sum, &use->sum);
	}
	if (groups)
		qsort(groups, *count, sizeof(*groups), dearest_first);
	return groups;
}

static double share_pct(const struct sim_hot_all *all, uint64_t ps)
{
	return all->window_ps ? 100.0 * (double)ps / (double)all->window_ps / sim->task_cpus : 0;
}

static double per_op(const struct sim_hot_all *all, uint64_t count)
{
	return all->ops ? (double)count / (double)all->ops : 0;
}

/* The figures of a line or field, `name` before and who behind them. */
static void print_sum(FILE *out, const struct sim_hot_all *all, const char *name,
		      const struct sim_hot *sum, const char *writers, const char *readers)
{
	fprintf(out, "%-34s %8.3f %8.3f %7.1f%% %8.3f %7.1f%%%s%-24s%s%s\n", name,
		per_op(all, sum->writes + sum->dirty_reads), per_op(all, sum->clean_reads),
		share_pct(all, sum->stall_ps), per_op(all, sum->waits),
		share_pct(all, sum->wait_ps), *writers || *readers ? "  " : "",
		*writers || *readers ? writers : "", *readers ? "  " : "", readers);
}

static void print_field(FILE *out, const struct sim_hot_all *all, const struct hot_use *first,
			const struct hot_use *end)
{
	struct sim_hot sum = { 0 };
	char writers[HOT_WHO], readers[HOT_WHO], name[SIM_NAME + 12];

	for (const struct hot_use *use = first; use < end; use++)
		hot_add(&sum, &use->sum);
	hot_tell_who(all, first, end, true, false, writers);
	hot_tell_who(all, first, end, false, false, readers);
	snprintf(name, sizeof(name), "  %s%s%s", first->is_block ? "task[*]" : "",
		 first->is_block && first->field.is_named ? "." : "", first->field.name);
	print_sum(out, all, name, &sum, writers, readers);
}

static void print_group(FILE *out, const struct sim_hot_all *all, const struct group *group)
{
	const struct hot_use *first = group->first;
	bool is_false = false;
	uint32_t lines = 0, last = UINT32_MAX;
	char name[SIM_NAME], count[32] = "";

	/* Fields of one place come together, each with its uses in the order of lines. */
	for (const struct hot_use *use = first; use < group->end; use++) {
		is_false |= use->is_false;
		lines += use->field.first == first->field.first && use->line != last;
		last = use->line;
	}
	hot_name_line(first, true, name);
	if (first->is_block)
		snprintf(count, sizeof(count), ", %u lines", lines);
	snprintf(name + strlen(name), sizeof(name) - strlen(name), "%s", count);
	print_sum(out, all, name, &group->sum, "", "");
	if (is_false)
		fprintf(out, "  (false sharing: fields that no task uses both of)\n");
	for (const struct hot_use *use = first, *next; use < group->end; use = next) {
		for (next = use + 1; next < group->end; next++)
			if (next->field.first != use->field.first)
				break;
		print_field(out, all, use, next);
	}
}

static void print_text(FILE *out, const struct sim_hot_all *all, const struct group *groups,
		       uint32_t count)
{
	struct sim_hot rest = { 0 };
	char name[SIM_NAME];

	fprintf(out, "%-34s %8s %8s %8s %8s %8s  %-24s  %s\n", "line, field", "moves/op",
		"reads/op", "stalled", "waits/op", "waited", "written by", "read by");
	for (uint32_t i = 0; i < count; i++) {
		if (i < TOP_LINES)
			print_group(out, all, &groups[i]);
		else
			hot_add(&rest, &groups[i].sum);
	}
	if (count == 0)
		fprintf(out, "no line left a CPU's own cache\n");
	if (count <= TOP_LINES)
		return;
	snprintf(name, sizeof(name), "%u more", count - TOP_LINES);
	print_sum(out, all, name, &rest, "", "");
}

char *sim_hot_text(const struct sim_hot_all *all)
{
	struct hot_uses uses = hot_uses_by_place(all);
	uint32_t count;
	struct group *groups = uses.list ? make_groups(&uses, &count) : NULL;
	char *text = NULL;
	size_t size;
	FILE *out = groups ? open_memstream(&text, &size) : NULL;

	if (out) {
		print_text(out, all, groups, count);
		fclose(out);
	}
	free(groups);
	free(uses.list);
	return text;
}

static void print_row(FILE *out, const struct sim_hot_all *all, const struct hot_use *use)
{
	char line[SIM_NAME], field[SIM_NAME], writers[HOT_WHO], readers[HOT_WHO];
	unsigned int writer_count = hot_tell_who(all, use, use + 1, true, true, writers);
	unsigned int reader_count = hot_tell_who(all, use, use + 1, false, true, readers);

	hot_name_line(use, false, line);
	sim_name_field(&use->field, field);
	fprintf(out, "%s,%s,%d,%llu,%llu,%llu,%llu,%llu,%llu,%u,%u,%s,%s\n", line, field,
		use->is_false, (unsigned long long)use->sum.writes,
		(unsigned long long)use->sum.dirty_reads, (unsigned long long)use->sum.clean_reads,
		(unsigned long long)use->sum.stall_ps / 1000, (unsigned long long)use->sum.waits,
		(unsigned long long)use->sum.wait_ps / 1000, writer_count, reader_count, writers,
		readers);
}

char *sim_hot_rows(const struct sim_hot_all *all)
{
	struct hot_uses uses = hot_uses_by_line(all);
	char *text = NULL;
	size_t size;
	FILE *out = uses.list ? open_memstream(&text, &size) : NULL;

	for (uint32_t i = 0; i < uses.count && out; i++)
		print_row(out, all, &uses.list[i]);
	if (out)
		fclose(out);
	free(uses.list);
	return text;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* profile_report.c - from perf's samples to shares of the time by symbol and by call site. */
#include "machine/native/profile_report.h"

#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "machine/check.h"

#define FRAMES 64
#define SITE_FRAMES 5	 /* a lock, and four callers: from there on all call chains are alike */
#define SYMBOLS_SHOWN 12 /* for people */
#define SYMBOLS_KEPT 8	 /* in the row */
#define SMALLEST_PCT 0.05

/* A symbol or a call site: what was sampled right there, and in all below it too. */
struct share {
	char *name;
	char object[64];
	bool is_kernel, is_lock;
	uint64_t self, children;
	uint64_t sample; /* the last one that has counted in `children`: recursion counts once */
};

struct frame {
	char symbol[128], object[64];
};

struct report {
	const int *tids;
	size_t tid_count;
	void *symbols, *sites; /* trees of struct share */
	uint64_t samples, weight;
	char event[32];
	struct frame frame[FRAMES];
	unsigned int frames;
};

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct share *)a)->name, ((const struct share *)b)->name);
}

static int by_number(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	return (x > y) - (x < y);
}

/* Where whoever wants a lock spends its time: names of the kernel's, old and new. */
static bool is_lock(const struct frame *frame)
{
	static const char *const parts[] = { "spin_lock",     "lock_slowpath",	"rwsem_down_",
					     "rwsem_spin_on", "osq_lock",	"mutex_lock",
					     "mutex_spin_on", "_raw_read_lock", "_raw_write_lock",
					     "rt_mutex_slow" };

	if (frame->object[0] != '[')
		return false;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (strstr(frame->symbol, parts[i]))
			return true;
	return false;
}

static struct share *share_of(void **tree, const char *name, const struct frame *frame)
{
	struct share wanted = { .name = (char *)name };
	struct share **found = tsearch(&wanted, tree, by_name);
	struct share *share;

	CHECK(found);
	if (*found != &wanted)
		return *found;
	share = calloc(1, sizeof(*share));
	CHECK(share);
	share->name = strdup(name);
	CHECK(share->name);
	memcpy(share->object, frame->object, sizeof(share->object));
	share->is_kernel = frame->object[0] == '[';
	share->is_lock = is_lock(frame);
	*found = share;
	return share;
}

static void add_site(struct report *report, uint64_t weight)
{
	char site[SITE_FRAMES * 130] = "";
	unsigned int lock = 0;
	size_t used = 0;

	if (!is_lock(&report->frame[0]))
		return;
	/* A slow path is part of the lock that it was called by. */
	while (lock + 1 < report->frames && is_lock(&report->frame[lock + 1]))
		lock++;
	for (unsigned int i = lock; i < report->frames && i < lock + SITE_FRAMES; i++)
		used += (size_t)snprintf(site + used, sizeof(site) - used, "%s;",
					 report->frame[i].symbol);
	share_of(&report->sites, site, &report->frame[lock])->self += weight;
}

static void add_sample(struct report *report, uint64_t weight)
{
	if (report->frames == 0)
		return;
	report->samples++;
	report->weight += weight;
	for (unsigned int i = 0; i < report->frames; i++) {
		struct share *share =
			share_of(&report->symbols, report->frame[i].symbol, &report->frame[i]);

		if (i == 0)
			share->self += weight;
		if (share->sample != report->samples)
			share->children += weight;
		share->sample = report->samples;
	}
	add_site(report, weight);
}

/* "  ffffffff81650657 kmem_cache_alloc ([kernel.kallsyms])": the object is in the last brackets. */
static void add_frame(struct report *report, char *line)
{
	struct frame *frame = &report->frame[report->frames];
	char *symbol = line + strspn(line, " \t");
	char *object = strrchr(line, '(');
	const char *base;

	symbol += strcspn(symbol, " ");
	if (report->frames == FRAMES || !object || object <= symbol)
		return;
	symbol += strspn(symbol, " ");
	object[-1] = '\0';
	object++;
	object[strcspn(object, ")\n")] = '\0';
	base = object[0] == '[' ? object : strrchr(object, '/');
	base = base && base[0] == '/' ? base + 1 : object;
	snprintf(frame->symbol, sizeof(frame->symbol), "%s", symbol[0] ? symbol : "[unknown]");
	snprintf(frame->object, sizeof(frame->object), "%.60s", base);
	report->frames++;
}

static bool wanted(const struct report *report, int tid)
{
	return bsearch(&tid, report->tids, report->tid_count, sizeof(tid), by_number);
}

/* "PID/TID PERIOD EVENT:", then frames from the innermost outwards, then an empty line. */
static void read_samples(struct report *report, FILE *samples)
{
	char *line = NULL;
	size_t size = 0;
	uint64_t weight = 0;
	bool ours = false;

	while (getline(&line, &size, samples) > 0) {
		int pid, tid;

		if (sscanf(line, "%d/%d %" SCNu64 " %31[^ :\n]", &pid, &tid, &weight,
			   report->event) == 4) {
			report->frames = 0;
			ours = wanted(report, tid);
		} else if (ours && line[0] == '\n') {
			add_sample(report, weight);
			ours = false;
		} else if (ours) {
			add_frame(report, line);
		}
	}
	if (ours)
		add_sample(report, weight);
	free(line);
}

struct listing {
	struct share **list;
	size_t count;
};

static void collect(const void *node, VISIT visit, void *arg)
{
	struct listing *listing = arg;

	if (visit != preorder && visit != leaf)
		return;
	listing->list = reallocarray(listing->list, listing->count + 1, sizeof(*listing->list));
	CHECK(listing->list);
	listing->list[listing->count++] = *(struct share *const *)node;
}

/* Of a lock what was spent below it counts: its own instructions are few. */
static uint64_t rank(const struct share *share)
{
	return share->is_lock ? share->children : share->self;
}

static int by_rank(const void *left, const void *right)
{
	const struct share *a = *(struct share *const *)left, *b = *(struct share *const *)right;

	if (rank(a) != rank(b))
		return rank(a) < rank(b) ? 1 : -1;
	return strcmp(a->name, b->name);
}

static int by_self(const void *left, const void *right)
{
	const struct share *a = *(struct share *const *)left, *b = *(struct share *const *)right;

	if (a->self != b->self)
		return a->self < b->self ? 1 : -1;
	return strcmp(a->name, b->name);
}

static struct listing sorted(void *tree, int (*order)(const void *, const void *))
{
	struct listing listing = { NULL, 0 };

	twalk_r(tree, collect, &listing);
	if (listing.count)
		qsort(listing.list, listing.count, sizeof(*listing.list), order);
	return listing;
}

static double percent(const struct report *report, uint64_t weight)
{
	return 100.0 * (double)weight / (double)report->weight;
}

/* "name:12.34;..." by self; frames of a site are joined by <, since ; parts the items. */
static void write_column(const struct report *report, const struct listing *listing, char *text,
			 size_t size)
{
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < listing->count && i < SYMBOLS_KEPT; i++) {
		double pct = percent(report, listing->list[i]->self);
		char item[SITE_FRAMES * 130 + 16];
		size_t length;

		snprintf(item, sizeof(item), "%s", listing->list[i]->name);
		length = strlen(item);
		if (length && item[length - 1] == ';')
			item[--length] = '\0';
		for (char *c = item; *c; c++)
			if (*c == ';' || *c == ':')
				*c = *c == ';' ? '<' : '.';
		snprintf(item + length, sizeof(item) - length, ":%.2f", pct);
		if (pct < SMALLEST_PCT || used + strlen(item) + 2 > size)
			break;
		used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ";" : "", item);
	}
}

static void print_sites(const struct report *report, const struct listing *sites,
			const struct share *symbol, FILE *out)
{
	size_t length = strlen(symbol->name);

	for (size_t i = 0; i < sites->count; i++) {
		const struct share *site = sites->list[i];

		if (strncmp(site->name, symbol->name, length) == 0 && site->name[length] == ';' &&
		    percent(report, site->self) >= SMALLEST_PCT)
			fprintf(out, "    %6.2f%% %s\n", percent(report, site->self), site->name);
	}
}

static char *print(const struct report *report, const struct listing *symbols,
		   const struct listing *sites)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	CHECK(out);
	fprintf(out, "  %" PRIu64 " samples of %s\n  children     self  object\n", report->samples,
		report->event);
	for (size_t i = 0; i < symbols->count && i < SYMBOLS_SHOWN; i++) {
		const struct share *share = symbols->list[i];

		if (percent(report, rank(share)) < SMALLEST_PCT)
			break;
		fprintf(out, "   %6.2f%%  %6.2f%%  %-17s  [%c] %s\n",
			percent(report, share->children), percent(report, share->self),
			share->object, share->is_kernel ? 'k' : '.', share->name);
		if (share->is_lock)
			print_sites(report, sites, share, out);
	}
	fclose(out);
	return text;
}

static void free_share(void *share)
{
	free(((struct share *)share)->name);
	free(share);
}

int profile_read(FILE *samples, const int *tids, size_t count, struct m_profile *profile,
		 struct error *error)
{
	struct report report = { .tids = tids, .tid_count = count };
	struct listing ranked, symbols, sites;

	read_samples(&report, samples);
	if (report.weight == 0) {
		tdestroy(report.symbols, free_share);
		tdestroy(report.sites, free_share);
		return error_set(error, "--profile: perf took no sample in the measured window: "
					"give a longer --duration");
	}
	ranked = sorted(report.symbols, by_rank);
	symbols = sorted(report.symbols, by_self);
	sites = sorted(report.sites, by_self);
	memcpy(profile->event, report.event, sizeof(profile->event));
	write_column(&report, &symbols, profile->shares, sizeof(profile->shares));
	write_column(&report, &sites, profile->sites, sizeof(profile->sites));
	profile->text = print(&report, &ranked, &sites);
	free(ranked.list);
	free(symbols.list);
	free(sites.list);
	tdestroy(report.symbols, free_share);
	tdestroy(report.sites, free_share);
	return 0;
}

/* "12345,,cache-misses,...": what the machine does not have comes as <not supported>. */
void profile_read_counts(FILE *counts, struct m_profile *profile)
{
	char *line = NULL;
	size_t size = 0;

	while (getline(&line, &size, counts) > 0) {
		char event[64];
		uint64_t value;

		if (sscanf(line, "%" SCNu64 ",%*[^,],%63[^,]", &value, event) != 2 &&
		    sscanf(line, "%" SCNu64 ",,%63[^,]", &value, event) != 2)
			continue;
		if (strncmp(event, "cache-misses", 12) == 0) {
			profile->cache_misses += value;
			profile->has_cache_misses = true;
		} else {
			profile->hitm += value;
			profile->has_hitm = true;
		}
	}
	free(line);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fault.h - touching memory page by page, with the LRU model behind each real fault: a page that a
 * touch brings is added, a page that an unmap takes away is released. What the page table has is
 * kept beside it, in the slot's notes, with every counter alike.
 */
#ifndef TESTCASES_FAULT_H
#define TESTCASES_FAULT_H

#include "counters/kind.h"
#include "counters/lru_account.h"
#include "counters/overcommit.h"
#include "testcases/page.h"
#include "testcases/testcase.h"

#define HUGE_BYTES (LRU_COMPOUND_PAGES * PAGE_BYTES)

enum fault_source {
	FAULT_NOTHING, /* pages without memory */
	FAULT_ANONYMOUS,
	FAULT_PRIVATE_FILE, /* a copy of the file's page for each page written */
	FAULT_SHARED_FILE,  /* the file's own page, which outlives the mapping */
};

enum thp {
	THP_OFF,
	THP_ON,
	THP_SYSTEM,
};

static const char *const thp_names[] = { "off", "on", "system", NULL };
static const char *const file_pages_names[] = { "keep", "drop", NULL };

#define THP_OPTION                                                                                 \
	{                                                                                          \
		.name = "thp", .arg = "off|on|system",                                             \
		.help = "transparent huge pages: refused, asked for, or as the host has it (off)", \
		.type = OPTION_CHOICE, .choices = thp_names, .fallback = THP_OFF, .always = true   \
	}

#define FILE_DIR_OPTION                                                                    \
	{                                                                                  \
		.name = "file-dir", .arg = "DIR",                                          \
		.help = "where files that are mapped are made, without names (in memory)", \
		.type = OPTION_PARSED, .parse = option_parse_folder                        \
	}

struct fault {
	struct task *task;
	enum fault_source source;
	int64_t size, pages;
	bool has_lru; /* the counter counts */
	bool huge;    /* huge pages are in force: a touch brings LRU_COMPOUND_PAGES */
	bool refuse_huge, ask_huge;
	bool drops_file;	 /* the pages of a shared file go with the mapping */
	struct page_source from; /* the nodes that pages come from */
	int file;
	m_area area;  /* where touches begin */
	m_area whole; /* what was mapped, and so many bytes of it */
	int64_t whole_size;
	int64_t *table; /* by page: its descriptor, 1 where nobody counts, 0: not there */
};

static inline const char *fault_cannot_run(const struct kind_args *args)
{
	if (setting_value(args->settings, "thp") == THP_ON && m_sys_huge_pages() == M_HUGE_NEVER)
		return "this machine has no transparent huge pages, or has them switched off";
	return page_cannot_run(args);
}

static inline const char *fault_file_cannot_run(const struct kind_args *args)
{
	if (setting_value(args->settings, "thp") != THP_OFF)
		return "huge pages are modelled in anonymous memory only";
	return fault_cannot_run(args);
}

static inline struct fault fault_open(struct task *t, enum fault_source source)
{
	const struct settings *settings = t->run->setup.settings;
	bool anonymous = source == FAULT_ANONYMOUS;
	enum thp thp = anonymous ? (enum thp)setting_value(settings, "thp") : THP_OFF;
	bool always = m_sys_huge_pages() == M_HUGE_ALWAYS;
	struct fault f = {
		.task = t,
		.source = source,
		.size = t->size,
		.pages = t->size / PAGE_BYTES,
		.has_lru = !counter_info.counts_nothing,
		.huge = thp == THP_ON || (thp == THP_SYSTEM && always),
		.ask_huge = thp == THP_ON,
		.refuse_huge = thp == THP_OFF && always,
		.from = page_source(t),
		.table = lru_notes(&lru_of(t)->base, t)->table,
	};

	if (source == FAULT_PRIVATE_FILE || source == FAULT_SHARED_FILE)
		f.file = m_sys_file_open(t, f.size);
	if (source == FAULT_SHARED_FILE)
		f.drops_file = setting_value(settings, "file-pages");
	return f;
}

/* Maps all of it; no page is touched. Huge pages need an area that begins where one can. */
static inline void fault_map(struct fault *f)
{
	struct task *t = f->task;

	f->whole_size = f->huge ? f->size + HUGE_BYTES : f->size;
	if (f->source == FAULT_ANONYMOUS)
		f->whole = m_sys_map(t, f->whole_size);
	else
		f->whole = m_sys_map_file(t, f->file, f->size, f->source == FAULT_SHARED_FILE);
	f->area = f->huge ? (f->whole + HUGE_BYTES - 1) / HUGE_BYTES * HUGE_BYTES : f->whole;
	if (f->ask_huge || f->refuse_huge)
		m_sys_advise_huge(t, f->whole, f->whole_size, f->ask_huge);
}

/* A huge page stands where its first page is. */
static inline int64_t *fault_entry(const struct fault *f, int64_t page)
{
	return &f->table[f->huge ? page / LRU_COMPOUND_PAGES * LRU_COMPOUND_PAGES : page];
}

static inline bool fault_is_there(const struct fault *f, int64_t page)
{
	return *fault_entry(f, page) != 0;
}

/* Puts a page there, as a fault does. */
static inline void fault_add(struct fault *f, int64_t page)
{
	int64_t *entry = fault_entry(f, page);

	if (f->has_lru)
		*entry = (int64_t)page_add(f->task, page_from(&f->from), f->huge);
	else
		*entry = 1;
}

/*
 * A touch, and what the kernel does in the fault if it is one. Only a write brings a page: what is
 * read before it was written is the zero page, which is on no list.
 */
static inline void fault_touch(struct fault *f, int64_t page, bool write)
{
	const int64_t *entry = fault_entry(f, page);
	m_area where = f->area + (m_area)(page * PAGE_BYTES);

	if (*entry || !write) {
		m_sys_touch(f->task, where, write);
		return;
	}
	m_sys_fault(f->task, where);
	fault_add(f, page);
}

/* Releases the pages that are there among `count` from `first` on, in batches. */
static inline void fault_release(struct fault *f, int64_t first, int64_t count)
{
	struct lru_page *gathered[LRU_BATCH_LIMIT];
	int64_t batch = lru_batch(lru_of(f->task));
	int64_t waiting = 0;

	for (int64_t page = first; page < first + count; page++) {
		if (!f->table[page])
			continue;
		gathered[waiting] = (struct lru_page *)f->table[page];
		f->table[page] = 0;
		if (!f->has_lru || ++waiting < batch)
			continue;
		pages_release(f->task, gathered, waiting);
		waiting = 0;
		task_safe_point(f->task);
	}
	if (waiting)
		pages_release(f->task, gathered, waiting);
}

/* Gives `count` pages back; the mapping stays. */
static inline void fault_discard(struct fault *f, int64_t first, int64_t count)
{
	m_sys_discard(f->task, f->area + (m_area)(first * PAGE_BYTES), count * PAGE_BYTES);
	fault_release(f, first, count);
}

/* Unmaps all of it, of which at most the first `touched` pages were touched. */
static inline void fault_unmap(struct fault *f, int64_t touched)
{
	bool stays = f->source == FAULT_SHARED_FILE && !f->drops_file;

	if (f->drops_file)
		m_sys_punch(f->task, f->whole, f->whole_size);
	m_sys_unmap(f->task, f->whole, f->whole_size);
	if (!stays)
		fault_release(f, 0, touched);
}

/* With the file go its pages. */
static inline void fault_close(struct fault *f)
{
	if (f->source == FAULT_ANONYMOUS)
		return;
	m_sys_file_close(f->task, f->file);
	fault_release(f, 0, f->pages);
}

/*
 * The loop of the page_fault testcases: an operation is one page. A round that is cut short by the
 * end of the run is left as it is, for the task's own end to take: all tasks at once releasing what
 * they have is no part of the workload.
 */
static inline void fault_loop(struct task *t, enum fault_source source)
{
	struct fault f = fault_open(t, source);

	while (task_running(t)) {
		int64_t touched = 0;

		fault_map(&f);
		while (touched < f.pages && task_running(t)) {
			fault_touch(&f, touched++, true);
			t->ops++;
		}
		if (touched < f.pages)
			return;
		fault_unmap(&f, touched);
	}
	fault_close(&f);
}

#endif

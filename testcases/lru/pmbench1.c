// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmbench1.c - random touches of a large mapping, each timed: an operation is one touch. A share of
 * them goes to new pages: a block of the mapping is given back, and new touches go through it until
 * no page of it is new any more. A block is as large as a huge page, so that pages are released in
 * batches, as by a process that gives memory back, and not one at a time.
 */
#include "testcases/fault.h"

#define BLOCK_PAGES LRU_COMPOUND_PAGES
#define BLOCK_STEP 205 /* odd, so that steps of it come to every page of a block */

enum pattern {
	PATTERN_UNIFORM,
	PATTERN_NORMAL,
	PATTERN_LINEAR,
};

static const char *const pattern_names[] = { "uniform", "normal", "linear", NULL };

static const struct option_row options[] = {
	REMOTE_OPTION,
	INTERLEAVE_OPTION,
	THP_OPTION,
	{ .name = "pattern",
	  .arg = "uniform|normal|linear",
	  .help = "which page a touch goes to (uniform)",
	  .type = OPTION_CHOICE,
	  .choices = pattern_names,
	  .fallback = PATTERN_UNIFORM,
	  .always = true },
	{ .name = "write",
	  .arg = "PERCENT",
	  .help = "share of touches that write; those of new pages always do (50)",
	  .type = OPTION_NUMBER,
	  .low = 0,
	  .high = 100,
	  .fallback = 50,
	  .always = true },
	{ .name = "rate",
	  .arg = "PERCENT",
	  .help = "share of touches that go to a new page, which is a fault (100)",
	  .type = OPTION_NUMBER,
	  .low = 0,
	  .high = 100,
	  .fallback = 100,
	  .always = true },
	OPTION_END,
};

static const char *cannot_run(const struct kind_args *args)
{
	if (args->size % HUGE_BYTES)
		return "it works in blocks of 2 MB: give a --size of whole blocks";
	return fault_cannot_run(args);
}

TESTCASE(.about = "random touches of 128 MB, some of new pages, with a latency histogram",
	 .size = MIB(128), .modes = PROCESS | THREAD, .has_latency = true, .options = options,
	 .cannot_run = cannot_run, .touches_size = true)

struct touches {
	struct fault fault;
	enum pattern pattern;
	int64_t write_pct, rate_pct;
	int64_t linear; /* how far a linear pattern has come, in pages and in blocks */
	int64_t linear_block;
	int64_t block;	/* first page of the block of new pages, */
	int64_t left;	/* how many of it have not been looked at, */
	int64_t offset; /* and where the steps through it are */
};

/* One of `count` by the pattern; `linear` is its place if that is the next one. */
static int64_t pick(enum pattern pattern, int64_t count, int64_t *linear)
{
	uint64_t bits;
	uint64_t sum = 0;

	if (pattern == PATTERN_LINEAR) {
		*linear = *linear + 1 < count ? *linear + 1 : 0;
		return *linear;
	}
	bits = m_random();
	if (pattern == PATTERN_UNIFORM)
		return (int64_t)((bits >> 32) * (uint64_t)count >> 32);
	/* Four numbers of 16 bits: their sum is near a normal one, in the middle of 2^18. */
	for (; bits; bits >>= 16)
		sum += bits & 0xffff;
	return (int64_t)(sum * (uint64_t)count >> 18);
}

/* True for so many percent of the calls. */
static bool chance(int64_t percent)
{
	return (int64_t)((m_random() >> 32) * 100 >> 32) < percent;
}

/* A page that is not there: of the block, or of the next one, which is given back for it. */
static int64_t new_page(struct touches *touches)
{
	struct fault *f = &touches->fault;
	int64_t page;

	do {
		if (touches->left == 0) {
			int64_t blocks = f->pages / BLOCK_PAGES;

			touches->block = BLOCK_PAGES *
					 pick(touches->pattern, blocks, &touches->linear_block);
			touches->left = BLOCK_PAGES;
			fault_discard(f, touches->block, BLOCK_PAGES);
		}
		touches->left--;
		touches->offset = (touches->offset + BLOCK_STEP) % BLOCK_PAGES;
		page = touches->block + touches->offset;
	} while (fault_is_there(f, page));
	return page;
}

static void touch(struct touches *touches)
{
	struct fault *f = &touches->fault;
	bool write = true;
	int64_t page, from, to;

	if (chance(touches->rate_pct)) {
		page = new_page(touches);
	} else {
		page = pick(touches->pattern, f->pages, &touches->linear);
		write = chance(touches->write_pct);
	}
	from = m_now();
	fault_touch(f, page, write);
	to = m_now();
	m_latency(f->task, to - from);
}

static void testcase(struct task *t)
{
	const struct settings *settings = t->run->setup.settings;
	struct touches touches = {
		.fault = fault_open(t, FAULT_ANONYMOUS),
		.pattern = (enum pattern)setting_value(settings, "pattern"),
		.write_pct = setting_value(settings, "write"),
		.rate_pct = setting_value(settings, "rate"),
	};

	fault_map(&touches.fault);
	while (task_running(t)) {
		touch(&touches);
		t->ops++;
	}
	fault_unmap(&touches.fault, touches.fault.pages);
}

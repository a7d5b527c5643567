// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * probes.c - loops that show what single things cost on this host. The calls are the testcases'
 * own, machine/native/sys.h; a path that is new there gets its loop in the table below.
 */
#include "machine/native/probes.h"

#include "machine/machine.h"

#define PAGE 4096
#define MAPPED (128LL << 20) /* as mmap1 */

static struct probe_shared *shared_of(const struct task *t)
{
	return t->counter;
}

/* A chunk that was too short says that all before it were, whatever they seemed to take. */
static __attribute__((noinline)) void end_chunk(struct task *t, struct probe_shared *shared)
{
	int64_t count = m_load(&shared->count);

	shared->now.ns = m_now() - shared->began_ns;
	if (shared->rounds == 0) {
		shared->rounds = 1;
	} else if (shared->now.ns < PROBE_CHUNK_NS) {
		shared->rounds *= 2;
		m_store(&shared->count, 0);
	} else if (count < PROBE_CHUNKS) {
		shared->chunk[count] = shared->now;
		m_store_release(&shared->count, count + 1);
	}
	shared->now = (struct probe_chunk){ .ns = 0 };
	shared->chunk_end = t->ops + (uint64_t)shared->rounds;
	shared->began_ns = m_now();
}

static inline void end_round(struct task *t)
{
	struct probe_shared *shared = shared_of(t);

	t->ops++;
	if (unlikely(t->ops >= shared->chunk_end) && t->slot == 0)
		end_chunk(t, shared);
}

void probe_empty(struct task *t)
{
	while (task_running(t))
		end_round(t);
}

void probe_add(struct task *t)
{
	struct probe_shared *shared = shared_of(t);

	while (task_running(t)) {
		m_word *part = m_my_part(&shared->part);
		int64_t limit = m_load(&shared->word);
		int64_t sum = m_load(part);

		m_store(part, sum < limit ? sum : sum + 1);
		end_round(t);
	}
}

void probe_atomic(struct task *t)
{
	struct probe_shared *shared = shared_of(t);

	while (task_running(t)) {
		m_add(&shared->word, 1);
		end_round(t);
	}
}

void probe_ping_pong(struct task *t)
{
	struct probe_shared *shared = shared_of(t);
	int64_t mine = t->slot;

	while (task_running(t))
		if (m_cas_acquire(&shared->ball, mine, !mine))
			end_round(t);
}

void probe_map_unmap(struct task *t)
{
	while (task_running(t)) {
		m_area area = m_sys_map(t, MAPPED);

		m_sys_unmap(t, area, MAPPED);
		end_round(t);
	}
}

/* Of one round: when it began, when its first call was over, and its second. */
static void note_times(struct probe_shared *shared, int64_t began, int64_t first, int64_t second)
{
	shared->now.clock_ns += m_now() - second;
	shared->now.first_ns += first - began;
	shared->now.second_ns += second - first;
}

static void map_unmap_timed(struct task *t)
{
	while (task_running(t)) {
		int64_t began = m_now(), first;
		m_area area = m_sys_map(t, MAPPED);

		first = m_now();
		m_sys_unmap(t, area, MAPPED);
		note_times(shared_of(t), began, first, m_now());
		end_round(t);
	}
}

static void touch_discard(struct task *t)
{
	m_area page = m_sys_map(t, PAGE);

	while (task_running(t)) {
		m_sys_touch(t, page, true);
		m_sys_discard(t, page, PAGE);
		end_round(t);
	}
}

static void touch_discard_timed(struct task *t)
{
	m_area page = m_sys_map(t, PAGE);

	while (task_running(t)) {
		int64_t began = m_now(), first;

		m_sys_touch(t, page, true);
		first = m_now();
		m_sys_discard(t, page, PAGE);
		note_times(shared_of(t), began, first, m_now());
		end_round(t);
	}
}

static void brk_up_down(struct task *t)
{
	m_area end = m_sys_heap_end(t);

	while (task_running(t)) {
		m_sys_brk(t, end + PAGE);
		m_sys_brk(t, end);
		end_round(t);
	}
}

/* As brk2 does it: a page at the end of the heap becomes an area of its own. */
static void brk_protect(struct task *t)
{
	m_area end = (m_sys_heap_end(t) + PAGE - 1) / PAGE * PAGE;

	while (task_running(t)) {
		m_sys_brk(t, end + PAGE);
		m_sys_protect(t, end, PAGE);
		m_sys_brk(t, end);
		end_round(t);
	}
}

static void getppid_loop(struct task *t)
{
	while (task_running(t)) {
		m_sys_getppid(t);
		end_round(t);
	}
}

static void page_alloc_loop(struct task *t)
{
	m_sys_page_open(t);
	while (task_running(t)) {
		m_area page = m_sys_page_alloc(t, 0);

		m_sys_page_free(t, page);
		end_round(t);
	}
}

const struct probe probes[SIM_PATH_COUNT] = {
	[SIM_PATH_map] = { "mmap of 128 MB, unmapped again", probe_map_unmap, probe_empty,
			   map_unmap_timed, PROBE_FIRST, 1 },
	[SIM_PATH_unmap] = { "munmap of 128 MB never touched", probe_map_unmap, probe_empty,
			     map_unmap_timed, PROBE_SECOND, 1 },
	[SIM_PATH_brk] = { "brk by a page up and down", brk_up_down, probe_empty, NULL, PROBE_ALL,
			   2 },
	[SIM_PATH_protect] = { "mprotect of a page of the heap", brk_protect, brk_up_down, NULL,
			       PROBE_ALL, 1 },
	[SIM_PATH_getppid] = { "getppid", getppid_loop, probe_empty, NULL, PROBE_ALL, 1 },
	[SIM_PATH_fault] = { "first write to a page", touch_discard, probe_empty,
			     touch_discard_timed, PROBE_FIRST, 1 },
	[SIM_PATH_discard] = { "madvise of a page", touch_discard, probe_empty, touch_discard_timed,
			       PROBE_SECOND, 1 },
	[SIM_PATH_page_alloc] = { "page from and to a list of its own", page_alloc_loop,
				  probe_empty, NULL, PROBE_ALL, 1 },
};

#if defined(__x86_64__)
#define ADD_HUNDRED(sum) __asm__ volatile(".rept 100\n\tadd $1, %0\n\t.endr" : "+r"(sum) : : "cc")
#elif defined(__aarch64__)
#define ADD_HUNDRED(sum) __asm__ volatile(".rept 100\n\tadd %0, %0, #1\n\t.endr" : "+r"(sum))
#endif

#ifdef ADD_HUNDRED
static void chain(struct task *t)
{
	int64_t sum = 0;

	while (task_running(t)) {
		for (int i = 0; i < PROBE_CHAIN / 100; i++)
			ADD_HUNDRED(sum);
		end_round(t);
	}
}

probe_loop *const probe_chain = chain;
#else
probe_loop *const probe_chain;
#endif

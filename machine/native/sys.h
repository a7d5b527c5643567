/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sys.h - the system calls of the testcases, on the host: the real call. One that fails for a
 * reason of the world (no memory, a limit) fails the whole point with that reason, by
 * native_fail(), which does not return.
 */
#ifndef MACHINE_NATIVE_SYS_H
#define MACHINE_NATIVE_SYS_H

#include <errno.h>
#include <linux/mempolicy.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "machine/check.h"
#include "machine/native/primitives.h"
#include "machine/task.h"

/* An address in the task's memory; 0 is none. Simulated areas are never dereferenced. */
typedef uintptr_t m_area;

/* Records what failed ("mmap of 134217728 bytes") with errno and ends the task. */
void native_fail(struct task *task, const char *what, int64_t number)
	__attribute__((noreturn, cold));

/* Ends the task, and so fails the point, for a reason of its own: a whole sentence, no errno. */
void m_sys_give_up(struct task *task, const char *reason) __attribute__((noreturn, cold));
int native_node(const struct m_run *run, unsigned int nth);

/* Maps `size` bytes of private anonymous memory, readable and writable; touches none of it. */
static inline m_area m_sys_map(struct task *task, int64_t size)
{
	void *area = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			  -1, 0);

	if (unlikely(area == MAP_FAILED))
		native_fail(task, "mmap of bytes", size);
	return (m_area)area;
}

/* Takes `size` bytes of addresses that nothing is mapped at yet, to map areas into. */
static inline m_area m_sys_reserve(struct task *task, int64_t size)
{
	void *area = mmap(NULL, (size_t)size, PROT_NONE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (unlikely(area == MAP_FAILED))
		native_fail(task, "mmap of addresses, bytes", size);
	return (m_area)area;
}

/* As m_sys_map, at an address that is reserved. */
static inline m_area m_sys_map_at(struct task *task, m_area area, int64_t size)
{
	void *mapped = mmap((void *)area, (size_t)size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);

	if (unlikely(mapped == MAP_FAILED))
		native_fail(task, "mmap of bytes at a fixed address", size);
	return (m_area)mapped;
}

static inline void m_sys_unmap(struct task *task, m_area area, int64_t size)
{
	if (unlikely(munmap((void *)area, (size_t)size) != 0))
		native_fail(task, "munmap of bytes", size);
}

/* The present end of the heap. */
static inline m_area m_sys_heap_end(struct task *task)
{
	void *end = sbrk(0);

	if (unlikely(end == (void *)-1))
		native_fail(task, "sbrk by", 0);
	return (m_area)end;
}

/* Sets the end of the heap. */
static inline void m_sys_brk(struct task *task, m_area end)
{
	if (unlikely(brk((void *)end) != 0))
		native_fail(task, "brk to", (int64_t)end);
}

/* Makes part of the heap read-only, so that memory added behind it is an area of its own. */
static inline void m_sys_protect(struct task *task, m_area area, int64_t size)
{
	if (unlikely(mprotect((void *)area, (size_t)size, PROT_READ) != 0))
		native_fail(task, "mprotect of bytes", size);
}

/* Reads or writes one byte of the page at `page`: a fault where the kernel has none there yet. */
static inline void m_sys_touch(struct task *task, m_area page, bool write)
{
	volatile char *byte = (volatile char *)page;

	(void)task;
	if (write)
		*byte = 1;
	else
		(void)*byte;
}

/* A touch that is known to be a fault, and to bring a page: a write where there is none yet. */
static inline void m_sys_fault(struct task *task, m_area page)
{
	m_sys_touch(task, page, true);
}

/* A read of a page of a file that is in memory and not mapped, or has come with its neighbours. */
static inline void m_sys_fault_read(struct task *task, m_area page)
{
	m_sys_touch(task, page, false);
}

/* Gives the pages of an area back; the next touch of each is a fault again. */
static inline void m_sys_discard(struct task *task, m_area area, int64_t size)
{
	if (unlikely(madvise((void *)area, (size_t)size, MADV_DONTNEED) != 0))
		native_fail(task, "madvise(MADV_DONTNEED) of bytes", size);
}

/*
 * The kernel's page allocator cannot be reached from here. What stands for its per-CPU lists is a
 * list of the task's own, whose pages have no node and which is never empty.
 */
static inline m_area m_sys_page_alloc(struct task *task, unsigned int node)
{
	m_word *page = (m_word *)m_load(&task->page_list);

	(void)node;
	m_store(&task->page_list, m_load(page));
	return (m_area)page;
}

/* Back onto the list, at its head, as the kernel does with a page that is still in a cache. */
static inline void m_sys_page_free(struct task *task, m_area page)
{
	m_store((m_word *)page, m_load(&task->page_list));
	m_store(&task->page_list, (int64_t)page);
}

/* Fills the list, before the loop. */
static inline void m_sys_page_open(struct task *task)
{
	const int64_t pages = 64, page_bytes = 4096;
	m_area area = m_sys_map(task, pages * page_bytes);

	for (int64_t i = 0; i < pages; i++)
		m_sys_page_free(task, area + (m_area)(i * page_bytes));
}

/*
 * What the kernel does around a step of its own that a task needs none of: keeping interrupts off
 * an increment (before 4.14, and for the NUMA statistics since then), and accounting a page that
 * goes onto a list or off it. Simulated they have a cost.
 */
static inline void m_sys_zone_inc(void)
{
}

static inline void m_sys_numa_inc(void)
{
}

static inline void m_sys_lru_link(void)
{
}

/*
 * A file of `size` bytes for this task alone, without a name: in memory, or in the folder of
 * --file-dir. Gives a descriptor.
 */
int m_sys_file_open(struct task *task, int64_t size);
void m_sys_file_close(struct task *task, int file);

/* Maps the file from its start: shared, or private, so that what is written is a copy. */
static inline m_area m_sys_map_file(struct task *task, int file, int64_t size, bool shared)
{
	void *area = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE,
			  shared ? MAP_SHARED : MAP_PRIVATE, file, 0);

	if (unlikely(area == MAP_FAILED))
		native_fail(task, "mmap of a file, of bytes", size);
	return (m_area)area;
}

/* Takes the pages of a shared file away, in the mapping and in the file: a hole is left. */
static inline void m_sys_punch(struct task *task, m_area area, int64_t size)
{
	if (unlikely(madvise((void *)area, (size_t)size, MADV_REMOVE) != 0))
		native_fail(task, "madvise(MADV_REMOVE) of bytes", size);
}

/* Who gets transparent huge pages by a fault. */
enum m_huge {
	M_HUGE_NEVER,
	M_HUGE_MADVISE, /* who asks for them */
	M_HUGE_ALWAYS,	/* who does not refuse them */
};

enum m_huge m_sys_huge_pages(void);

/* Asks for huge pages in an area, or refuses them. */
static inline void m_sys_advise_huge(struct task *task, m_area area, int64_t size, bool on)
{
	if (unlikely(madvise((void *)area, (size_t)size, on ? MADV_HUGEPAGE : MADV_NOHUGEPAGE)))
		native_fail(task, "madvise for or against huge pages, of bytes", size);
}

/* Of the C library: a large piece is a mapping of its own, a small one stays in its pools. */
static inline m_area m_sys_malloc(struct task *task, int64_t size)
{
	void *piece = malloc((size_t)size);

	/* Or the compiler would leave out a piece that nobody uses. */
	__asm__ volatile("" : "+r"(piece)::"memory");
	if (unlikely(!piece))
		native_fail(task, "malloc of bytes", size);
	return (m_area)piece;
}

static inline void m_sys_free(struct task *task, m_area piece)
{
	(void)task;
	free((void *)piece);
}

/* Makes an area read-only, or readable and writable. */
static inline void m_sys_set_writable(struct task *task, m_area area, int64_t size, bool writable)
{
	int protection = writable ? PROT_READ | PROT_WRITE : PROT_READ;

	if (unlikely(mprotect((void *)area, (size_t)size, protection) != 0))
		native_fail(task, "mprotect of bytes", size);
}

/* Waits for a child of the task's own, and sees that it ended well. */
static inline void native_wait_child(struct task *task, pid_t child)
{
	int status = 0;

	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			native_fail(task, "waiting for process", child);
	if (unlikely(!WIFEXITED(status) || WEXITSTATUS(status) != 0)) {
		errno = ECHILD;
		native_fail(task, "a child ended with status", status);
	}
}

/* Makes a child that ends at once, and waits for that. */
static inline void m_sys_fork(struct task *task)
{
	pid_t child = fork();

	if (unlikely(child < 0))
		native_fail(task, "fork in task", task->slot);
	if (child == 0)
		_exit(0);
	native_wait_child(task, child);
}

/* The same with a program that does nothing. */
static inline void m_sys_exec(struct task *task)
{
	char *const words[] = { (char *)"true", NULL };
	char *const environment[] = { NULL };
	pid_t child;

	errno = posix_spawn(&child, "/bin/true", NULL, NULL, words, environment);
	if (unlikely(errno != 0))
		native_fail(task, "starting /bin/true in task", task->slot);
	native_wait_child(task, child);
}

/* Moves `pages` touched pages from `area` on to a NUMA node. */
static inline void m_sys_move_pages(struct task *task, m_area area, int64_t pages, int node)
{
	void *page[64];
	int nodes[64], status[64];

	CHECK(pages <= 64);
	for (int64_t i = 0; i < pages; i++) {
		page[i] = (void *)(area + (m_area)(i * 4096));
		nodes[i] = node;
	}
	if (unlikely(syscall(SYS_move_pages, 0, pages, page, nodes, status, MPOL_MF_MOVE) < 0))
		native_fail(task, "move_pages to NUMA node", node);
}

/* The n-th NUMA node of the machine that has memory. */
static inline int m_sys_node(struct task *task, unsigned int nth)
{
	return native_node(task->run, nth);
}

static inline void m_sys_getppid(struct task *task)
{
	pid_t parent = getppid();

	(void)task, (void)parent;
}

#endif

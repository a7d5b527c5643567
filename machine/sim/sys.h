/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sys.h - the system calls of the testcases, simulated: each costs what the machine's profile gives
 * for its path (paths.h), and nothing else. An area is a range of addresses that is never touched.
 */
#ifndef MACHINE_SIM_SYS_H
#define MACHINE_SIM_SYS_H

#include <stdbool.h>
#include <stdint.h>

#include "machine/sim/paths.h"
#include "machine/task.h"

/* An address in the task's memory; 0 is none. */
typedef uintptr_t m_area;

#define SIM_AREA ((m_area)1 << 40) /* where every simulated mapping and heap begins */

/*
 * The caller is on that path for `times` its cost. Ends the run as skipped when the profile gives
 * no cost; does not return then.
 */
void sim_path(enum sim_path path, int64_t times);

/* The caller cannot go on: its point fails with that reason. */
void sim_give_up(struct task *task, const char *reason) __attribute__((noreturn, cold));

static inline __attribute__((noreturn)) void m_sys_give_up(struct task *task, const char *reason)
{
	sim_give_up(task, reason);
}

/* The same as sim_path, but of no cost when the profile gives none. */
void sim_path_if_known(enum sim_path path);

static inline m_area m_sys_map(struct task *task, int64_t size)
{
	(void)task, (void)size;
	sim_path(SIM_PATH_map, 1);
	return SIM_AREA;
}

static inline m_area m_sys_reserve(struct task *task, int64_t size)
{
	return m_sys_map(task, size);
}

static inline m_area m_sys_map_at(struct task *task, m_area area, int64_t size)
{
	m_sys_map(task, size);
	return area;
}

static inline void m_sys_unmap(struct task *task, m_area area, int64_t size)
{
	(void)task, (void)area, (void)size;
	sim_path(SIM_PATH_unmap, 1);
}

/* Asked once, before a loop: free. */
static inline m_area m_sys_heap_end(struct task *task)
{
	(void)task;
	return SIM_AREA;
}

static inline void m_sys_brk(struct task *task, m_area end)
{
	(void)task, (void)end;
	sim_path(SIM_PATH_brk, 1);
}

static inline void m_sys_protect(struct task *task, m_area area, int64_t size)
{
	(void)task, (void)area, (void)size;
	sim_path(SIM_PATH_protect, 1);
}

/* Of a page that is there: a hit, or what the profile says that a miss of the TLB costs. */
static inline void m_sys_touch(struct task *task, m_area page, bool write)
{
	(void)task, (void)page, (void)write;
	sim_path_if_known(SIM_PATH_touch);
}

static inline void m_sys_fault(struct task *task, m_area page)
{
	(void)task, (void)page;
	sim_path(SIM_PATH_fault, 1);
}

static inline void m_sys_fault_read(struct task *task, m_area page)
{
	(void)task, (void)page;
	sim_path(SIM_PATH_fault_read, 1);
}

static inline void m_sys_discard(struct task *task, m_area area, int64_t size)
{
	(void)task, (void)area, (void)size;
	sim_path(SIM_PATH_discard, 1);
}

/* Once, before a loop: free. */
static inline void m_sys_page_open(struct task *task)
{
	(void)task;
}

/* The path is that of a page allocated and freed again, without its statistics. */
static inline m_area m_sys_page_alloc(struct task *task, unsigned int node)
{
	(void)task, (void)node;
	sim_path(SIM_PATH_page_alloc, 1);
	return SIM_AREA;
}

static inline void m_sys_page_free(struct task *task, m_area page)
{
	(void)task, (void)page;
}

/* Files have no content here, and their pages cost what others do. */
static inline int m_sys_file_open(struct task *task, int64_t size)
{
	(void)task, (void)size;
	return 0;
}

static inline void m_sys_file_close(struct task *task, int file)
{
	(void)task, (void)file;
}

static inline m_area m_sys_map_file(struct task *task, int file, int64_t size, bool shared)
{
	(void)file, (void)shared;
	return m_sys_map(task, size);
}

static inline void m_sys_punch(struct task *task, m_area area, int64_t size)
{
	m_sys_discard(task, area, size);
}

/* Huge pages are not modelled: a point that asks for them is skipped. */
enum m_huge {
	M_HUGE_NEVER,
	M_HUGE_MADVISE,
	M_HUGE_ALWAYS,
};

static inline enum m_huge m_sys_huge_pages(void)
{
	return M_HUGE_NEVER;
}

static inline void m_sys_advise_huge(struct task *task, m_area area, int64_t size, bool on)
{
	(void)task, (void)area, (void)size, (void)on;
}

static inline void m_sys_lru_link(void)
{
	sim_path_if_known(SIM_PATH_lru_link);
}

static inline void m_sys_zone_inc(void)
{
	sim_path_if_known(SIM_PATH_zone_inc);
}

static inline void m_sys_numa_inc(void)
{
	sim_path_if_known(SIM_PATH_numa_inc);
}

static inline m_area m_sys_malloc(struct task *task, int64_t size)
{
	(void)task, (void)size;
	sim_path(SIM_PATH_malloc, 1);
	return SIM_AREA;
}

static inline void m_sys_free(struct task *task, m_area piece)
{
	(void)task, (void)piece;
	sim_path(SIM_PATH_free, 1);
}

static inline void m_sys_set_writable(struct task *task, m_area area, int64_t size, bool writable)
{
	(void)task, (void)area, (void)size, (void)writable;
	sim_path(SIM_PATH_set_writable, 1);
}

static inline void m_sys_fork(struct task *task)
{
	(void)task;
	sim_path(SIM_PATH_fork, 1);
}

static inline void m_sys_exec(struct task *task)
{
	(void)task;
	sim_path(SIM_PATH_exec, 1);
}

/* The path is that of one page. */
static inline void m_sys_move_pages(struct task *task, m_area area, int64_t pages, int node)
{
	(void)task, (void)area, (void)node;
	sim_path(SIM_PATH_move_page, pages);
}

/* Nodes are numbered here as they are counted. */
static inline int m_sys_node(struct task *task, unsigned int nth)
{
	return nth < task->run->setup.nodes ? (int)nth : -1;
}

static inline void m_sys_getppid(struct task *task)
{
	(void)task;
	sim_path(SIM_PATH_getppid, 1);
}

#endif

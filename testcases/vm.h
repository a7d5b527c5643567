/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vm.h - memory system calls with their accounting, in the kernel's order: charge, then map;
 * unmap, then uncharge. With a counter that counts nothing they are the bare calls.
 */
#ifndef TESTCASES_VM_H
#define TESTCASES_VM_H

#include "counters/account.h"

/* Charges `size` bytes that are about to be mapped; false when the policy does not admit them. */
static inline bool vm_admits(struct task *t, int64_t size)
{
	if (counter_info.counts_nothing)
		return true;
	if (!vm_enough_memory(t, size / PAGE_BYTES))
		return false;
	t->mapped += size / PAGE_BYTES;
	return true;
}

/* Maps `size` bytes; 0 when the policy does not admit them, here and below. */
static inline m_area vm_map(struct task *t, int64_t size)
{
	return vm_admits(t, size) ? m_sys_map(t, size) : 0;
}

/* The same for a private mapping of a file, which is charged too since it may be written. */
static inline m_area vm_map_private(struct task *t, int file, int64_t size)
{
	return vm_admits(t, size) ? m_sys_map_file(t, file, size, false) : 0;
}

/* A piece of the C library's that is large enough to be a mapping of its own. */
static inline m_area vm_malloc(struct task *t, int64_t size)
{
	return vm_admits(t, size) ? m_sys_malloc(t, size) : 0;
}

static inline void vm_free(struct task *t, m_area piece, int64_t size)
{
	m_sys_free(t, piece);
	if (counter_info.counts_nothing)
		return;
	task_safe_point(t);
	t->mapped -= size / PAGE_BYTES;
	charge(t, -(size / PAGE_BYTES), SITE_UNCHARGE);
}

static inline void vm_unmap(struct task *t, m_area area, int64_t size)
{
	m_sys_unmap(t, area, size);
	if (counter_info.counts_nothing)
		return;
	task_safe_point(t);
	t->mapped -= size / PAGE_BYTES;
	charge(t, -(size / PAGE_BYTES), SITE_UNCHARGE);
}

/* Moves the heap's end up by `size` bytes; false when the policy does not admit them. */
static inline bool vm_brk_grow(struct task *t, m_area end, int64_t size)
{
	if (!counter_info.counts_nothing) {
		if (!vm_enough_memory(t, size / PAGE_BYTES))
			return false;
		t->mapped += size / PAGE_BYTES;
	}
	m_sys_brk(t, end + (m_area)size);
	return true;
}

/* Moves it back down to `end`. */
static inline void vm_brk_shrink(struct task *t, m_area end, int64_t size)
{
	m_sys_brk(t, end);
	if (counter_info.counts_nothing)
		return;
	task_safe_point(t);
	t->mapped -= size / PAGE_BYTES;
	charge(t, -(size / PAGE_BYTES), SITE_UNCHARGE);
}

#endif

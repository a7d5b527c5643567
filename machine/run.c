// SPDX-License-Identifier: GPL-2.0-or-later
/* run.c - handing out the arena's memory while a run is being set up. */
#include "machine/run.h"

#include "machine/check.h"

static size_t round_up(size_t value, size_t align)
{
	return (value + align - 1) / align * align;
}

void *m_alloc(struct m_run *run, size_t bytes, size_t align)
{
	size_t start = round_up(run->shared_used, align);

	CHECK(start + bytes <= run->shared_bytes);
	run->shared_used = start + bytes;
	return run->shared + start;
}

void m_percpu_alloc(struct m_run *run, struct m_percpu *percpu, unsigned int words)
{
	size_t start = round_up(run->block_used, M_LINE_PAIR_BYTES);

	CHECK(start + words * sizeof(m_word) <= run->block_bytes);
	run->block_used = start + words * sizeof(m_word);
	/* Nobody runs yet: the plain store is seen by every task that is made later. */
	percpu->offset.opaque = (int64_t)(sizeof(struct task) + start);
}

int64_t *m_notes(const struct task *task, const struct m_percpu *percpu)
{
	return (int64_t *)((char *)task + percpu->offset.opaque);
}
